"""The words of the graph, for completion: prefixes, classes and relations, with labels and how often each is used."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.iri import last_part
from kg.store import Row, Store
from ontology import terms
from sparql.graph import describe
from sparql.template import bind
from web.site import View


@dataclass(frozen=True, slots=True)
class ClassWord:
    """A class; ``count`` is how many individuals the graph says it has."""

    iri: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class RelationWord:
    """A property; ``count`` is how many triples have it. ``base`` and ``condition`` (in words) of a relation."""

    iri: str
    label: str
    count: int
    base: str | None = None
    condition: str | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """Most used first."""

    prefixes: dict[str, str] = field(default_factory=dict)
    classes: tuple[ClassWord, ...] = ()
    relations: tuple[RelationWord, ...] = ()


def words_of(view: View) -> Words:
    """The words of the graph at one generation; for ``view.once``. Raises kg.errors.StoreError."""
    return read_words(view.engine.store)


def read_words(store: Store) -> Words:
    """The words of the graph in ``store``. Raises kg.errors.StoreError."""
    classes, relations = _by_term(store.select(bind("classes"))), _by_term(store.select(bind("relations")))
    labels = {iri: entity.label for iri, entity in describe(store, {*classes, *relations}).items()}

    def label(iri: ox.NamedNode) -> str:
        return labels.get(iri) or last_part(iri.value)

    return Words(
        prefixes=dict(terms.PREFIXES),
        classes=tuple(
            sorted((ClassWord(iri.value, label(iri), _count(rows)) for iri, rows in classes.items()), key=_rank)
        ),
        relations=tuple(
            sorted(
                (
                    RelationWord(
                        iri.value,
                        label(iri),
                        _count(rows),
                        base=_first(rows, "base"),
                        condition=_first(rows, "condition"),
                    )
                    for iri, rows in relations.items()
                ),
                key=_rank,
            )
        ),
    )


def _rank(word: ClassWord | RelationWord) -> tuple[int, str]:
    return -word.count, word.iri


def _by_term(rows: Iterable[Row]) -> dict[ox.NamedNode, list[Row]]:
    found: dict[ox.NamedNode, list[Row]] = {}
    for row in rows:
        term = row["term"]
        if isinstance(term, ox.NamedNode):
            found.setdefault(term, []).append(row)
    return found


def _count(rows: Iterable[Row]) -> int:
    counts = (row["count"] for row in rows if "count" in row)
    return sum(int(count.value) for count in counts if isinstance(count, ox.Literal))


def _first(rows: Iterable[Row], name: str) -> str | None:
    """The first of several values in the order of their texts, so that it is the same each time."""
    values = (row[name] for row in rows if name in row)
    return min((value.value for value in values if not isinstance(value, ox.Triple)), default=None)
