"""Real clients ask a real server: SPARQLWrapper, rdflib, pandas, curl, and Oxigraph through SERVICE."""

import csv
import io
import json
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pandas
import pytest
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore
from rdflib.query import ResultRow
from SPARQLWrapper import CSV, GET, JSON, JSONLD, POST, POSTDIRECTLY, RDFXML, TURTLE, URLENCODED, XML, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed

from ontology import terms
from tests.web.endpoint.conftest import BEARER, TOKEN, Endpoint

pytestmark = [
    pytest.mark.server,
    # What SPARQLWrapper 2.0 and rdflib 7 do among themselves.
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning"),
]
TOPICS = f"SELECT ?topic ?label WHERE {{ ?topic a {terms.TOPIC_ENTITY} ; {terms.RDFS_LABEL} ?label }} ORDER BY ?label"
RATHIAN = "https://w3id.org/scoutfly/mhw/id/rathian"


def answered(wrapper: SPARQLWrapper) -> Any:
    """The answer as SPARQLWrapper reads it, which depends on the format."""
    return wrapper.queryAndConvert()


def client(endpoint: Endpoint, query: str, fmt: str, *, method: str = GET, direct: bool = False) -> SPARQLWrapper:
    wrapper = SPARQLWrapper(endpoint.query, updateEndpoint=endpoint.update)
    wrapper.setMethod(method)
    wrapper.setRequestMethod(POSTDIRECTLY if direct else URLENCODED)
    wrapper.setReturnFormat(fmt)
    wrapper.setQuery(query)
    return wrapper


@pytest.mark.parametrize(("method", "direct"), [(GET, False), (POST, False), (POST, True)])
class TestSparqlWrapper:
    def test_select(self, endpoint: Endpoint, method: str, direct: bool) -> None:
        found = answered(client(endpoint, TOPICS, JSON, method=method, direct=direct))
        labels = [row["label"]["value"] for row in found["results"]["bindings"]]
        assert "Rathian" in labels and labels == sorted(labels)
        document = answered(client(endpoint, TOPICS, XML, method=method, direct=direct))
        assert len(document.getElementsByTagName("result")) == len(labels)
        rows = answered(client(endpoint, TOPICS, CSV, method=method, direct=direct)).decode()
        assert [row[1] for row in csv.reader(io.StringIO(rows))][1:] == labels

    def test_ask(self, endpoint: Endpoint, method: str, direct: bool) -> None:
        for fmt in (JSON, XML):
            answer = client(endpoint, f"ASK {{ <{RATHIAN}> ?p ?o }}", fmt, method=method, direct=direct)
            found = answered(answer)
            assert (found["boolean"] if fmt == JSON else "true" in found.toxml()) is True

    @pytest.mark.filterwarnings("ignore:Sending Accept header:RuntimeWarning")  # of JSON for a graph, row B2
    @pytest.mark.parametrize("query", [f"DESCRIBE <{RATHIAN}>", f"CONSTRUCT WHERE {{ <{RATHIAN}> ?p ?o }}"])
    def test_graphs(self, endpoint: Endpoint, method: str, direct: bool, query: str) -> None:
        sizes = set()
        for fmt in (TURTLE, XML, RDFXML, JSONLD, JSON):
            found = answered(client(endpoint, query, fmt, method=method, direct=direct))
            graph = rdflib.Graph().parse(data=found, format="turtle") if isinstance(found, bytes) else found
            sizes.add(len(graph))
        assert len(sizes) == 1 and sizes.pop() > 5

    def test_a_mistake_is_told(self, endpoint: Endpoint, method: str, direct: bool) -> None:
        with pytest.raises(QueryBadFormed, match="line"):
            client(endpoint, "SELECT ?s WHERE { ?s ?p }", JSON, method=method, direct=direct).query()


