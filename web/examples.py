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

import tomllib
from dataclasses import dataclass
from pathlib import Path

from kg.bundled import FOLDER
from web.errors import ExamplesUnreadable

BUNDLED = FOLDER / "examples.toml"
_KEYS = {"question", "topic", "extra", "caption"}


@dataclass(frozen=True, slots=True)
class Example:
    """A question to try; only ``question`` and ``topic`` are never empty. ``topic`` is a label."""

    question: str
    topic: str
    extra: str = ""
    caption: str = ""


def load_examples(path: Path) -> tuple[Example, ...]:
    """The examples in a file. Raises ExamplesUnreadable with the file's name."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ExamplesUnreadable(f"cannot read the examples in {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExamplesUnreadable(f"the examples in {path} are not TOML: {error}") from error
    rows = said.get("example", [])
    if set(said) - {"example"} or not isinstance(rows, list):
        raise ExamplesUnreadable(f"{path}: write [[example]] tables and nothing else")
    return tuple(_example(row, f"{path}, example {number}") for number, row in enumerate(rows, 1))


def _example(row: object, where: str) -> Example:
    if not isinstance(row, dict) or set(row) - _KEYS or not all(isinstance(value, str) for value in row.values()):
        raise ExamplesUnreadable(f"{where}: an example has texts only, called {', '.join(sorted(_KEYS))}")
    texts = {key: " ".join(value.split()) for key, value in row.items()}
    if not texts.get("question") or not texts.get("topic"):
        raise ExamplesUnreadable(f"{where}: question and topic must be given")
    return Example(**texts)
