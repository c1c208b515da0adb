"""The vocabulary of a graph: its relations with their bases and conditions, its classes, how each is explained."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import pyoxigraph as ox

from kg.store import Row, Term
from ontology import terms
from web.browse.names import Names
from web.browse.words import fold

CLASS = terms.term("owl:Class").value
RELATION = terms.term("owl:ObjectProperty").value
CONDITION = terms.CONDITION_CLASS.value
_CLASSES = {CLASS, terms.term("rdfs:Class").value}
_OWN = (terms.SF_NS, *(terms.PREFIXES[prefix] for prefix in ("rdf", "rdfs", "owl", "prov", "void", "dcat")))


@dataclass(frozen=True, slots=True)
class RelationTerm:
    """A relation as the catalogue has it; ``base`` is its own IRI where it is a base relation."""

    iri: str
    base: str
    condition: str = ""
    domains: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()

    @property
    def is_base(self) -> bool:
        """Whether it stands under no condition."""
        return self.base == self.iri


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """
    ``relations`` are sorted by the label of their base, each base before what is conditioned under it.

    ``number`` is the place of each in that order. ``parents`` are the direct superclasses of a class, ``comments`` one
    text a term. ``classes`` and ``conditions`` are those declared.
    """

    names: Names
    relations: tuple[RelationTerm, ...] = ()
    number: Mapping[str, int] = field(default_factory=dict)
    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """The IRIs of all of it, each once: classes, relations, conditions."""
        return tuple(dict.fromkeys((*self.classes, *(each.iri for each in self.relations), *self.conditions)))

    def label(self, iri: str) -> str:
        """What a term is called."""
        return self.names.label(iri)

    def above(self, iri: str) -> set[str]:
        """The class and all above it; circles end."""
        found, ahead = {iri}, [iri]
        while ahead:
            new = set(self.parents.get(ahead.pop(), ())) - found
            found |= new
            ahead += new
        return found

    def relation(self, iri: str) -> RelationTerm | None:
        """The relation with this IRI."""
        place = self.number.get(iri)
        return None if place is None else self.relations[place]

    def kind(self, iri: str) -> str:
        """What kind of term it is, in words."""
        relation = self.relation(iri)
        if relation:
            return "Relation" if relation.is_base else "Conditioned relation"
        return "Condition" if iri in self.conditions else "Class"

    def kind_iri(self, iri: str) -> str:
        """What kind of term it is, as a class."""
        return {"Condition": CONDITION, "Class": CLASS}.get(self.kind(iri), RELATION)

    def with_declared(self, types: Mapping[str, Collection[str]]) -> "Vocabulary":
        """
        With the classes and conditions that are declared by type, and the conditions that only a relation names.

        Our own classes and those of the schema languages are left out.
        """
        classes = {iri for iri, said in types.items() if _CLASSES & set(said) and not iri.startswith(_OWN)}
        conditions = {iri for iri, said in types.items() if CONDITION in said}
        conditions.update(relation.condition for relation in self.relations if relation.condition)
        return replace(self, classes=self._sorted(classes), conditions=self._sorted(conditions))

    def _sorted(self, iris: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(iris, key=lambda iri: (fold(self.label(iri)), iri)))


def read_vocabulary(
    relation_rows: Iterable[Row], parent_rows: Iterable[Row], comment_rows: Iterable[Row], names: Names
) -> Vocabulary:
    """The vocabulary in the rows of ``relation_terms``, ``class_parents`` and ``vocabulary_comments``."""
    said: dict[str, dict[Term, set[str]]] = {}
    for row in relation_rows:
        relation, value = row["relation"], row["value"]
        if isinstance(relation, ox.NamedNode) and isinstance(value, ox.NamedNode):
            said.setdefault(relation.value, {}).setdefault(row["property"], set()).add(value.value)
    relations = sorted((_relation(iri, values) for iri, values in said.items()), key=lambda each: _order(each, names))
    parents: dict[str, set[str]] = {}
    for row in parent_rows:
        child, parent = row["class"], row["parent"]
        if isinstance(child, ox.NamedNode) and isinstance(parent, ox.NamedNode):
            parents.setdefault(child.value, set()).add(parent.value)
    return Vocabulary(
        names=names,
        relations=tuple(relations),
        number={relation.iri: place for place, relation in enumerate(relations)},
        parents={iri: tuple(sorted(above)) for iri, above in parents.items()},
        comments=_comments(comment_rows),
    )


def _relation(iri: str, said: Mapping[Term, set[str]]) -> RelationTerm:
    bases = said.get(terms.BASE_RELATION, {iri})
    return RelationTerm(
        iri=iri,
        base=iri if iri in bases else min(bases),
        condition=min(said.get(terms.CONDITION, ()), default=""),
        domains=tuple(sorted(said.get(terms.term("rdfs:domain"), ()))),
        ranges=tuple(sorted(said.get(terms.term("rdfs:range"), ()))),
    )


def _order(relation: RelationTerm, names: Names) -> tuple[str, str, bool, str, str]:
    label = fold(names.label(relation.condition)) if relation.condition else ""
    return fold(names.label(relation.base)), relation.base, not relation.is_base, label, relation.iri


def _comments(rows: Iterable[Row]) -> dict[str, str]:
    """One comment a term: English first, then untagged, then what there is."""
    best: dict[str, tuple[int, str]] = {}
    for row in rows:
        term, text = row["term"], row["text"]
        if isinstance(term, ox.NamedNode) and isinstance(text, ox.Literal):
            rank = {"en": 0, "": 1}.get((text.language or "").split("-")[0], 2)
            best[term.value] = min(best.get(term.value, (9, "")), (rank, text.value))
    return {iri: text for iri, (_, text) in best.items()}
