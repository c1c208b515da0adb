"""The graph as a walk sees it: entities, relations and edges, read by one generated query a round.

Knows the vocabulary of ``ontology`` and nothing of any domain. Rows of the queries are grouped here, so that the
queries need no GROUP BY and an entity with many captions and many media costs the sum of them, not the product.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pyoxigraph as ox

from kg.store import Row, Store, Term
from ontology import terms
from ontology.catalogue import Relation
from sparql.template import bind

_OF_A_RELATION = ("base", "relationLabel", "baseLabel", "condition", "conditionLabel")
_RANK = {"en": 0, "": 1}
"""Languages of labels and descriptions, best first; all others come after."""
_DESCRIPTIONS = (terms.RDFS_COMMENT, terms.term("skos:definition"), terms.term("schema:description"))
"""How graphs made elsewhere say what ``sf:context`` says."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Text that says what an entity looks or sounds like; ``model`` is None where no model is named as its writer."""

    text: str
    model: str | None = None
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph with what is known of it, apart from its edges.

    ``contexts`` are its ``sf:context``, or where it has none, its comments, definitions and descriptions.
    """

    iri: ox.NamedNode
    label: str
    alt_labels: tuple[str, ...] = ()
    types: tuple[ox.NamedNode, ...] = ()
    contexts: tuple[str, ...] = ()
    captions: tuple[Caption, ...] = ()
    media: tuple[ox.NamedNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """What the graph says of one triple: its condition in free text, other information, evidence, source."""

    iri: Term
    condition_texts: tuple[str, ...] = ()
    information: tuple[str, ...] = ()
    evidence: tuple[ox.NamedNode, ...] = ()
    sources: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One triple between two entities, with its facts.

    Parallel edges stay apart.
    """

    head: ox.NamedNode
    relation: Relation
    tail: Entity
    facts: tuple[Fact, ...] = ()

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions to show: free text where there is any, else the label of the relation's condition."""
        texts = tuple(text for fact in self.facts for text in fact.condition_texts)
        return texts or ((self.relation.condition_label,) if self.relation.condition_label else ())


def neighbourhood_query(frontier: Iterable[ox.NamedNode]) -> str:
    """The SPARQL text that :func:`neighbourhood` sends."""
    return bind("neighbourhood", frontier=frontier)


def neighbourhood(store: Store, frontier: Sequence[ox.NamedNode]) -> dict[ox.NamedNode, list[Edge]]:
    """The outgoing edges of every entity of ``frontier``, by one query.

    Edges are sorted by the tail's label, then relation IRI, then tail IRI, so that two runs offer the same list. An
    entity without edges has an empty list. Raises kg.errors.StoreError.
    """
    edges: dict[ox.NamedNode, list[Edge]] = {entity: [] for entity in frontier}
    if not edges:
        return edges
    edge_rows, fact_rows, entity_rows = _by_branch(store.select(neighbourhood_query(edges)))
    described, facts, relations = _describe(entity_rows), _facts(fact_rows), read_relations(edge_rows)
    seen: set[tuple[Term, Term, Term]] = set()
    for row in edge_rows:
        head, tail, relation = row["entity"], row["described"], relations.get(row["relation"])
        if relation is None or not isinstance(head, ox.NamedNode) or not isinstance(tail, ox.NamedNode):
            continue
        key = (head, relation.iri, tail)
        if key in seen:
            continue
        seen.add(key)
        entity = described.get(tail) or Entity(tail, _local_name(tail))
        edges[head].append(Edge(head, relation, entity, tuple(facts.get(key, ()))))
    for offered in edges.values():
        offered.sort(key=lambda edge: (edge.tail.label, edge.relation.iri.value, edge.tail.iri.value))
    return edges


def topic_entities(store: Store) -> list[Entity]:
    """The entities that may root a walk, sorted by label.

    Raises kg.errors.StoreError.
    """
    return sorted(_describe(store.select(bind("topic_entities"))).values(), key=lambda e: (e.label, e.iri.value))


