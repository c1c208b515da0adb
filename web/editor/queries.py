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

from dataclasses import dataclass
from pathlib import Path

from kg.bundled import FOLDER
from web.example_tables import read_tables

BUNDLED = FOLDER / "queries.toml"


@dataclass(frozen=True, slots=True)
class ExampleQuery:
    """A query to try; only ``topic`` may be empty."""

    title: str
    description: str
    query: str
    topic: str = ""


def load_queries(path: Path) -> tuple[ExampleQuery, ...]:
    """The example queries in a file. Raises ExamplesUnreadable with the file's name."""
    required = ("title", "description", "query")
    rows = read_tables(path, "query", required=required, optional=("topic",), plural="queries")
    # A query keeps its lines; what is said of it is running text.
    return tuple(
        ExampleQuery(**{key: text if key == "query" else " ".join(text.split()) for key, text in row.items()})
        for row in rows
    )
