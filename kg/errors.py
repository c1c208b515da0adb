"""What can go wrong with a graph.

GraphError
├── StoreError      a store cannot be opened, read or written
│   ├── StoreLocked     another process is writing to this home
│   ├── DiskFull        there is no room left to write to
│   ├── HomeDamaged     a home does not say which generation is current, or has it no more
│   └── EndpointError   a SPARQL endpoint did not answer as asked
├── ImportFailed    a source cannot be read at all (single bad rows are reported, not raised)
│   └── NothingImported no row of a source was sound
├── ExportFailed    a graph cannot be written in the format asked for
└── BadTerm         a text that cannot become an IRI, a language tag or a literal
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.report import ImportReport


class GraphError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class StoreError(GraphError):
    """A store cannot be opened, read or written."""


class StoreLocked(StoreError):
    """Another process is writing to this home."""


class DiskFull(StoreError):
    """There is no room left to write to: on the disk, or of what may be used of it."""


class HomeDamaged(StoreError):
    """A home does not say which generation is current, or names one that is not there."""


class EndpointError(StoreError):
    """A SPARQL endpoint did not answer as asked."""


class ImportFailed(GraphError):
    """A source cannot be read at all."""


class NothingImported(ImportFailed):
    """No row of a source was sound; ``report`` says why of each."""

    def __init__(self, report: "ImportReport") -> None:
        first = f": {report.rejected[0]}" if report.rejected else ""
        super().__init__(f"nothing was imported from the source {report.source!r}, it holds no sound triple{first}")
        self.report = report


class ExportFailed(GraphError):
    """A graph cannot be written in the format asked for."""


class BadTerm(GraphError):
    """A text that cannot become an IRI, a language tag or a literal."""