@pytest.mark.parametrize("direct", [False, True])
def test_sparqlwrapper_updates(endpoint: Endpoint, direct: bool) -> None:
    graph = f"http://example.org/wrapper-{direct}"
    update = client(
        endpoint, f"INSERT DATA {{ GRAPH <{graph}> {{ <urn:a> <urn:b> 1 }} }}", JSON, method=POST, direct=direct
    )
    update.addCustomHttpHeader("Authorization", f"Bearer {TOKEN}")
    assert update.query().response.status == 204
    found = answered(client(endpoint, f"ASK {{ GRAPH <{graph}> {{ <urn:a> <urn:b> 1 }} }}", JSON))
    assert found["boolean"] is True


def test_rdflib_reads_and_writes(endpoint: Endpoint) -> None:
    graph = rdflib.Graph(SPARQLStore(endpoint.query))
    label = graph.value(rdflib.URIRef(RATHIAN), rdflib.RDFS.label)
    assert str(label) == "Rathian"
    assert bool(graph.query(f"ASK {{ <{RATHIAN}> ?p ?o }}"))
    assert "Rathian" in {str(row[1]) for row in graph.query(TOPICS) if isinstance(row, ResultRow)}
    assert len(graph.query(f"CONSTRUCT WHERE {{ <{RATHIAN}> ?p ?o }}").graph or ()) > 5
    store = SPARQLUpdateStore(endpoint.query, endpoint.update, headers=BEARER)
    written = rdflib.Graph(store, identifier=rdflib.URIRef("http://example.org/rdflib"))
    triple = rdflib.URIRef("urn:a"), rdflib.URIRef("urn:b"), rdflib.Literal("é")
    written.add(triple)
    assert list(written) == [triple]


def test_pandas_reads_a_table(endpoint: Endpoint) -> None:
    request = urllib.request.Request(f"{endpoint.query}?{urlencode({'query': TOPICS})}", headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        table = pandas.read_csv(answer)
    assert list(table.columns) == ["topic", "label"]
    assert RATHIAN in set(table["topic"])
    by_name = pandas.read_csv(f"{endpoint.query}?{urlencode({'query': TOPICS, 'format': 'csv'})}")
    assert by_name.equals(table)


def test_curl_needs_nothing_but_the_address(endpoint: Endpoint, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")

    def curl(*words: str) -> str:
        done = subprocess.run(["curl", "-sS", "-f", *words], capture_output=True, text=True, timeout=20, check=True)
        return done.stdout

    found = json.loads(curl(endpoint.query, "--data-urlencode", f"query={TOPICS}"))
    assert len(found["results"]["bindings"]) > 10
    assert curl(endpoint.query, "-G", "--data-urlencode", "query=ASK {}", "-H", "Accept: text/csv").strip() == "true"
    document = tmp_path / "a.ttl"
    document.write_text("<a> <b> <c> .")
    place = f"{endpoint.store}?graph=http://example.org/curl"
    bearer = ("-H", f"Authorization: Bearer {TOKEN}")
    curl("-T", str(document), "-H", "Content-Type: text/turtle", *bearer, place)
    assert "<http://example.org/b>" in curl(place, "-H", "Accept: application/n-triples")
    curl("-X", "DELETE", *bearer, place)


def test_oxigraph_asks_through_service(endpoint: Endpoint, tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("oxigraph")
    if not program.exists():
        pytest.skip("the oxigraph program is not installed (it comes with the dev extra)")
    query = f"SELECT ?label WHERE {{ SERVICE <{endpoint.query}> {{ <{RATHIAN}> {terms.RDFS_LABEL} ?label }} }}"
    place = str(tmp_path / "empty")
    (tmp_path / "nothing.nt").write_text("\n")
    load = [str(program), "load", "-l", place, "-f", str(tmp_path / "nothing.nt")]
    subprocess.run(load, capture_output=True, timeout=60, check=True)
    command = [str(program), "query", "-l", place, "-q", query, "--results-format", "csv"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.split(), done.returncode) == (["label", "Rathian"], 0), done.stderr
