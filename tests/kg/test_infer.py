"""What follows: each rule, their chains, and the graph in which it stands."""

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.home import Home
from kg.importing import import_path
from kg.infer import closure, infer
from ontology.terms import INFERRED_GRAPH, MHW_NS

PREFIXES = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
"""


def triples(text: str) -> set[ox.Triple]:
    return {quad.triple for quad in ox.parse(PREFIXES + text, ox.RdfFormat.TURTLE)}


@pytest.mark.parametrize(
    ("asserted", "follows"),
    [
        (":p rdfs:subPropertyOf :q . :a :p :b .", ":a :q :b ."),
        (":p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r .", ":p rdfs:subPropertyOf :r ."),
        (":C rdfs:subClassOf :D . :a a :C .", ":a a :D ."),
        (":C rdfs:subClassOf :D . :D rdfs:subClassOf :E .", ":C rdfs:subClassOf :E ."),
        (":p rdfs:domain :C . :a :p 1 .", ":a a :C ."),
        (":p rdfs:range :C . :a :p :b, 1 .", ":b a :C ."),
        (":p owl:inverseOf :q . :a :p :b . :c :q :d .", ":b :q :a . :d :p :c ."),
        (":p a owl:SymmetricProperty . :a :p :b, 1 .", ":b :p :a ."),
        (":p rdfs:domain [ owl:unionOf ( :C :D ) ] . :a :p :b .", ""),
        (":p rdfs:subPropertyOf :p . :C rdfs:subClassOf :C . :a a :C .", ""),
        (":a :p :b .", ""),
        (
            ":p rdfs:subPropertyOf :q . :q owl:inverseOf :r . :r rdfs:range :C . :C rdfs:subClassOf :D . :a :p :b .",
            ":a :q :b . :b :r :a . :a a :C, :D .",
        ),
        (":p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :p . :a :p :b .", ":a :q :b ."),
    ],
)
def test_rules(asserted: str, follows: str) -> None:
    quads = [ox.Quad(triple.subject, triple.predicate, triple.object) for triple in triples(asserted)]
    assert closure(quads) == triples(follows)


def test_a_long_chain_ends() -> None:
    chain = " ".join(f":C{number} rdfs:subClassOf :C{number + 1} ." for number in range(60))
    found = closure(ox.Quad(t.subject, t.predicate, t.object) for t in triples(f"{chain} :a a :C0 ."))
    assert triples(":a a :C60 .") <= found


def test_what_follows_stands_in_its_own_graph_until_the_next_import(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    path = tmp_path / "g.ttl"
    path.write_text(f"<http://example.org/a> <{MHW_NS}hasAttackActionOf-isAngry> <http://example.org/b> .")
    import_path(home, path)
    held = len(home.reader())
    count = infer(home)
    assert infer(home) == count
    assert len(home.reader()) == held
    with home.snapshot() as snapshot:
        inferred = {quad.triple for quad in snapshot.store.quads_for_pattern(None, None, None, INFERRED_GRAPH)}
    assert len(inferred) == count
    a, b = (ox.NamedNode(f"http://example.org/{name}") for name in "ab")
    assert ox.Triple(a, ox.NamedNode(MHW_NS + "hasAttackActionOf"), b) in inferred
    import_path(home, path)
    with home.snapshot() as snapshot:
        assert not snapshot.store.contains_named_graph(INFERRED_GRAPH)
