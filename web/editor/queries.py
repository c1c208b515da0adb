"""
Example queries: read from a TOML file that comes with a data set, as example questions are (web.examples).

An example, in full:

    [[query]]
    title = "What Rathian does"
    description = "The attacks of one monster."
    topic = "Rathian"
    query = "SELECT ..."

``topic`` is the label of a topic entity that the graph must have for the query to be offered; one without is for every
graph.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from kg.bundled import FOLDER
from web.errors import ExamplesUnreadable

BUNDLED = FOLDER / "queries.toml"
_KEYS = {"title", "description", "topic", "query"}


@dataclass(frozen=True, slots=True)
class ExampleQuery:
    """A query to try; only ``topic`` may be empty."""

    title: str
    description: str
    query: str
    topic: str = ""


def load_queries(path: Path) -> tuple[ExampleQuery, ...]:
    """The example queries in a file. Raises ExamplesUnreadable with the file's name."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ExamplesUnreadable(f"cannot read the queries in {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExamplesUnreadable(f"the queries in {path} are not TOML: {error}") from error
    rows = said.get("query", [])
    if set(said) - {"query"} or not isinstance(rows, list):
        raise ExamplesUnreadable(f"{path}: write [[query]] tables and nothing else")
    return tuple(_query(row, f"{path}, query {number}") for number, row in enumerate(rows, 1))


def _query(row: object, where: str) -> ExampleQuery:
    if not isinstance(row, dict) or set(row) - _KEYS or not all(isinstance(value, str) for value in row.values()):
        raise ExamplesUnreadable(f"{where}: a query has texts only, called {', '.join(sorted(_KEYS))}")
    texts = {key: value.strip() if key == "query" else " ".join(value.split()) for key, value in row.items()}
    if not all(texts.get(key) for key in _KEYS - {"topic"}):
        raise ExamplesUnreadable(f"{where}: title, description and query must be given")
    return ExampleQuery(**texts)