def all_entities(store: Store) -> list[Entity]:
    """Every entity that stands at an end of a relation, sorted by IRI.

    Raises kg.errors.StoreError.
    """
    found = _describe(store.select(bind("all_entities")))
    return sorted(found.values(), key=lambda entity: entity.iri.value)


def vocabulary_names(store: Store) -> dict[ox.NamedNode, tuple[str, ...]]:
    """What each base relation and each class of entities is called, sorted. Raises kg.errors.StoreError."""
    names: dict[ox.NamedNode, set[str]] = {}
    for row in store.select(bind("vocabulary_names")):
        if isinstance(row["term"], ox.NamedNode):
            names.setdefault(row["term"], set()).add(_text(row["name"]))
    return {term: tuple(sorted(called)) for term, called in names.items()}


def entities_by_name(store: Store, name: str) -> list[Entity]:
    """The entities that bear ``name`` as a label or are its IRI, sorted by IRI.

    Raises kg.errors.StoreError.
    """
    rows = store.select(bind("entities_by_name", names=[ox.Literal(name.strip().lower())]))
    found = describe(store, [row["described"] for row in rows if isinstance(row["described"], ox.NamedNode)])
    iri = _as_iri(name)
    if iri is not None:
        found |= describe(store, [iri])
        if not found and neighbourhood(store, [iri])[iri]:  # nothing is said of it, and yet it leads somewhere
            found = {iri: Entity(iri, _local_name(iri))}
    return [found[iri] for iri in sorted(found, key=lambda node: node.value)]


def describe(store: Store, iris: Iterable[ox.NamedNode]) -> dict[ox.NamedNode, Entity]:
    """What is known of the given entities; those of which nothing is known are absent.

    Raises kg.errors.StoreError.
    """
    return _describe(store.select(bind("description", entities=iris)))


def _as_iri(name: str) -> ox.NamedNode | None:
    try:
        return ox.NamedNode(name.strip())
    except ValueError:
        return None


def _by_branch(rows: Iterable[Row]) -> tuple[list[Row], list[Row], list[Row]]:
    """The rows of the neighbourhood query by the branch that gave them: edges, facts, entities."""
    edge_rows: list[Row] = []
    fact_rows: list[Row] = []
    entity_rows: list[Row] = []
    for row in rows:
        branch = edge_rows if "base" in row else fact_rows if "fact" in row else entity_rows
        branch.append(row)
    return edge_rows, fact_rows, entity_rows


def read_relations(rows: Iterable[Row]) -> dict[Term, Relation]:
    """The relations of rows of edges, by their IRIs.

    One with labels in several languages has a row for each: which comes first must not decide.
    """
    said: dict[Term, set[tuple[Term | None, ...]]] = {}
    for row in rows:
        said.setdefault(row["relation"], set()).add(tuple(map(row.get, _OF_A_RELATION)))
    relations = (_relation(iri, frozenset(values)) for iri, values in said.items())
    return {relation.iri: relation for relation in relations if relation}


@lru_cache(maxsize=4096)
def _relation(iri: Term, said: frozenset[tuple[Term | None, ...]]) -> Relation | None:
    """The relation of which the rows say this; a graph has few, and every round meets them again."""
    bases, labels, base_labels, conditions, condition_labels = (
        [value for value in values if value is not None] for values in zip(*said, strict=True)
    )
    base, condition = (next(iter(_nodes(values)), None) for values in (bases, conditions))
    if base is None or not isinstance(iri, ox.NamedNode):
        return None
    return Relation(
        iri=iri,
        label=_best_label(labels) or _local_name(iri),
        base=base,
        base_label=_best_label(base_labels) or _local_name(base),
        condition=condition,
        condition_label=(_best_label(condition_labels) or _local_name(condition)) if condition else None,
    )


