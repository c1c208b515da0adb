"""What resources are called, and which of several names is shown.

The order: the languages asked for, English, no language, whatever there is, the end of the IRI (the chain of
NatLibFi/Skosmos#1934). Knows nothing of pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import pyoxigraph as ox

from kg.iri import last_part
from kg.store import Store
from ontology import terms
from sparql.template import bind

LABELS = (terms.RDFS_LABEL, terms.term("skos:prefLabel"), terms.term("schema:name"), terms.term("dcterms:title"))
"""The properties whose values are names, best first."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name; ``language`` is "" where it has none, None where the name is but the end of the IRI."""

    text: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Named:
    """``stated`` are the names with the property that gives them, best property first; ``types`` sorted by IRI."""

    stated: tuple[tuple[ox.NamedNode, ox.Literal], ...] = ()
    types: tuple[ox.NamedNode, ...] = ()

    @property
    def labels(self) -> tuple[ox.Literal, ...]:
        """The names alone."""
        return tuple(label for _, label in self.stated)


def names(store: Store, iris: Iterable[ox.NamedNode]) -> dict[ox.NamedNode, Named]:
    """What the given resources are called; those of which nothing is known are absent. Raises StoreError."""
    wanted = sorted(set(iris), key=lambda iri: iri.value)
    if not wanted:
        return {}
    said: dict[ox.NamedNode, dict[object, dict[object, None]]] = {}
    for row in store.select(bind("called", resources=wanted)):
        resource = row["resource"]
        if isinstance(resource, ox.NamedNode):
            said.setdefault(resource, {}).setdefault(row["property"], {})[row["value"]] = None
    return {iri: _named(values) for iri, values in said.items()}


def _named(values: Mapping[object, Iterable[object]]) -> Named:
    stated = [(prop, value) for prop in LABELS for value in values.get(prop, ()) if isinstance(value, ox.Literal)]
    types = [value for value in values.get(terms.RDF_TYPE, ()) if isinstance(value, ox.NamedNode)]
    return Named(tuple(stated), tuple(sorted(types, key=lambda iri: iri.value)))


def preferred(iri: ox.NamedNode, labels: Sequence[ox.Literal], languages: Sequence[str] = ()) -> Name:
    """
    The name to show to one who reads ``languages``, the best first.

    >>> words = [ox.Literal("chair", language="en"), ox.Literal("Stuhl", language="de"), ox.Literal("silla")]
    >>> node = ox.NamedNode("http://example.org/ch%C3%A2ir")
    >>> preferred(node, words, ["de-AT", "fr"]).text, preferred(node, words, ["fr"]).text, preferred(node, []).text
    ('Stuhl', 'chair', 'châir')
    """
    if not labels:
        return Name(unquote(last_part(iri.value)), None)
    asked = [language.lower() for language in languages if language != "*"]
    best = min(labels, key=lambda label: (language_rank(label.language or "", asked), label.value == ""))
    return Name(best.value, best.language or "")


def language_rank(language: str, asked: Sequence[str]) -> tuple[int, int, str]:
    """
    How far a name's language is from the ``asked`` ones, which are in lower case; smaller is better.

    The language itself decides last, so that the order of the rows does not.
    """
    primary = language.lower().partition("-")[0]
    for place, wish in enumerate(asked):
        if language and (language.lower() == wish or primary == wish.partition("-")[0]):
            return place, int(language.lower() != wish), language
    return len(asked) + {"en": 0, "": 1}.get(primary, 2), 0, language
