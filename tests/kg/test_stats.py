"""Counts of a small graph, the same in memory, on disk and at an endpoint."""

from pathlib import Path

import pytest

from kg.home import Home
from kg.importing import import_path
from kg.remote import RemoteStore
from kg.stats import Stats, stats
from ontology.terms import MHW_NS, PREFIXES, SF_NS

EX = "http://example.org/"
PREFIX = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items()) + f"@prefix ex: <{EX}> .\n"
GRAPH = (
    PREFIX
    + """
ex:a a mhw:Monster, sf:TopicEntity ; rdfs:label "A" ; sf:context "one", "two" ; mhw:hasAttackActionOf ex:b, ex:c ;
  sf:hasCaption ex:caption ; sf:hasMedia ex:image .
ex:b a mhw:AttackAction ; mhw:hasAttackActionOf-isAngry ex:c ; ex:own ex:a .
ex:c a sf:Entity .
ex:caption a sf:GeneratedCaption ; sf:text "t" .
ex:image a sf:Image . ex:frame a sf:Keyframe . ex:video a sf:Video .
ex:fact a sf:Fact, rdf:Statement ; rdf:subject ex:a ; rdf:predicate mhw:hasAttackActionOf ; rdf:object ex:b .
[] a mhw:Monster .
"""
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    path = tmp_path / "g.ttl"
    path.write_text(GRAPH)
    import_path(home, path)
    return home


def test_counts(home: Home) -> None:
    counted = stats(home.reader())
    assert counted.entities == 3
    assert counted.topic_entities == 1
    assert counted.entities_by_class == {MHW_NS + "Monster": 2, MHW_NS + "AttackAction": 1, SF_NS + "Entity": 1}
    assert (counted.base_relations, counted.base_relations_used) == (17, 2)
    assert (counted.conditioned_relations, counted.conditioned_relations_used) == (142, 1)
    assert counted.edges == 4
    assert (counted.facts, counted.captions, counted.contexts) == (1, 1, 2)
    assert counted.media == {SF_NS + "Image": 1, SF_NS + "Video": 1, SF_NS + "Keyframe": 1}
    assert counted.triples == len(home.reader())


def test_the_counts_are_the_same_on_disk_and_whatever_is_inferred(home: Home) -> None:
    from kg.infer import infer

    before = stats(home.reader())
    assert infer(home) > 0
    assert stats(home.reader()) == before
    assert stats(home.reader(in_memory_quads=0)) == before


def test_what_two_sources_state_is_counted_once(home: Home, tmp_path: Path) -> None:
    before = stats(home.reader(in_memory_quads=0))
    import_path(home, tmp_path / "g.ttl", name="again")
    after = stats(home.reader(in_memory_quads=0))
    assert after == stats(home.reader())
    assert (after.edges, after.contexts) == (before.edges, before.contexts)


@pytest.mark.server
def test_the_counts_are_the_same_at_an_endpoint(home: Home, request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("oxigraph_server")
    with home.snapshot() as snapshot:
        server.fill(snapshot.asserted_quads())
    assert stats(RemoteStore(server.query_url)) == stats(home.reader())


def test_the_text_shows_every_count(home: Home) -> None:
    counted = stats(home.reader())
    text = counted.as_text()
    assert isinstance(counted, Stats)
    for name in ("triples", "entities", "Monster", "base relations", "facts", "captions", "Keyframe"):
        assert name in text
    assert counted.as_json()["edges"] == 4


def test_an_empty_graph_counts_as_nothing(tmp_path: Path) -> None:
    counted = stats(Home(tmp_path / "none").reader())
    assert counted.triples == counted.entities == counted.edges == 0
    assert counted.media == {}
