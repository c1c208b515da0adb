"""What the sources of a graph say of themselves: title, description, licence, who made them, when, which version."""

from dataclasses import dataclass

import pyoxigraph as ox

from kg.store import Store, Term
from ontology import terms
from sparql.template import bind


@dataclass(frozen=True, slots=True)
class SourceDescription:
    """One source; a text that it does not give is empty, ``licence`` is an IRI or a text."""

    iri: ox.NamedNode
    title: str = ""
    description: str = ""
    licence: str = ""
    creator: str = ""
    issued: str = ""
    version: str = ""


_FIELDS: dict[Term, str] = {
    terms.term("dcterms:title"): "title",
    terms.term("dcterms:description"): "description",
    terms.term("dcterms:license"): "licence",
    terms.term("dcterms:creator"): "creator",
    terms.term("dcterms:issued"): "issued",
    terms.term("owl:versionInfo"): "version",
}


def sources(store: Store) -> list[SourceDescription]:
    """
    The sources that describe themselves, sorted by title.

    Raises kg.errors.StoreError.
    """
    said: dict[ox.NamedNode, dict[str, str]] = {}
    for row in sorted(store.select(bind("sources")), key=lambda row: str(row["value"]), reverse=True):
        source, value = row["source"], row["value"]
        if isinstance(source, ox.NamedNode) and isinstance(value, (ox.NamedNode, ox.Literal)):
            said.setdefault(source, {})[_FIELDS[row["property"]]] = value.value
    found = [SourceDescription(source, **texts) for source, texts in said.items()]
    return sorted(found, key=lambda source: (source.title, source.iri.value))
