"""Works out what follows from what is asserted, into a graph of its own.

Subproperty, subclass, domain, range, inverse and symmetric closure by SPARQL, round after round until nothing is new:
a part of RDFS and OWL 2 RL (rules rdfs2, 3, 5, 7, 9, 11; prp-inv1, prp-inv2, prp-symp of
https://www.w3.org/TR/owl2-profiles/#Reasoning_in_OWL_2_RL_and_RDF_Graphs_using_Rules). It checks no consistency.
"""

from collections.abc import Iterable

import pyoxigraph as ox

from kg.home import Home
from kg.importer import Progress
from kg.importing import silent
from ontology import terms

_NEW = ox.NamedNode("urn:scoutfly:new")
_MOST_ROUNDS = 50

# Each rule: what follows, and from what.
_RULES = (
    ("?s ?super ?o", "?p rdfs:subPropertyOf ?super . ?s ?p ?o FILTER(isIRI(?super) && ?super != ?p)"),
    ("?s a ?super", "?class rdfs:subClassOf ?super . ?s a ?class FILTER(isIRI(?super) && ?super != ?class)"),
    ("?a rdfs:subPropertyOf ?c", "?a rdfs:subPropertyOf ?b . ?b rdfs:subPropertyOf ?c FILTER(?a != ?c)"),
    ("?a rdfs:subClassOf ?c", "?a rdfs:subClassOf ?b . ?b rdfs:subClassOf ?c FILTER(?a != ?c && isIRI(?c))"),
    ("?s a ?class", "?p rdfs:domain ?class . ?s ?p ?o FILTER(isIRI(?class))"),
    ("?o a ?class", "?p rdfs:range ?class . ?s ?p ?o FILTER(isIRI(?class) && !isLiteral(?o))"),
    ("?o ?q ?s", "?p owl:inverseOf ?q . ?s ?p ?o FILTER(isIRI(?q) && !isLiteral(?o))"),
    ("?o ?p ?s", "?p owl:inverseOf ?q . ?s ?q ?o FILTER(isIRI(?p) && !isLiteral(?o))"),
    ("?o ?p ?s", "?p a owl:SymmetricProperty . ?s ?p ?o FILTER(!isLiteral(?o))"),
)
_PREFIXES = "\n".join(f"PREFIX {prefix}: <{terms.PREFIXES[prefix]}>" for prefix in ("rdf", "rdfs", "owl"))


def infer(home: Home, *, progress: Progress = silent) -> int:
    """Publish a generation whose inferred graph is the closure of the asserted ones; returns its number of triples.

    Raises StoreError.
    """
    with home.snapshot() as snapshot:
        asserted = list(snapshot.asserted_quads())
    progress(f"working out what follows from {len({quad.triple for quad in asserted})} triples")
    inferred = closure(asserted)
    with home.write() as draft:
        draft.remove_graphs([terms.INFERRED_GRAPH])
        draft.add(ox.Quad(triple.subject, triple.predicate, triple.object, terms.INFERRED_GRAPH) for triple in inferred)
    return len(inferred)


def closure(asserted: Iterable[ox.Quad]) -> set[ox.Triple]:
    """The triples that follow from ``asserted``, whatever their graphs, and that are not among them."""
    store = ox.Store()
    store.bulk_extend(ox.Quad(quad.subject, quad.predicate, quad.object) for quad in asserted)
    inferred: set[ox.Triple] = set()
    for _ in range(_MOST_ROUNDS):
        for conclusion, premise in _RULES:
            store.update(
                f"{_PREFIXES}\nINSERT {{ GRAPH {_NEW} {{ {conclusion} }} }} "
                f"WHERE {{ {premise} FILTER NOT EXISTS {{ {conclusion} }} }}"
            )
        new = [quad.triple for quad in store.quads_for_pattern(None, None, None, _NEW)]
        if not new:
            break
        inferred.update(new)
        store.extend(ox.Quad(*triple) for triple in new)
        store.remove_graph(_NEW)
    return inferred
