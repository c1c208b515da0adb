"""What an import did, row by row, as text for people and as JSON for tools."""

from dataclasses import asdict, dataclass, field

from kg.errors import ImportFailed

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Rejection:
    """One row that was not imported, where it stands and why. Rows and lines count from 1, as spreadsheets do."""

    file: str
    reason: str
    sheet: str | None = None
    row: int | None = None
    column: str | None = None

    def __str__(self) -> str:
        where = [self.file]
        if self.sheet is not None:
            where.append(f"sheet {self.sheet}")
        if self.row is not None:
            where.append(f"row {self.row}")
        if self.column is not None:
            where.append(f"column {self.column}")
        return f"{', '.join(where)}: {self.reason}"


@dataclass(slots=True)
class ImportReport:
    """The tally of one import; an importer fills it while it reads.

    With ``strict`` the first rejected row raises ImportFailed, and nothing is changed.
    """

    source: str
    kind: str = ""
    base_iri: str = ""
    strict: bool = False
    rows_read: int = 0
    triples: int = 0
    entities: int = 0
    """Entities that it mints out of names, or that an RDF file names."""
    topic_entities: int = 0
    relations: int = 0
    """Relations (properties) that this source mints; edges are triples."""
    new_relations: list[str] = field(default_factory=list)
    """IRIs of the relations that the catalogue did not hold before."""
    labels: dict[str, str] = field(default_factory=dict)
    """What each of them is called, by its IRI."""
    media_found: int = 0
    media_missing: list[str] = field(default_factory=list)
    encoded: list[str] = field(default_factory=list)
    """Names and IRIs that held a character which an IRI cannot hold, each with what it became."""
    retagged: list[str] = field(default_factory=list)
    """Texts whose language tag was normalised, or dropped because it is none."""
    rejected: list[Rejection] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def reject(
        self, file: str, reason: str, *, sheet: str | None = None, row: int | None = None, column: str | None = None
    ) -> None:
        """Keep a row out of the graph, and say why. Raises ImportFailed where the import is strict."""
        rejection = Rejection(file, reason, sheet, row, column)
        self.rejected.append(rejection)
        if self.strict:
            raise ImportFailed(f"{rejection} (nothing was imported: --strict)")

    def note(self, text: str) -> None:
        """Say something once that a reader should know and that kept nothing out."""
        if text not in self.notes:
            self.notes.append(text)

    def as_json(self) -> dict[str, object]:
        """The report as plain JSON values, every rejected row included."""
        return asdict(self)

    def as_text(self) -> str:
        """The report for a terminal: counts first, then at most 20 lines of each list."""
        lines = [
            f"source {self.source} ({self.kind}), base IRI {self.base_iri}",
            f"  rows read {self.rows_read}, rejected {len(self.rejected)}",
            f"  triples {self.triples}, entities {self.entities} (topic entities {self.topic_entities}), "
            f"relations minted {self.relations}, new to the catalogue {len(self.new_relations)}",
            f"  media found {self.media_found}, missing {len(self.media_missing)}",
        ]
        lines += _listed("new relation", [f"{self.labels.get(iri, '')!r}, {iri}" for iri in self.new_relations])
        lines += _listed("missing media", self.media_missing)
        lines += _listed("encoded", self.encoded)
        lines += _listed("language tag", self.retagged)
        lines += _listed("rejected", [str(rejection) for rejection in self.rejected])
        lines += _listed("note", self.notes)
        return "\n".join(lines)


def _listed(title: str, items: list[str]) -> list[str]:
    lines = [f"  {title}: {item}" for item in items[:_SHOWN]]
    if len(items) > _SHOWN:
        lines.append(f"  {title}: and {len(items) - _SHOWN} more (see --json)")
    return lines
