"""What the page says of a graph, and the example questions that come with one."""

import re
from pathlib import Path

import pytest
from openpyxl import load_workbook

from kg.store import EmbeddedStore
from tests.web.stage import hostile_store
from web.about import read_about
from web.errors import ExamplesUnreadable
from web.examples import BUNDLED, Example, load_examples


def test_the_bundled_graph(bundled_store: EmbeddedStore) -> None:
    about = read_about(bundled_store, examples=load_examples(BUNDLED))
    assert about.classes[:2] == [("Attack Action", 265), ("Monster", 22)]
    assert [source.title for source in about.sources] == ["Monster Hunter: World attack graph"]
    assert len(about.examples) == 6
    types = ("https://w3id.org/scoutfly/mhw#Monster", "https://w3id.org/scoutfly/ns#TopicEntity")
    assert about.kind(types) == "Monster"


def test_a_class_without_a_label_has_its_last_part() -> None:
    about = read_about(hostile_store())
    assert about.kind(["http://example.org/ns#Odd"]) == "Odd"
    assert about.kind([]) == ""


def test_examples_of_another_graph_are_left_out() -> None:
    examples = [Example("Why?", "Rathian"), Example("How?", "Top <script>alert('label')</script>")]
    assert read_about(hostile_store(), examples=examples).examples == (examples[1],)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[example]", "not TOML"),
        ("other = 1", "[[example]] tables and nothing else"),
        ('[[example]]\nquestion = "q"', "example 1: question and topic"),
        ('[[example]]\nquestion = "q"\ntopic = 3', "example 1: an example has texts only"),
        ('[[example]]\nquestion = "q"\ntopic = "t"\nanswer = "a"', "example 1: an example has texts only"),
    ],
)
def test_a_file_of_examples_that_will_not_do(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ExamplesUnreadable, match=re.escape(said)):
        load_examples(path)
    with pytest.raises(ExamplesUnreadable, match="cannot read"):
        load_examples(tmp_path / "none.toml")


def test_the_examples_are_no_copies_of_the_benchmark(benchmark_folder: Path) -> None:
    book = load_workbook(benchmark_folder / "question_list.xlsx")
    cells = [str(cell or "") for row in book.worksheets[0].iter_rows(values_only=True) for cell in row]
    theirs = {run for text in cells for run in _runs(text)}
    assert len(theirs) > 1000
    for example in load_examples(BUNDLED):
        for text in (example.question, example.caption, example.extra):
            assert not theirs & _runs(text), text


def _runs(text: str, length: int = 6) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}
