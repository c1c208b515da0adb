"""``scoutfly bench walk``: the table for people, the records for programs, and one line for what is wrong."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoutfly
from agents.app import ModelOptions
from agents.domain import Domain
from agents.engine import Engine
from agents.runs import RunFolder
from eval.commands import bench
from eval.errors import EvaluationError
from kg.store import EmbeddedStore
from tests.eval.conftest import ROWS, WriteQuestions
from tests.fakes import FakeRoles

FOLLOW = {
    "Brewer": ["Brew Mode"],
    "Brew Mode": ["Pump Burst"],
    "Pump Burst": ["Slow Drip"],
    "Slow Drip": [],
}


@dataclass
class FakeApp:
    """The composition root over the small graph; ``asked`` is what models were asked for."""

    store: EmbeddedStore
    home_dir: Path
    domain: Domain = field(default_factory=Domain)
    asked: ModelOptions | None = None

    def engine(self, models: ModelOptions | None = None, *, with_sample: bool = True) -> Engine:
        self.asked = models
        return Engine(self.store, lambda _: FakeRoles(FOLLOW).policy, ("fake",), RunFolder(self.home_dir / "runs"))


@pytest.fixture
def app(tiny_store: EmbeddedStore, tmp_path: Path) -> FakeApp:
    return FakeApp(tiny_store, tmp_path / "home")


def walk(app: FakeApp, questions: Path, *options: str) -> Result:
    return CliRunner().invoke(bench, ["walk", "--questions", str(questions), *options], obj=app)


def test_the_table_has_a_line_for_all_and_one_for_each_sub_task(app: FakeApp, write_questions: WriteQuestions) -> None:
    result = walk(app, write_questions())
    assert result.exit_code == 0, result.output
    header, everything, *subtasks = result.stdout.splitlines()
    assert header.split()[:3] == ["n", "precision", "recall"]
    assert everything.split()[:4] == ["all", "3", "0.3333", "0.3333"]  # the first of the three questions
    assert [line.split()[0] for line in subtasks] == ["I", "III", "VI"]
    assert subtasks[1].split()[1:4] == ["1", "1.0000", "1.0000"]
    assert "Walking" not in result.stdout


def test_the_json_has_the_means_and_every_record(app: FakeApp, write_questions: WriteQuestions) -> None:
    said = json.loads(walk(app, write_questions(), "--json").stdout)
    assert (said["n"], said["setting"], said["policy"], said["questions"]) == (
        3,
        "perceptive",
        "builtin",
        "questions.xlsx",
    )
    assert said["all"]["topic_accuracy"] == 1.0
    assert [record["row"] for record in said["records"]] == [2, 3, 4]
    assert said["by_subtask"]["III"]["path_recall"] == 1.0
    assert (said["failed"], said["unmapped"]) == ([], [])


def test_only_the_first_questions_on_demand(app: FakeApp, write_questions: WriteQuestions) -> None:
    assert json.loads(walk(app, write_questions(), "--json", "--limit", "2").stdout)["n"] == 2


def test_what_failed_and_what_does_not_map_is_said_below_the_table(
    app: FakeApp, write_questions: WriteQuestions
) -> None:
    unknown = [*ROWS[0][:4], "Kettle", *ROWS[0][5:]]
    unmapped = [*ROWS[0][:7], "Brewer>Brew Mode>Whistle", *ROWS[0][8:]]
    lines = walk(app, write_questions([unknown, unmapped])).stdout.splitlines()
    assert lines[-2].startswith("row 2: not walked: no entity is called 'Kettle'")
    assert lines[-1] == ("row 3: not in the graph: Brewer > Brew Mode > Whistle: Brewer has nothing called 'Whistle'")


def test_many_failures_are_counted(app: FakeApp, write_questions: WriteQuestions) -> None:
    unknown = [*ROWS[0][:4], "Kettle", *ROWS[0][5:]]
    result = walk(app, write_questions([unknown] * 12))
    assert isinstance(result.exception, EvaluationError)
    assert "no question could be walked" in str(result.exception)
    assert result.stdout.count("not walked") == 10
    assert result.stdout.splitlines()[-1] == "... and 2 more such rows (--json lists them)"
    assert len(json.loads(walk(app, write_questions([unknown] * 12), "--json").stdout)["failed"]) == 12


def test_runs_are_kept_on_demand_only(app: FakeApp, write_questions: WriteQuestions) -> None:
    walk(app, write_questions())
    assert not (app.home_dir / "runs").exists()
    said = json.loads(walk(app, write_questions(), "--json", "--keep-runs").stdout)
    assert {record["run"] for record in said["records"]} == set(RunFolder(app.home_dir / "runs").ids())


def test_the_name_can_be_hidden(app: FakeApp, write_questions: WriteQuestions) -> None:
    said = json.loads(walk(app, write_questions(), "--json", "--without-name", "--without-extra").stdout)
    assert said["all"]["topic_accuracy"] == 0.0  # the fake selector knows no topic of this graph
    assert len(said["failed"]) == 3


def test_models_and_limits_are_passed_on(app: FakeApp, write_questions: WriteQuestions) -> None:
    options = ["--policy", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--max-calls", "2", "--json"]
    said = json.loads(walk(app, write_questions(), *options).stdout)
    assert app.asked is not None
    assert (app.asked.base_url, dict(app.asked.models)) == ("http://127.0.0.1:9/v1", {"default": "m"})
    assert said["policy"] == "llm"
    assert {record["calls"] for record in said["records"]} == {2}


def test_a_list_that_is_not_there_is_a_usage_error(app: FakeApp, tmp_path: Path) -> None:
    result = walk(app, tmp_path / "nothing.xlsx")
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


def test_a_list_that_cannot_be_read_is_one_line_and_exit_1(tmp_path: Path) -> None:
    (tmp_path / "q.xlsx").write_text("no workbook", encoding="utf-8")
    arguments = ["--home", str(tmp_path / "home"), "bench", "walk", "--questions", str(tmp_path / "q.xlsx")]
    result = CliRunner().invoke(scoutfly.main, arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert "not a workbook that can be read" in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
