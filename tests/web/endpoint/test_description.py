"""What the endpoint says of itself and of the graph."""

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from kg.bundled import ensure_bundled
from kg.home import Home
from ontology import terms
from tests.web.endpoint.conftest import BEARER, EX, GRAPH, PlainGuard, app_of
from web.endpoint.description import SD
from web.site import WebSettings

FORMATS = "http://www.w3.org/ns/formats/"
Triples = set[tuple[str, str, str]]


def read(answer) -> Triples:  # type: ignore[no-untyped-def]
    syntax = ox.RdfFormat.from_media_type(answer.mimetype)
    return {
        tuple(getattr(term, "value", "") for term in quad.triple)  # type: ignore[misc]
        for quad in ox.parse(answer.data, format=syntax)
    }


def objects(triples: Triples, predicate: str) -> set[str]:
    return {value for _, one, value in triples if one == predicate}


@pytest.mark.parametrize(
    "accept", [None, "text/turtle", "application/rdf+xml", "application/ld+json", "application/n-triples"]
)
def test_the_service_describes_itself_in_what_is_asked_for(client: FlaskClient, accept: str | None) -> None:
    answer = client.get("/sparql", headers={} if accept is None else {"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (200, accept or "text/turtle")
    said = read(answer)
    assert objects(said, SD + "endpoint") == {"http://localhost/sparql"}
    assert {SD + "SPARQL11Query", SD + "SPARQL11Update"} == objects(said, SD + "supportedLanguage")
    assert SD + "UnionDefaultGraph" in objects(said, SD + "feature")
    assert {FORMATS + "SPARQL_Results_JSON", FORMATS + "Turtle", FORMATS + "JSON-LD"} <= objects(
        said, SD + "resultFormat"
    )
    assert objects(said, SD + "name") == {GRAPH.value}
    assert "3" in objects(said, "http://rdfs.org/ns/void#triples")


def test_the_limits_are_said(home: Home, guard: PlainGuard) -> None:
    from sparql.guard.limits import Limits

    limits = Limits(seconds=7, memory_bytes=123 << 20, answer_bytes=45 << 20, query_bytes=67 << 10)
    said = app_of(home, guard, WebSettings(limits=limits)).test_client().get("/sparql").text
    for words in ("7 seconds", "123 MiB", "45 MiB", "67 KiB", "LIMIT and OFFSET", "SERVICE and LOAD are refused"):
        assert words in said


def test_what_is_off_is_not_promised(home: Home, guard: PlainGuard) -> None:
    said = read(app_of(home, guard, WebSettings(union_default_graph=False)).test_client().get("/sparql"))
    assert objects(said, SD + "supportedLanguage") == {SD + "SPARQL11Query"}
    assert SD + "UnionDefaultGraph" not in objects(said, SD + "feature")


def test_people_are_sent_to_the_editor(client: FlaskClient) -> None:
    answer = client.get("/sparql", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/query")
    assert client.get("/sparql", headers={"Accept": "image/png"}).status_code == 406


def test_a_graph_made_since_is_described(client: FlaskClient) -> None:
    assert len(objects(read(client.get("/sparql")), SD + "name")) == 1
    client.put(f"/store?graph={EX}more", data="<a> <b> <c> .", content_type="text/turtle", headers=BEARER)
    assert EX + "more" in objects(read(client.get("/sparql")), SD + "name")


def test_a_server_under_a_prefix_says_so(client: FlaskClient) -> None:
    said = read(client.get("/sparql", environ_overrides={"SCRIPT_NAME": "/graph"}, base_url="https://kg.example"))
    assert objects(said, SD + "endpoint") == {"https://kg.example/graph/sparql"}


@pytest.mark.parametrize("accept", [None, "application/ld+json", "text/html", "image/png"])
def test_the_graph_is_described_for_catalogues(client: FlaskClient, accept: str | None) -> None:
    answer = client.get("/.well-known/void", headers={} if accept is None else {"Accept": accept})
    assert answer.status_code == 200
    said = read(answer)
    dataset = "http://localhost/.well-known/void#dataset"
    assert (dataset, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://rdfs.org/ns/void#Dataset") in said
    assert objects(said, "http://rdfs.org/ns/void#triples") == {"4"}
    assert objects(said, "http://rdfs.org/ns/void#sparqlEndpoint") == {"http://localhost/sparql"}


@pytest.fixture
def home_client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """What asks a server of the bundled graph."""
    bundled = Home(tmp_path_factory.mktemp("described") / "home")
    ensure_bundled(bundled)
    return app_of(bundled, PlainGuard(bundled), WebSettings()).test_client()


def test_the_description_says_what_the_pages_say(home_client: FlaskClient) -> None:
    """Title, creator, licence and description of the bundled graph, and files that are the graph."""
    said = read(home_client.get("/.well-known/void"))
    dct, void = "http://purl.org/dc/terms/", "http://rdfs.org/ns/void#"
    for subject in ("http://localhost/.well-known/void#dataset", terms.source_graph("bundled-mhw").value):
        own = {(one, value) for about, one, value in said if about == subject}
        assert [value for one, value in own if one == f"{dct}title"] == ["Monster Hunter: World attack graph"]
        assert (f"{dct}creator", "The Scoutfly authors") in own
        assert (f"{dct}license", "https://creativecommons.org/licenses/by/4.0/") in own
        assert [value for one, value in own if one == f"{dct}description" and value]
        dumps = [value for one, value in own if one == f"{void}dataDump"]
        assert dumps and all(home_client.get(f"{dump}.sha256").status_code == 200 for dump in dumps)


def test_a_large_graph_is_described_without_counts(home_client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.endpoint.description._COUNTED_QUADS", 0)
    said = read(home_client.get("/.well-known/void"))
    own = {one.rpartition("/")[2]: value for about, one, value in said if about.endswith("void#dataset")}
    assert own["title"] == "Monster Hunter: World attack graph"
    assert own["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert not [one for one in own if one.endswith("#triples")]