def _facts(rows: Iterable[Row]) -> dict[tuple[Term, Term, Term], list[Fact]]:
    values: dict[tuple[Term, Term, Term, Term], dict[Term, list[Term]]] = {}
    for row in rows:
        key = (row["entity"], row["relation"], row["described"], row["fact"])
        values.setdefault(key, {}).setdefault(row["property"], []).append(row["value"])
    facts: dict[tuple[Term, Term, Term], list[Fact]] = {}
    for (head, relation, tail, iri), said in sorted(values.items(), key=lambda item: str(item[0][3])):
        fact = Fact(
            iri=iri,
            condition_texts=_texts(said.get(terms.CONDITION_TEXT, ())),
            information=_texts(said.get(terms.INFORMATION, ())),
            evidence=_nodes(said.get(terms.EVIDENCE, ())),
            sources=tuple(said.get(terms.DCTERMS_SOURCE, ())),
        )
        facts.setdefault((head, relation, tail), []).append(fact)
    return facts


def _describe(rows: Iterable[Row]) -> dict[ox.NamedNode, Entity]:
    said: dict[ox.NamedNode, dict[Term, list[Term]]] = {}
    captions: dict[ox.NamedNode, set[Caption]] = {}
    for row in rows:
        iri = row.get("described")
        if not isinstance(iri, ox.NamedNode) or "property" not in row:
            continue
        named, value = row["property"], row["value"]
        if named == terms.HAS_CAPTION:
            model, setting = row.get("model"), row.get("setting")
            caption = Caption(_text(value), _text(model) if model else None, _text(setting) if setting else None)
            captions.setdefault(iri, set()).add(caption)
        said.setdefault(iri, {}).setdefault(named, []).append(value)
    return {iri: _entity(iri, values, captions.get(iri, ())) for iri, values in said.items()}


def _entity(iri: ox.NamedNode, said: dict[Term, list[Term]], captions: Iterable[Caption]) -> Entity:
    return Entity(
        iri=iri,
        label=_best_label(said.get(terms.RDFS_LABEL, ())) or _local_name(iri),
        alt_labels=_texts(said.get(terms.SKOS_ALT_LABEL, ())),
        types=_nodes(said.get(terms.RDF_TYPE, ())),
        contexts=_texts(said.get(terms.CONTEXT, ())) or _descriptions(said),
        captions=tuple(sorted(captions, key=lambda c: (c.model or "", c.text))),
        media=_nodes(said.get(terms.HAS_MEDIA, ())),
    )


def _best_label(labels: Iterable[Term]) -> str:
    """English first, then untagged, then whatever there is; ties by alphabet."""
    literals = [label for label in labels if isinstance(label, ox.Literal)]
    if len(literals) > 1:
        literals.sort(key=lambda label: (_rank(label), label.value))
    return literals[0].value if literals else ""


def _descriptions(said: dict[Term, list[Term]]) -> tuple[str, ...]:
    """The descriptions in the best language that there is; a dump may hold one in each of a dozen."""
    literals = [text for prop in _DESCRIPTIONS for text in said.get(prop, ()) if isinstance(text, ox.Literal)]
    best = min(map(_rank, literals), default=0)
    return _texts([text for text in literals if _rank(text) == best])


def _rank(literal: ox.Literal) -> int:
    return _RANK.get((literal.language or "").split("-")[0], 2)


def _local_name(iri: ox.NamedNode) -> str:
    return iri.value.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]


def _text(term: Term) -> str:
    return term.value if isinstance(term, (ox.Literal, ox.NamedNode, ox.BlankNode)) else str(term)


def _texts(values: Iterable[Term]) -> tuple[str, ...]:
    return tuple(sorted({_text(value) for value in values})) if values else ()


def _nodes(values: Iterable[Term]) -> tuple[ox.NamedNode, ...]:
    nodes = {value for value in values if isinstance(value, ox.NamedNode)} if values else ()
    return tuple(sorted(nodes, key=lambda node: node.value)) if len(nodes) > 1 else tuple(nodes)
