"""The bundled graph, written in every format with its description, reads back as it is in both libraries."""

import io
import warnings
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.compare import to_canonical_graph

from kg.bundled import ensure_bundled
from kg.exporting import FORMATS, Format, export
from kg.home import Home
from kg.metadata import DATASET, METADATA_GRAPH, describe
from ontology import terms

RDFLIB = {"ntriples": "nt", "rdfxml": "xml", "jsonld": "json-ld"}


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> list[ox.Quad]:
    home = Home(tmp_path_factory.mktemp("home"))
    ensure_bundled(home)
    with home.snapshot() as snapshot:
        quads = list(snapshot.asserted_quads())
        records = snapshot.store.quads_for_pattern(None, None, None, terms.SOURCES_GRAPH)
        sources = [quad for quad in records if quad.subject != terms.ONTOLOGY_GRAPH]
    said = describe(quads, sources=sources)
    return [*quads, *(ox.Quad(t.subject, t.predicate, t.object, METADATA_GRAPH) for t in said)]


def written(quads: list[ox.Quad], fmt: Format) -> bytes:
    buffer = io.BytesIO()
    export(quads, fmt, buffer)
    return buffer.getvalue()


def canonical(data: bytes, name: str) -> frozenset[object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = rdflib.Dataset()
        dataset.parse(data=data, format=name)
        merged = rdflib.Graph()
        for subject, predicate, value, _ in dataset.quads((None, None, None, None)):
            merged.add((subject, predicate, value))
    return frozenset(to_canonical_graph(merged))


@pytest.fixture(scope="module")
def wanted(bundled: list[ox.Quad]) -> frozenset[object]:
    return canonical(written(bundled, FORMATS["ntriples"]), "nt")


@pytest.mark.parametrize("fmt", [pytest.param(one, id=one.name) for one in FORMATS.values()])
def test_reads_back_the_same(bundled: list[ox.Quad], wanted: frozenset[object], fmt: Format) -> None:
    data = written(bundled, fmt)
    flat = [
        ox.Dataset(ox.Quad(q.subject, q.predicate, q.object) for q in quads)
        for quads in (bundled, ox.parse(data, fmt.syntax))
    ]
    for dataset in flat:
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert flat[0] == flat[1]
    assert len(wanted) == len(flat[0])
    assert canonical(data, RDFLIB.get(fmt.name, fmt.name)) == wanted


def test_the_description_states_title_licence_and_counts(bundled: list[ox.Quad]) -> None:
    said = {quad.predicate: quad.object for quad in bundled if quad.subject == DATASET}
    assert said[terms.term("dcterms:license")] == ox.NamedNode("https://creativecommons.org/licenses/by/4.0/")
    assert isinstance(said[terms.term("dcterms:title")], ox.Literal)
    rest = {quad.triple for quad in bundled if quad.graph_name != METADATA_GRAPH}
    assert said[terms.term("void:triples")] == ox.Literal(len(rest))
    assert said[terms.term("void:properties")] == ox.Literal(len({triple.predicate for triple in rest}))
    types = {triple.object for triple in rest if triple.predicate == terms.RDF_TYPE}
    assert said[terms.term("void:classes")] == ox.Literal(len(types))
    assert ox.NamedNode(terms.MHW_NS + "Monster") in types


def test_no_date_and_no_path_is_in_it(bundled: list[ox.Quad]) -> None:
    data = written(bundled, FORMATS["nquads"])
    assert str(Path(__file__).parents[2]).encode() not in data
    assert b"XMLSchema#dateTime" not in data
