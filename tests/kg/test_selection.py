"""What part of a home an export holds."""

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ExportFailed
from kg.home import Home
from kg.importing import import_path
from kg.selection import everything, of_class, of_sources
from ontology import terms

GRAPH = """
@prefix ex: <http://example.org/> . @prefix sf: <https://w3id.org/scoutfly/ns#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
ex:Small rdfs:subClassOf ex:Machine .
ex:a a ex:Machine ; rdfs:label "A" ; sf:hasCaption ex:caption ; sf:hasMedia ex:picture ; ex:partOf ex:bar ;
  ex:size [ ex:width 3 ] .
ex:b a ex:Small ; rdfs:label "B" .
ex:bar a ex:Place ; rdfs:label "Bar" ; ex:open "always" .
ex:caption sf:text "It shines." .
ex:picture a sf:Image ; schema:contentUrl "a.png" .
ex:fact a sf:Fact, rdf:Statement ; rdf:subject ex:a ; rdf:predicate ex:partOf ; rdf:object ex:bar ;
  sf:conditionText "on Sundays" ; sf:evidence ex:film .
ex:film a sf:Video ; schema:contentUrl "f.mp4" .
ex:other a ex:Place ; rdfs:label "Other" .
"""


def iri(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"http://example.org/{name}")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Two sources, of which one is the graph above."""
    (tmp_path / "cafe.ttl").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "second.ttl").write_text("<http://example.org/x> <http://example.org/likes> <http://example.org/a> .")
    found = Home(tmp_path / "home")
    import_path(found, tmp_path / "cafe.ttl")
    import_path(found, tmp_path / "second.ttl")
    return found


def test_a_class_comes_with_what_belongs_to_it_and_nothing_else(home: Home) -> None:
    with home.snapshot() as snapshot:
        quads = of_class(snapshot, iri("Machine"))
    said = {quad.subject for quad in quads}
    for name in ("a", "b", "caption", "picture", "fact", "film"):
        assert iri(name) in said, name
    assert iri("other") not in said
    assert {quad.predicate for quad in quads if quad.subject == iri("bar")} == {terms.RDF_TYPE, terms.RDFS_LABEL}
    assert any(isinstance(quad.subject, ox.BlankNode) and quad.predicate == iri("width") for quad in quads)
    relation = {quad.predicate for quad in quads if quad.subject == iri("partOf")}
    assert terms.BASE_RELATION in relation
    assert len(quads) == len(set(quads))


def test_a_class_that_nothing_has(home: Home) -> None:
    with home.snapshot() as snapshot, pytest.raises(ExportFailed, match="no entity of the class"):
        of_class(snapshot, iri("Nothing"))


def test_a_source_is_its_own_triples_and_relations(home: Home) -> None:
    with home.snapshot() as snapshot:
        quads = of_sources(snapshot, ["second"])
        assert len(everything(snapshot)) > len(quads)
    assert iri("x") in {quad.subject for quad in quads}
    assert iri("likes") in {quad.subject for quad in quads}
    assert iri("partOf") not in {quad.subject for quad in quads}


def test_a_source_that_is_not_there(home: Home) -> None:
    with home.snapshot() as snapshot, pytest.raises(ExportFailed, match="'third'"):
        of_sources(snapshot, ["third"])


def test_a_trial_reports_and_changes_nothing(home: Home, tmp_path: Path) -> None:
    before = home.current()
    (tmp_path / "third.ttl").write_text("<http://example.org/y> <http://example.org/new> <http://example.org/a> .")
    report = import_path(home, tmp_path / "third.ttl", dry_run=True)
    assert (report.triples, report.new_relations) == (1, ["http://example.org/new"])
    assert home.current() == before
    with home.snapshot() as snapshot, pytest.raises(ExportFailed):
        of_sources(snapshot, ["third"])
    with home.write():
        pass
    assert home.current() != before
