"""
What the things of a graph are called, in every language, and which name is shown.

A label in another language than the one asked for, or in none, is shown where there is no better one, never dropped.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

import pyoxigraph as ox

from kg.iri import last_part
from kg.store import Row
from ontology import terms
from sparql.names import language_rank

Kind = Literal["label", "alternative label", "local name"]
DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a thing; ``language`` is its tag in lower case, "" where it has none."""

    text: str
    language: str = ""
    kind: Kind = "label"


@dataclass(frozen=True, slots=True)
class Names:
    """The labels and alternative labels of things, by IRI, sorted."""

    of: dict[str, tuple[Name, ...]] = field(default_factory=dict)

    def shown(self, iri: str, *, language: str = DEFAULT_LANGUAGE) -> Name:
        """
        The name to show: a label in ``language``, else in English, else untagged, else in any language; else an
        alternative label by the same order; else the last part of the IRI.
        """
        names = self.of.get(iri)
        if not names:
            return local_name(iri)
        if len(names) == 1:
            return names[0]
        asked = [language.lower()]
        return min(names, key=lambda name: (name.kind != "label", language_rank(name.language, asked), name.text))

    def label(self, iri: str) -> str:
        """The text of the name to show where no language was asked for."""
        return self.shown(iri).text


def read_names(rows: Iterable[Row]) -> Names:
    """The names in the rows of ``names.rq``; a name given twice is kept once."""
    found: dict[str, set[Name]] = {}
    for row in rows:
        named, name = row["named"], row["name"]
        if isinstance(named, ox.NamedNode) and isinstance(name, ox.Literal) and (text := " ".join(name.value.split())):
            kind: Kind = "alternative label" if row["property"] == terms.SKOS_ALT_LABEL else "label"
            found.setdefault(named.value, set()).add(Name(text, (name.language or "").lower(), kind))
    return Names({iri: tuple(sorted(names, key=_order)) for iri, names in found.items()})


def local_name(iri: str) -> Name:
    """
    The last part of an IRI, as a name.

    >>> local_name("http://example.org/id/%C3%89toile").text
    'Étoile'
    """
    return Name(unquote(last_part(iri)), kind="local name")


def _order(name: Name) -> tuple[str, str, str]:
    return name.kind, name.language, name.text
