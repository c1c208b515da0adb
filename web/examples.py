"""
Example questions: read from a TOML file that comes with a data set.

An example, in full:

    [[example]]
    question = "What follows the bite?"
    topic = "Rathian"
    extra = "Rathian is angry."
    caption = "It lunges and snaps its jaws shut."

Which data set a file belongs to shows in its topics: what the graph has no topic for is not offered.
"""

from dataclasses import dataclass
from pathlib import Path

from kg.bundled import FOLDER, SAMPLE_FOLDER
from web.example_tables import read_tables

BUNDLED = FOLDER / "examples.toml"
SAMPLE = SAMPLE_FOLDER / "examples.toml"


@dataclass(frozen=True, slots=True)
class Example:
    """A question to try; only ``question`` and ``topic`` are never empty. ``topic`` is a label."""

    question: str
    topic: str
    extra: str = ""
    caption: str = ""


def load_examples(path: Path) -> tuple[Example, ...]:
    """The examples in a file. Raises ExamplesUnreadable with the file's name."""
    rows = read_tables(
        path, "example", required=("question", "topic"), optional=("extra", "caption"), plural="examples"
    )
    return tuple(Example(**{key: " ".join(text.split()) for key, text in row.items()}) for row in rows)
