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

        Without the name the placeholder reads "the monster"-like (Table 17's ablation): the text's own ``{}`` is left
        out.
        """
        name = self.topic if with_name else ""
        return Question(
            text=fill(self.text, name),
            topic=name,
            extra=fill(self.extra, name) if with_extra else "",
            caption=fill(self.perception, name) if with_name else _hide(self.perception, self.topic),
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

    Raises QuestionsUnreadable with the row and what is wrong with it.
    """
    try:
        workbook = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises zipfile, xml and key errors alike for a file that is no workbook
        raise QuestionsUnreadable(f"{path}: not a workbook that can be read ({error})") from error
    sheet = workbook.worksheets[0]
    rows = list(sheet.iter_rows(values_only=True))
    workbook.close()
    header = tuple(_cell(value) for value in rows[0][: len(COLUMNS)]) if rows else ()
    if header != COLUMNS:
        raise QuestionsUnreadable(f"{path}: the first row must read {', '.join(COLUMNS)}; it reads {', '.join(header)}")
    return [
        _question(path, number, [_cell(value) for value in values[: len(COLUMNS)]])
        for number, values in enumerate(rows[1:], 2)
        if any(value is not None for value in values)
    ]


def _question(path: Path, number: int, cells: list[str]) -> BenchQuestion:
    file, _, _, text, topic, extra, perception, route, answer, subtask = cells
    if not text or not topic or not route:
        raise QuestionsUnreadable(f"{path}: row {number} lacks its question, monster name or search route")
    if subtask not in {str(index) for index in range(len(SUBTASKS))}:
        raise QuestionsUnreadable(f"{path}: row {number}: Type is {subtask!r}, not 0 to {len(SUBTASKS) - 1}")
    routes = tuple(tuple(name.strip() for name in one.split(">")) for one in route.split(";") if one.strip())
    return BenchQuestion(number, file, topic, text, extra, perception, routes, answer, SUBTASKS[int(subtask)])


def _cell(value: object) -> str:
    return "" if value is None else str(value).strip()


def _hide(text: str, name: str) -> str:
    return re.sub(rf"\b{re.escape(name)}\b", "it", text)
