"""Counts what a graph holds, in the words of the design: entities, relations, edges, facts, media, captions.

Counts what is asserted, by SPARQL, so that it works on any store.
"""

from dataclasses import asdict, dataclass

import pyoxigraph as ox

from kg.iri import last_part
from kg.store import Store, Term
from ontology import terms

_MEDIA = (terms.IMAGE, terms.VIDEO, terms.AUDIO, terms.KEYFRAME)
# Namespaces whose classes say what a resource is to the graph, not what kind of entity it is.
_SCHEMA = tuple(terms.PREFIXES[prefix] for prefix in ("rdf", "rdfs", "owl", "void", "dcat", "prov", "sf"))


@dataclass(frozen=True, slots=True)
class Stats:
    """The counts of one graph. Keys of ``entities_by_class`` and ``media`` are IRIs of classes."""

    triples: int
    entities: int
    topic_entities: int
    entities_by_class: dict[str, int]
    base_relations: int
    base_relations_used: int
    conditioned_relations: int
    conditioned_relations_used: int
    edges: int
    facts: int
    contexts: int
    captions: int
    media: dict[str, int]
    vocabulary: int | None = None
    """How many of the triples stand in the ontology and catalogue graphs; None where nobody counted them."""

    def as_json(self) -> dict[str, object]:
        """The counts as plain JSON values."""
        return asdict(self)

    def as_text(self) -> str:
        """The counts for a terminal, one a line."""
        rows = [("triples", self.triples)]
        rows += [("  vocabulary", self.vocabulary)] if self.vocabulary is not None else []
        rows += [("entities", self.entities), ("topic entities", self.topic_entities)]
        rows += [(f"  {last_part(iri)}", count) for iri, count in self.entities_by_class.items()]
        rows += [
            ("base relations", self.base_relations),
            ("  used", self.base_relations_used),
            ("conditioned relations", self.conditioned_relations),
            ("  used", self.conditioned_relations_used),
            ("edges", self.edges),
            ("facts", self.facts),
            ("contexts", self.contexts),
            ("captions", self.captions),
            ("media items", sum(self.media.values())),
        ]
        rows += [(f"  {last_part(iri)}", count) for iri, count in self.media.items()]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name.ljust(width)}  {count:>9}" for name, count in rows)


def stats(store: Store, *, vocabulary: int | None = None) -> Stats:
    """The counts of ``store``, which sees its graphs as one, so ``vocabulary`` is counted apart.

    Raises kg.errors.StoreError.
    """
    by_class = _by_class(store)
    base = f"?r {terms.BASE_RELATION} ?r"
    conditioned = f"?r {terms.BASE_RELATION} ?base . ?r {terms.CONDITION} ?c"
    used = "FILTER EXISTS { ?s ?r ?o }"
    classes = {iri: count for iri, count in by_class.items() if is_entity_class(iri)}
    return Stats(
        triples=_count(store, "?s ?p ?o"),
        entities=_count(store, f"?e a ?class . {_entity_filter()}", "DISTINCT ?e"),
        topic_entities=by_class.get(terms.TOPIC_ENTITY.value, 0),
        entities_by_class=classes,
        base_relations=_count(store, base, "DISTINCT ?r"),
        base_relations_used=_count(store, f"{base} . {used}", "DISTINCT ?r"),
        conditioned_relations=_count(store, conditioned, "DISTINCT ?r"),
        conditioned_relations_used=_count(store, f"{conditioned} . {used}", "DISTINCT ?r"),
        edges=_count(store, f"?r {terms.BASE_RELATION} ?base . ?s ?r ?o"),
        facts=by_class.get(terms.FACT.value, 0),
        contexts=_count(store, f"?e {terms.CONTEXT} ?text"),
        captions=_count(store, f"?e {terms.HAS_CAPTION} ?caption", "DISTINCT ?caption"),
        media={kind.value: by_class[kind.value] for kind in _MEDIA if kind.value in by_class},
        vocabulary=vocabulary,
    )


def vocabulary_size(store: ox.Store) -> int:
    """How many triples the ontology graph and the catalogue graph of ``store`` hold together."""
    graphs = (terms.ONTOLOGY_GRAPH, terms.CATALOGUE_GRAPH)
    return len({quad.triple for graph in graphs for quad in store.quads_for_pattern(None, None, None, graph)})


def _by_class(store: Store) -> dict[str, int]:
    rows = store.select("SELECT ?class (COUNT(DISTINCT ?e) AS ?n) WHERE { ?e a ?class } GROUP BY ?class")
    counts = [(row["class"], _number(row["n"])) for row in rows]
    named = {kind.value: count for kind, count in counts if isinstance(kind, ox.NamedNode)}
    return dict(sorted(named.items(), key=lambda item: (-item[1], item[0])))


def is_entity_class(iri: str) -> bool:
    """Whether a class says what kind of entity something is, not what a resource is to the graph."""
    return iri == terms.ENTITY.value or not iri.startswith(_SCHEMA)


def _entity_filter() -> str:
    excluded = " && ".join(f'!STRSTARTS(STR(?class), "{namespace}")' for namespace in _SCHEMA)
    own = f"?class IN ({terms.ENTITY}, {terms.TOPIC_ENTITY})"
    return f"FILTER(isIRI(?e) && ({own} || ({excluded})))"


def _count(store: Store, pattern: str, what: str = "DISTINCT *") -> int:
    # Distinct, because a store that sees graphs as one finds a triple in each graph that states it.
    return _number(store.select(f"SELECT (COUNT({what}) AS ?n) WHERE {{ {pattern} }}")[0]["n"])


def _number(term: Term) -> int:
    return int(term.value) if isinstance(term, ox.Literal) else 0
