"""Reads the MH benchmark's question list as it is published: one workbook, a question a row.

Columns: File, Video, Image, Question, Monster Name, Extra Information, Perception, Search Route, Answer, Type. An
example row, in our words: ``Rathian_3 | clip.mp4 | frames | What will {} do next? | Rathian | {} is angry. | Rathian
runs ... | Rathian>Triple Rush Attack>Bite | Bite | 2``. Two rows may share a File value, so a question is its row
number. It knows nothing of any graph.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from openpyxl import load_workbook

from agents.roles import Question
from eval.errors import QuestionsUnreadable

COLUMNS = (
    "File",
    "Video",
    "Image",
    "Question",
    "Monster Name",
    "Extra Information",
    "Perception",
    "Search Route",
    "Answer",
    "Type",
)
SUBTASKS = ("I", "II", "III", "IV", "V", "VI")
"""The six sub-tasks of Table 1; a row's Type 0 to 5 is an index into them."""

_PLACEHOLDER = re.compile(r"(\w?)\{\}")


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """One row: ``row`` is its number in the sheet (the header is 1), ``routes`` the annotated paths as names, topic
    first.
    """

    row: int
    file: str
    topic: str
    text: str
    extra: str
    perception: str
    routes: tuple[tuple[str, ...], ...]
    answer: str
    subtask: str

    def perceptive(self, *, with_name: bool = True, with_extra: bool = True) -> Question:
        """The question as the Perceptive setting shows it: the human caption in the place of the media (Table 2).

        Without the name (Table 17's ablation) there is no topic, and the texts say "it" wherever they would name it.
        """

        def told(text: str) -> str:
            return fill(text, self.topic) if with_name else _hide(fill(text, ""), self.topic)

        return Question(
            text=told(self.text),
            topic=self.topic if with_name else "",
            extra=told(self.extra) if with_extra else "",
            caption=told(self.perception),
        )


def fill(text: str, name: str) -> str:
    """``text`` with its ``{}`` replaced, and a space put before where the sheet left it out.

    >>> fill("Tell me what{} is doing.", "Tigrex")
    'Tell me what Tigrex is doing.'
    """
    subject = name or "it"
    return _PLACEHOLDER.sub(lambda match: f"{match[1]} {subject}" if match[1] else subject, text)


def read_questions(path: Path) -> list[BenchQuestion]:
    """Every row of the list.

    Raises QuestionsUnreadable with the rows that cannot be read and what is wrong with each.
    """
    header, *rows = _rows(path) or [[]]
    if tuple(header[: len(COLUMNS)]) != COLUMNS:
        raise QuestionsUnreadable(f"{path}: the first row must read {', '.join(COLUMNS)}; it reads {', '.join(header)}")
    questions, wrong = [], []
    for number, cells in enumerate(rows, 2):
        if any(cells):
            try:
                questions.append(_question(number, cells))
            except ValueError as error:
                wrong.append(f"row {number} {error}")
    if wrong:
        raise QuestionsUnreadable(f"{path}: {'; '.join(wrong)}")
    if not questions:
        raise QuestionsUnreadable(f"{path}: there are no questions below the first row")
    return questions


def _rows(path: Path) -> list[list[str]]:
    """The cells of the first sheet as text, each row as wide as the published columns."""
    try:
        with path.open("rb") as file:
            sheets = load_workbook(file, read_only=True, data_only=True).worksheets
            values = list(sheets[0].iter_rows(values_only=True)) if sheets else []
    except Exception as error:  # openpyxl raises zipfile, xml and key errors alike for a file that is no workbook
        reason = " ".join(str(error).split())
        raise QuestionsUnreadable(f"{path}: not a workbook that can be read ({reason})") from error
    cells = [[_cell(value) for value in row[: len(COLUMNS)]] for row in values]
    return [row + [""] * (len(COLUMNS) - len(row)) for row in cells]


def _question(number: int, cells: list[str]) -> BenchQuestion:
    file, _, _, text, topic, extra, perception, route, answer, subtask = cells
    routes = dict.fromkeys(tuple(name.strip() for name in one.split(">")) for one in route.split(";") if one.strip())
    if not text or not topic or not routes:
        raise ValueError("lacks its question, monster name or search route")
    if subtask not in {str(index) for index in range(len(SUBTASKS))}:
        raise ValueError(f"has the Type {subtask!r}, not 0 to {len(SUBTASKS) - 1}")
    return BenchQuestion(number, file, topic, text, extra, perception, tuple(routes), answer, SUBTASKS[int(subtask)])


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # some programs write every number as one with a fraction
    return "" if value is None else str(value).strip()


def _hide(text: str, name: str) -> str:
    return re.sub(rf"\b{re.escape(name)}\b", "it", text, flags=re.IGNORECASE)
