"""Question lists about coffee machines, in the published layout."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from eval.questions import COLUMNS

Row = Sequence[object]
WriteQuestions = Callable[..., Path]

ROWS: list[Row] = [
    ("Brewer_1", "clip.mp4", "frames", "What will{} do next?", "Brewer", "{} is hot.", "Brewer shakes and knocks.",
     "Brewer>Brew Mode>Pomp Burst>Slow Drip", "Slow Drip", 2),
    ("Brewer_Pure Text1", None, None, "How many cups does {} serve?", "Brewer", None, None, "Brewer", "Two", 0),
    ("Brewer_1", None, "b.png", "What does{}'s larger model do?", "Brewer", None, "{} rinses.",
     "Brewer>Grand Brewer>Flush; Brewer>Grand Brewer>Double Flush;", "Flush or Double Flush", 5),
]  # fmt: skip


@pytest.fixture
def write_questions(tmp_path: Path, write_workbook: Callable[..., Path]) -> WriteQuestions:
    """Writes a question list: the rows of this file, or the given ones; ``header`` stands in for the published one."""

    def write(rows: Sequence[Row] = ROWS, *, header: Row = COLUMNS) -> Path:
        return write_workbook(tmp_path / "questions.xlsx", [header, *rows])

    return write
