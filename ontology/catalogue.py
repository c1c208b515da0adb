"""The relations that a graph may use: base relations, and their subproperties under one condition.

A catalogue is read from the triples of an ontology (and of what earlier imports minted), answers "which relation is
this label under this condition?", and mints what is missing. It stores nothing: whoever mints writes the triples and
reports them. It knows no domain; ``mhw.ttl`` is one set of relations among others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import pyoxigraph as ox

from ontology import terms
from ontology.errors import UnknownRelation
from ontology.files import bundled_quads
from ontology.naming import checksum, is_name, local_name, tidy

_OBJECT_PROPERTY = terms.term("owl:ObjectProperty")
_NAMED_INDIVIDUAL = terms.term("owl:NamedIndividual")


@dataclass(frozen=True, slots=True)
class Relation:
    """A base relation (``base`` is its own IRI, no condition), or its subproperty under one condition."""

    iri: ox.NamedNode
    label: str
    base: ox.NamedNode
    base_label: str
    condition: ox.NamedNode | None = None
    condition_label: str | None = None


@dataclass(frozen=True, slots=True)
class Minted:
    """The relation asked for, and what had to be declared for it: nothing where the catalogue held it already.

    ``new`` lists the relations that came into being (a new base before its conditioned form), ``triples`` declare
    them and their condition.
    """

    relation: Relation
    new: tuple[Relation, ...] = ()
    triples: tuple[ox.Triple, ...] = ()


class Catalogue:
    """Relations by IRI, and by (base label, condition label) whatever the letter case, spacing and final stop.

    Where one label is borne by several relations, the one of the earliest namespace of :meth:`within` is found,
    else the one with the smallest IRI: labels are a way in, IRIs are the identity.
    """

    def __init__(self, relations: Iterable[Relation] = ()) -> None:
        self._relations: dict[ox.NamedNode, Relation] = {}
        self._bases: dict[str, ox.NamedNode] = {}
        self._forms: dict[tuple[ox.NamedNode, str], Relation] = {}
        self._conditions: dict[str, ox.NamedNode] = {}
        for relation in relations:
            self._add(relation)

    @classmethod
    def from_quads(cls, quads: Iterable[ox.Quad | ox.Triple]) -> "Catalogue":
        """The catalogue that the triples of ``quads`` declare, whatever their graphs."""
        return cls(sorted(_declared(quads), key=lambda relation: relation.iri.value))

    @classmethod
    def bundled(cls) -> "Catalogue":
        """The 158 relations of ``mhw.ttl``."""
        return cls.from_quads(bundled_quads())

    def __iter__(self) -> Iterator[Relation]:
        return iter(self._relations.values())

    def __len__(self) -> int:
        return len(self._relations)

    def within(self, *namespaces: str) -> "Catalogue":
        """A new catalogue of the relations whose IRI starts with one of ``namespaces``, earlier ones first.

        A data set of its own that happens to say "cause" must not be given another domain's relation.
        """
        return Catalogue(r for namespace in namespaces for r in self if r.iri.value.startswith(namespace))

    def get(self, iri: ox.NamedNode) -> Relation | None:
        """The relation with that IRI."""
        return self._relations.get(iri)

    def find(self, base: str | ox.NamedNode, condition: str | None = None) -> Relation | None:
        """The relation of a base (its label or IRI) under a condition (its label); None where there is none yet."""
        iri = base if isinstance(base, ox.NamedNode) else self._bases.get(_key(base))
        return None if iri is None else self._forms.get((iri, _key(condition)))

    def mint(
        self, base: str | ox.NamedNode, condition: str | None = None, *, namespace: str, label: str | None = None
    ) -> Minted:
        """The relation of a base under a condition, declared in ``namespace`` where it is new.

        ``base`` is a label, or the IRI that the source itself gives (then ``label`` names it, by default its last
        part). The catalogue knows the new relation from then on. Raises UnknownRelation where the label is blank.
        """
        found = self.find(base, condition)
        if found is not None:
            return Minted(found)
        base_relation, triples = self._mint_base(base, namespace, label)
        new = [base_relation] if triples else []
        relation = base_relation
        if condition and tidy(condition):
            relation, more = self._mint_conditioned(base_relation, tidy(condition), namespace)
            new, triples = [*new, relation], [*triples, *more]
        for one in new:
            self._add(one)
        return Minted(relation, tuple(new), tuple(triples))

    def _mint_base(
        self, base: str | ox.NamedNode, namespace: str, label: str | None
    ) -> tuple[Relation, list[ox.Triple]]:
        name = tidy(label or (base if isinstance(base, str) else _last_part(base)))
        if not name:
            raise UnknownRelation("a relation without a label: name it in the source")
        iri = base if isinstance(base, ox.NamedNode) else ox.NamedNode(namespace + local_name(name))
        found = self.find(base) or self.find(iri)
        if found is not None:
            return found, []
        comment = f"The relation that its source calls “{name}”."
        return Relation(iri, name, iri, name), [
            *_described(iri, _OBJECT_PROPERTY, name, comment),
            ox.Triple(iri, terms.RDFS_SUBPROPERTY_OF, terms.RELATED_TO),
            ox.Triple(iri, terms.term("rdfs:domain"), terms.ENTITY),
            ox.Triple(iri, terms.term("rdfs:range"), terms.ENTITY),
            ox.Triple(iri, terms.BASE_RELATION, iri),
        ]

    def _mint_conditioned(self, base: Relation, label: str, namespace: str) -> tuple[Relation, list[ox.Triple]]:
        known = self._conditions.get(_key(label))
        node = known or ox.NamedNode(namespace + local_name(label))
        declared = [] if known else _condition_triples(node, label)
        iri = self._free_iri(f"{namespace}{_name_of(base.iri)}-{local_name(label)}", base)
        relation = Relation(iri, conditioned_label(base.label, label), base.iri, base.label, node, label)
        comment = f"“{base.label}”, where this condition holds: {label}"
        return relation, [
            *declared,
            *_described(iri, _OBJECT_PROPERTY, relation.label, comment),
            ox.Triple(iri, terms.RDFS_SUBPROPERTY_OF, base.iri),
            ox.Triple(iri, terms.BASE_RELATION, base.iri),
            ox.Triple(iri, terms.CONDITION, node),
        ]

    def _free_iri(self, iri: str, base: Relation) -> ox.NamedNode:
        """``iri``, with a checksum of the base where two bases of one name, from two vocabularies, would share it."""
        node = ox.NamedNode(iri)
        return ox.NamedNode(f"{iri}-{checksum(base.iri.value)}") if node in self._relations else node

    def _add(self, relation: Relation) -> None:
        self._relations.setdefault(relation.iri, relation)
        self._bases.setdefault(_key(relation.base_label), relation.base)
        self._forms.setdefault((relation.base, _key(relation.condition_label)), relation)
        if relation.condition is not None:
            self._conditions.setdefault(_key(relation.condition_label), relation.condition)


def conditioned_label(base_label: str, condition_label: str) -> str:
    """The label of a relation under a condition.

    >>> conditioned_label("has attack action of", "is angry")
    'has attack action of (condition: is angry)'
    """
    return f"{base_label} (condition: {condition_label})"


def _key(label: str | None) -> str:
    """What the labels of one thing share: the name that an IRI would get, whatever the letter case; "" for none."""
    return local_name(label).casefold() if label and tidy(label) else ""


def _last_part(iri: ox.NamedNode) -> str:
    return unquote(iri.value.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1])


def _name_of(iri: ox.NamedNode) -> str:
    """The last part of an IRI where it can stand in the name of a predicate, else a name made from it."""
    part = _last_part(iri)
    return part if is_name(part) else local_name(part)


def _described(node: ox.NamedNode, kind: ox.NamedNode, label: str, comment: str) -> list[ox.Triple]:
    return [
        ox.Triple(node, terms.RDF_TYPE, kind),
        ox.Triple(node, terms.RDFS_LABEL, ox.Literal(label)),
        ox.Triple(node, terms.RDFS_COMMENT, ox.Literal(comment)),
    ]


def _condition_triples(node: ox.NamedNode, label: str) -> list[ox.Triple]:
    comment = f"The condition that its source states as “{label}”."
    return [
        *_described(node, _NAMED_INDIVIDUAL, label, comment),
        ox.Triple(node, terms.RDF_TYPE, terms.CONDITION_CLASS),
    ]


def _declared(quads: Iterable[ox.Quad | ox.Triple]) -> Iterator[Relation]:
    """The relations among some triples; one without a label goes by the last part of its IRI."""
    labels: dict[object, str] = {}
    bases: dict[ox.NamedNode, ox.NamedNode] = {}
    conditions: dict[ox.NamedNode, ox.NamedNode] = {}
    for quad in quads:
        subject, value = quad.subject, quad.object
        if quad.predicate == terms.RDFS_LABEL and isinstance(value, ox.Literal):
            labels.setdefault(subject, value.value)
        elif isinstance(subject, ox.NamedNode) and isinstance(value, ox.NamedNode):
            if quad.predicate == terms.BASE_RELATION:
                bases[subject] = value
            elif quad.predicate == terms.CONDITION:
                conditions[subject] = value
    for iri, base in bases.items():
        condition = conditions.get(iri)
        yield Relation(
            iri,
            labels.get(iri, _last_part(iri)),
            base,
            labels.get(base, _last_part(base)),
            condition,
            None if condition is None else labels.get(condition, _last_part(condition)),
        )
