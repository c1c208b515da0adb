"""Who among the pages of other sites may read the endpoint, on answers, on errors and on preflights."""

import pytest
from flask.testing import FlaskClient

from kg.home import Home
from tests.web.endpoint.conftest import PlainGuard, app_of
from web.site import WebSettings

ALLOWED, OTHER = "https://yasgui.example", "https://evil.example"
ORIGIN = "Access-Control-Allow-Origin"


@pytest.fixture
def shared(home: Home, guard: PlainGuard) -> FlaskClient:
    return app_of(home, guard, WebSettings(origins=(ALLOWED,), hosts=("localhost",))).test_client()


ADDRESSES = [
    ("GET", "/sparql?query=ASK%7B%7D", 200),
    ("POST", "/sparql?query=ASK%7B%7D", 415),
    ("GET", "/sparql?query=rubbish", 400),
    ("PUT", "/sparql", 405),
    ("GET", "/sparql", 200),
    ("GET", "/store?graph=http://example.org/none", 404),
    ("GET", "/.well-known/void", 200),
    ("GET", "/api/nothing", 404),
    ("GET", "/entity.ttl?iri=urn:none", 404),
    ("GET", "/ontology.ttl", 200),
    ("GET", "/download/graph.none", 404),
]


@pytest.mark.parametrize(("method", "place", "status"), ADDRESSES)
def test_an_allowed_site_reads_answers_and_errors(shared: FlaskClient, method: str, place: str, status: int) -> None:
    answer = shared.open(place, method=method, headers={"Origin": ALLOWED})
    assert answer.status_code == status
    assert answer.headers[ORIGIN] == ALLOWED
    assert "Origin" in answer.headers.get_all("Vary")[0] or "Origin" in ",".join(answer.headers.get_all("Vary"))
    assert "Retry-After" in answer.headers["Access-Control-Expose-Headers"]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize(("method", "place", "status"), [one for one in ADDRESSES if one[0] == "GET"])
def test_another_site_does_not_and_caches_keep_them_apart(
    shared: FlaskClient, method: str, place: str, status: int
) -> None:
    for headers in ({"Origin": OTHER}, {}):
        answer = shared.open(place, method=method, headers=headers)
        assert answer.status_code == status
        assert ORIGIN not in answer.headers
        assert "Origin" in ",".join(answer.headers.get_all("Vary"))


def test_a_preflight_says_what_may_be_sent(shared: FlaskClient) -> None:
    asked = {
        "Origin": ALLOWED,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, authorization",
        "Access-Control-Request-Private-Network": "true",
    }
    for place in ("/sparql", "/sparql/update", "/store", "/store/a"):
        answer = shared.options(place, headers=asked)
        assert answer.status_code in (200, 204)
        assert answer.headers[ORIGIN] == ALLOWED
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]
        assert {"content-type", "authorization"} <= {
            name.strip().lower() for name in answer.headers["Access-Control-Allow-Headers"].split(",")
        }
        assert answer.headers["Access-Control-Allow-Private-Network"] == "true"
        assert ORIGIN not in shared.options(place, headers=asked | {"Origin": OTHER}).headers


def test_a_query_by_post_is_taken_from_an_allowed_site_only(shared: FlaskClient) -> None:
    sent = {"data": "ASK {}", "content_type": "application/sparql-query"}
    browser = {"Sec-Fetch-Site": "cross-site"}
    assert shared.post("/sparql", headers={"Origin": ALLOWED, **browser}, **sent).status_code == 200
    assert shared.post("/sparql", headers={"Origin": OTHER, **browser}, **sent).status_code == 403


def test_everybody_may_where_that_was_said(home: Home, guard: PlainGuard) -> None:
    client = app_of(home, guard, WebSettings(origins=("*",))).test_client()
    answer = client.get("/sparql?query=ASK%7B%7D", headers={"Origin": OTHER})
    assert answer.headers[ORIGIN] == "*"


def test_nobody_may_by_default_and_pages_are_never_shared(client: FlaskClient, shared: FlaskClient) -> None:
    for place in ("/sparql?query=ASK%7B%7D", "/sparql"):
        answer = client.get(place, headers={"Origin": ALLOWED})
        assert ORIGIN not in answer.headers
        assert "Origin" not in ",".join(answer.headers.get_all("Vary"))
    assert ORIGIN not in shared.get("/ask", headers={"Origin": ALLOWED}).headers
