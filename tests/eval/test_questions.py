"""The question list as it is published: every row a question, and every fault named with its row."""

import doctest
import zipfile
from pathlib import Path

import openpyxl
import pytest

from eval import questions as module
from eval.errors import EvaluationError, QuestionsUnreadable
from eval.questions import COLUMNS, BenchQuestion, read_questions
from tests.eval.conftest import ROWS, WriteQuestions


def changed(place: int, value: object) -> list[object]:
    """The first row with one cell changed."""
    return [value if number == place else cell for number, cell in enumerate(ROWS[0])]


def test_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


def test_a_row_is_read_as_it_stands(write_questions: WriteQuestions) -> None:
    assert read_questions(write_questions())[0] == BenchQuestion(
        row=2,
        file="Brewer_1",
        topic="Brewer",
        text="What will{} do next?",
        extra="{} is hot.",
        perception="Brewer shakes and knocks.",
        routes=(("Brewer", "Brew Mode", "Pomp Burst", "Slow Drip"),),
        answer="Slow Drip",
        subtask="III",
    )


def test_no_row_is_lost_where_two_share_a_file(write_questions: WriteQuestions) -> None:
    questions = read_questions(write_questions())
    assert [(question.row, question.file) for question in questions] == [
        (2, "Brewer_1"),
        (3, "Brewer_Pure Text1"),
        (4, "Brewer_1"),
    ]
    assert [question.subtask for question in questions] == ["III", "I", "VI"]


def test_several_routes_are_told_apart_and_an_end_mark_is_none(write_questions: WriteQuestions) -> None:
    assert read_questions(write_questions())[2].routes == (
        ("Brewer", "Grand Brewer", "Flush"),
        ("Brewer", "Grand Brewer", "Double Flush"),
    )


def test_a_route_that_stands_twice_counts_once(write_questions: WriteQuestions) -> None:
    path = write_questions([changed(7, "Brewer>Flush;Brewer > Flush ; Brewer>Whirl")])
    assert read_questions(path)[0].routes == (("Brewer", "Flush"), ("Brewer", "Whirl"))


def test_a_pure_text_question_shows_nothing(write_questions: WriteQuestions) -> None:
    question = read_questions(write_questions())[1]
    assert (question.perception, question.extra) == ("", "")
    asked = question.perceptive()
    assert (asked.text, asked.topic, asked.caption) == ("How many cups does Brewer serve?", "Brewer", "")


def test_placeholders_are_filled_and_lacking_spaces_are_put_in(write_questions: WriteQuestions) -> None:
    first, _, third = (question.perceptive() for question in read_questions(write_questions()))
    assert first.text == "What will Brewer do next?"
    assert first.extra == "Brewer is hot."
    assert third.text == "What does Brewer's larger model do?"
    assert third.caption == "Brewer rinses."


def test_name_and_extra_can_be_held_back(write_questions: WriteQuestions) -> None:
    first, _, third = read_questions(write_questions())
    nameless = first.perceptive(with_name=False)
    assert (nameless.topic, nameless.text) == ("", "What will it do next?")
    assert (nameless.extra, nameless.caption) == ("it is hot.", "it shakes and knocks.")
    assert third.perceptive(with_name=False).caption == "it rinses."
    assert first.perceptive(with_extra=False).extra == ""
    assert first.perceptive(with_extra=False).topic == "Brewer"


def test_a_name_is_held_back_wherever_it_stands(write_questions: WriteQuestions) -> None:
    path = write_questions([changed(3, "Does the BREWER, or a Brewery, know what{} does?")])
    assert read_questions(path)[0].perceptive(with_name=False).text == "Does the it, or a Brewery, know what it does?"


def test_a_type_may_be_a_number_with_a_fraction_of_nothing_or_a_text(write_questions: WriteQuestions) -> None:
    path = write_questions([changed(9, 1.0), changed(9, "4"), changed(9, " 5 ")])
    assert [question.subtask for question in read_questions(path)] == ["II", "V", "VI"]


def test_numbers_and_texts_that_look_like_nothing_are_texts(write_questions: WriteQuestions) -> None:
    path = write_questions([changed(0, 7), changed(0, "None"), changed(8, 0), changed(8, "NA")])
    questions = read_questions(path)
    assert [question.file for question in questions[:2]] == ["7", "None"]
    assert [question.answer for question in questions[2:]] == ["0", "NA"]


