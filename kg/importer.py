"""What an importer is: it reads one kind of source and yields its quads.

``kg.importing`` picks the importer, gives it a job, loads what it yields and publishes it whole or not at all. An
importer knows nothing of stores; it names the rows that it cannot read in the job's report and goes on.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyoxigraph as ox

from kg.catalogue import SourceCatalogue
from kg.report import ImportReport
from ontology import terms

Progress = Callable[[str], None]
"""Told, in a line for people, what goes on."""


@dataclass(frozen=True, slots=True)
class Job:
    """One source to read.

    ``base_iri`` ends in ``/`` or ``#``; individuals are minted under it. Relations come from
    ``catalogue.relation(label, condition, namespace=...)``, which mints the new ones and keeps their declarations;
    ``job.relations`` is the namespace of a source that speaks no known vocabulary. ``media`` is the folder of its media
    files where that is not the source itself.
    """

    path: Path
    slug: str
    base_iri: str
    report: ImportReport
    catalogue: SourceCatalogue
    progress: Progress
    media: Path | None = None

    @property
    def graph(self) -> ox.NamedNode:
        """The graph for the plain triples."""
        return terms.source_graph(self.slug)

    @property
    def relations(self) -> str:
        """The namespace for the relations that the source names by labels of its own."""
        return f"{self.base_iri}relation/"

    @property
    def facts(self) -> ox.NamedNode:
        """The graph for what is said about triples."""
        return terms.facts_graph(self.slug)


class Importer(Protocol):
    """Reads one kind of source."""

    @property
    def kind(self) -> str:
        """What such a source is called in reports, e.g. ``MH-MMKG folder``."""

    def recognises(self, path: Path) -> bool:
        """Whether the file or folder is of this kind; looks at names and first bytes only."""

    def files(self, path: Path) -> Iterable[Path]:
        """The files that make up the source, for its content hash; no media."""

    def read(self, job: Job) -> Iterable[ox.Quad]:
        """The quads of the source, each in ``job.graph`` or ``job.facts``; fills ``job.report`` while it goes.

        The report's ``rows_read``, ``entities``, ``media_found``, ``media_missing``, ``encoded``, ``notes`` and
        rejected rows are the importer's to fill; ``triples``, ``relations``, ``new_relations`` and
        ``labels`` are filled for it.
        Raises ImportFailed where the source cannot be read at all.
        """
