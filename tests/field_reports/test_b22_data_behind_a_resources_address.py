"""B22: the address of a resource gave HTML whatever the client accepted.

Turtle, JSON-LD, N-Triples and RDF/XML come by Accept and by suffix from the same address, every answer names the other
forms, and a form that cannot be had is refused.
"""

from pathlib import Path

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from ontology import terms
from tests.web.entity.conftest import BASE, imported, triples_of

WANTED = ox.Triple(ox.NamedNode(BASE + "tea"), terms.RDFS_LABEL, ox.Literal("Tea", language="en"))
TYPES = {
    ".ttl": "text/turtle",
    ".jsonld": "application/ld+json",
    ".nt": "application/n-triples",
    ".rdf": "application/rdf+xml",
}


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return imported(tmp_path, {"cafe": '<tea> rdfs:label "Tea"@en .'}).test_client()


@pytest.mark.parametrize(("suffix", "media_type"), TYPES.items())
def test_data_for_who_accepts_data(client: FlaskClient, suffix: str, media_type: str) -> None:
    by_accept = client.get("/id/cafe/tea", headers={"Accept": media_type})
    by_suffix = client.get(f"/id/cafe/tea{suffix}")
    assert by_accept.data == by_suffix.data
    for response in (by_accept, by_suffix):
        assert (response.status_code, response.mimetype) == (200, media_type)
        assert WANTED in triples_of(response.data, media_type)
        assert "Accept" in response.headers["Vary"]
        assert response.headers["Content-Location"] == f"/id/cafe/tea{suffix}"


def test_the_page_names_the_data(client: FlaskClient) -> None:
    response = client.get("/id/cafe/tea", headers={"Accept": "text/html"})
    page = response.get_data(as_text=True)
    for suffix, media_type in TYPES.items():
        assert f'<{"/id/cafe/tea"}{suffix}>; rel="alternate"; type="{media_type}"' in response.headers["Link"]
        assert f'<link rel="alternate" type="{media_type}" href="/id/cafe/tea{suffix}">' in page


def test_no_other_form(client: FlaskClient) -> None:
    assert client.get("/id/cafe/tea", headers={"Accept": "image/png"}).status_code == 406