def test_blank_rows_are_no_questions_and_keep_the_numbering(write_questions: WriteQuestions) -> None:
    questions = read_questions(write_questions([ROWS[0], [None] * 10, [" ", "\n"], ROWS[1], []]))
    assert [question.row for question in questions] == [2, 5]


def test_further_columns_are_left_alone(write_questions: WriteQuestions) -> None:
    path = write_questions([[*ROWS[0], "a note", 3]], header=[*COLUMNS, "Notes", "Votes"])
    assert len(read_questions(path)) == 1


def test_a_short_row_lacks_its_last_cells(write_questions: WriteQuestions) -> None:
    with pytest.raises(QuestionsUnreadable, match="row 2 lacks its question, monster name or search route"):
        read_questions(write_questions([ROWS[0][:5]]))


@pytest.mark.parametrize("place", [3, 4, 7])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_cell_is_named_with_its_row(write_questions: WriteQuestions, place: int, value: object) -> None:
    with pytest.raises(QuestionsUnreadable, match=r"questions\.xlsx: row 3 lacks its question"):
        read_questions(write_questions([ROWS[0], changed(place, value)]))


def test_a_route_of_nothing_is_no_route(write_questions: WriteQuestions) -> None:
    with pytest.raises(QuestionsUnreadable, match="row 2 lacks"):
        read_questions(write_questions([changed(7, " ; ;")]))


@pytest.mark.parametrize("value", [6, -1, "II", 1.5, None, "two", True])
def test_a_type_that_is_none_is_named_with_its_row(write_questions: WriteQuestions, value: object) -> None:
    with pytest.raises(QuestionsUnreadable, match=r"row 2 has the Type '.*', not 0 to 5"):
        read_questions(write_questions([changed(9, value)]))


def test_every_row_at_fault_is_named(write_questions: WriteQuestions) -> None:
    with pytest.raises(QuestionsUnreadable, match=r"row 2 has the Type '9', not 0 to 5; row 4 lacks its question"):
        read_questions(write_questions([changed(9, 9), ROWS[0], changed(3, None)]))


@pytest.mark.parametrize("header", [("File", "Video"), [*COLUMNS[:9], "Kind"], [], [c.lower() for c in COLUMNS]])
def test_another_header_is_told_what_it_must_read(write_questions: WriteQuestions, header: list[str]) -> None:
    with pytest.raises(QuestionsUnreadable, match="the first row must read File, Video, Image, Question, Monster Name"):
        read_questions(write_questions(header=header))


def test_a_list_without_questions_is_said(write_questions: WriteQuestions) -> None:
    with pytest.raises(QuestionsUnreadable, match="there are no questions below the first row"):
        read_questions(write_questions([]))


def test_an_empty_sheet_is_said(tmp_path: Path) -> None:
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    with pytest.raises(QuestionsUnreadable, match="the first row must read"):
        read_questions(tmp_path / "empty.xlsx")


@pytest.mark.parametrize("data", [b"", b"File,Video\n", b"<html></html>", b"PK\x03\x04 and then nothing"])
def test_what_is_no_workbook_is_said_on_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "questions.xlsx"
    path.write_bytes(data)
    with pytest.raises(QuestionsUnreadable, match="not a workbook that can be read") as error:
        read_questions(path)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, EvaluationError)


def test_a_workbook_whose_sheet_is_damaged_is_said(write_questions: WriteQuestions, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.xlsx"
    with zipfile.ZipFile(write_questions()) as whole, zipfile.ZipFile(damaged, "w") as copy:
        for name in whole.namelist():
            data = whole.read(name)
            copy.writestr(name, data[: len(data) // 2] if "sheet1" in name else data)
    with pytest.raises(QuestionsUnreadable, match="not a workbook that can be read"):
        read_questions(damaged)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(QuestionsUnreadable, match="No such file"):
        read_questions(tmp_path / "nothing.xlsx")


def test_the_published_list_is_read_whole(benchmark_folder: Path) -> None:
    questions = read_questions(benchmark_folder / "question_list.xlsx")
    assert len(questions) == 135
    assert [question.row for question in questions] == list(range(2, 137))
    assert {question.subtask for question in questions} == {"I", "II", "III", "IV", "V", "VI"}
    for question in questions:
        asked = question.perceptive()
        assert "{}" not in asked.text + asked.extra + asked.caption
        assert question.routes[0][0] == question.topic
