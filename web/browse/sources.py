"""
The sources of a graph: what each says of itself, what the home remembers of it, and which entities it speaks of.

A graph behind an endpoint elsewhere has no home: of its sources only what they say themselves is known.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.home import Home, Snapshot
from ontology import terms
from web.site import View

_SAID = {
    terms.term("dcterms:title").value: "title",
    terms.term("dcterms:identifier").value: "slug",
    terms.term("dcterms:format").value: "kind",
    terms.term("void:triples").value: "triples",
}


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One source; what is not known of it is empty. ``kind`` is how it was read, ``triples`` how many it brought."""

    iri: str
    slug: str = ""
    title: str = ""
    description: str = ""
    licence: str = ""
    creator: str = ""
    kind: str = ""
    triples: str = ""

    @property
    def name(self) -> str:
        """What to call it."""
        return self.title or self.slug or self.iri

    @property
    def licence_address(self) -> str:
        """Where the licence can be read, "" where it is no web address."""
        return self.licence if re.match(r"https?://[^\s]+$", self.licence) else ""


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources, by name; ``speaking_of`` are the IRIs that each gives a class to, by its IRI."""

    records: tuple[SourceRecord, ...] = ()
    speaking_of: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadSources:
    """Reads the sources of a view: ``view.once(ReadSources(site.home))``."""

    home: Home | None

    def __call__(self, view: View) -> Sources:
        """The sources. Raises kg.errors.StoreError."""
        described = {
            source.iri.value: {
                "title": source.title,
                "description": source.description,
                "licence": source.licence,
                "creator": source.creator,
            }
            for source in view.about.sources
        }
        speaking: dict[str, frozenset[str]] = {}
        if self.home is not None:
            with self.home.snapshot() as snapshot:
                remembered = _remembered(snapshot)
                speaking = {iri: _subjects(snapshot, iri) for iri in remembered}
            for iri, said in remembered.items():
                own = {name: text for name, text in described.get(iri, {}).items() if text}
                described[iri] = said | own
        records = [SourceRecord(iri, **said) for iri, said in described.items()]
        return Sources(tuple(sorted(records, key=lambda record: (record.name.casefold(), record.iri))), speaking)


def _remembered(snapshot: Snapshot) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for quad in snapshot.store.quads_for_pattern(None, None, None, terms.SOURCES_GRAPH):
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.Literal):
            said = found.setdefault(quad.subject.value, {})
            name = _SAID.get(quad.predicate.value)
            said |= {name: quad.object.value} if name else {}
    return {iri: said for iri, said in found.items() if "slug" in said}


def _subjects(snapshot: Snapshot, source: str) -> frozenset[str]:
    """What a source gives a class to."""
    quads = snapshot.store.quads_for_pattern(None, terms.RDF_TYPE, None, ox.NamedNode(source))
    return frozenset(quad.subject.value for quad in quads if isinstance(quad.subject, ox.NamedNode))
