"""The sources of a home as data sets: what they are called, who made them, under which licence, how large they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from kg.home import Home
from kg.sources import Source, recorded
from sparql.sources import SourceDescription

LICENCES = {
    "https://creativecommons.org/licenses/by/4.0/": ("CC BY 4.0", "CC-BY-4.0"),
    "https://creativecommons.org/licenses/by-sa/4.0/": ("CC BY-SA 4.0", "CC-BY-SA-4.0"),
    "https://creativecommons.org/publicdomain/zero/1.0/": ("CC0 1.0", "CC0-1.0"),
}
"""IRIs of licences, what people call them, and their SPDX identifiers (https://spdx.org/licenses/)."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One source. A text that it does not give is empty; ``licence`` is an IRI or a text."""

    slug: str
    title: str
    kind: str
    base_iri: str
    triples: int
    sha256: str
    description: str = ""
    licence: str = ""
    creator: str = ""
    issued: str = ""
    version: str = ""

    @property
    def licence_name(self) -> str:
        """The licence as people call it."""
        return _named(self.licence)[0]

    @property
    def licence_address(self) -> str:
        """Where the licence is explained; "" where that is not known."""
        return self.licence if self.licence.startswith(("https://", "http://")) else ""

    @property
    def spdx(self) -> str:
        """The SPDX identifier of the licence; "" where it has none that we know."""
        return _named(self.licence)[1]


def read_datasets(home: Home, descriptions: Sequence[SourceDescription]) -> list[DataSet]:
    """The sources of the current generation, by their short names. Raises kg.errors.StoreError."""
    said = {description.iri: description for description in descriptions}
    with home.snapshot() as snapshot:
        sources = recorded(snapshot)
    return [_dataset(source, said.get(source.graph)) for source in sources]


def find_dataset(datasets: Sequence[DataSet], slug: str) -> DataSet | None:
    """The data set with a short name."""
    return next((one for one in datasets if one.slug == slug), None)


def _dataset(source: Source, said: SourceDescription | None) -> DataSet:
    return DataSet(
        slug=source.slug,
        title=(said.title if said else "") or source.title,
        kind=source.kind,
        base_iri=source.base_iri,
        triples=source.triples,
        sha256=source.sha256,
        description=said.description if said else "",
        licence=said.licence if said else "",
        creator=said.creator if said else "",
        issued=said.issued if said else "",
        version=said.version if said else "",
    )


def _named(licence: str) -> tuple[str, str]:
    return LICENCES.get(licence.replace("http://", "https://").rstrip("/") + "/", (licence, ""))
