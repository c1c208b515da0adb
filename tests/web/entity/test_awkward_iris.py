"""IRIs that browsers, servers and frameworks like to change arrive whole: from a link to the page, and on to the data.

Rows A1, A2, A4, A7 and A10 of the field reports, seen from the web: what was minted is not touched again.
"""

import http.client
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pyoxigraph as ox
import pytest
from flask import Flask

from ontology import terms
from tests.conftest import free_port, wait_for_port
from tests.web.entity.conftest import BASE, triples_of
from web.entity.negotiation import FORMS

PARTS = [
    "a#b", "#", "a%20b", "a%2Fb", "a%2fb", "%", "%25", "100%", "%C3%A9", "é", "e\u0301", "竜/火", "😀", "a?b=c&d", "?",
    "a&b", "a;b", "a+b", "a=b", "a'b", "a(b)", "a*b", "a!b", "a$b", "a,b", "a@b", "a:b", "a~b", "..", "../b", "a/../b",
    "a/..", ".", "a/./b", "./a", "//", "/a", "//a", "a//b", "a/", "a//", "a.", "a..", "a/.", ".a", "a.ttl", "a.TTL",
    "a.html", "a.jsonld", ".ttl", "a.ttl/b", "a.ttl#b", "a.ttl?b", "a%2Ettl", "%2e%2e/b", "a%00b", "a%0Ab", "a%22b",
    "a%3Cb", "a%5Cb", "http://other.example/x", "id/cafe/a", "a\u200bb", "a\u00a0b", "\u202eb", "con", "a" * 3000,
    "é" * 700, "/".join("ab" * 300), "favicon.ico", "static/scoutfly.css", "edges", "media", "__proto__", "a--b",
    "a.ttl.ttl", "a%252Fb", "%E0%A4", "a[b]", "[::1]",
]  # fmt: skip
FOREIGN = [
    "urn:isbn:42", "http://example.org/id", BASE, "mailto:a@b.example", "javascript:alert(1)", "data:text/html,x",
    "http://example.com/a#b?c%20d", "HTTP://EXAMPLE.ORG/id/a", "tag:x,2020:a/b", "x:é", "file:///etc/passwd",
    "http://例え.jp/竜#火", "urn:a:" + "é" * 2000,
]  # fmt: skip


def _iris() -> list[str]:
    found = []
    for text in [*(BASE + part for part in PARTS), *FOREIGN]:
        try:
            found.append(ox.NamedNode(text).value)
        except ValueError:
            continue
    return found


IRIS = _iris()


def _graph() -> str:
    label = terms.RDFS_LABEL
    lines = [f"{ox.Triple(ox.NamedNode(iri), label, ox.Literal(f'number {n}'))} ." for n, iri in enumerate(IRIS)]
    hub = ox.NamedNode("http://example.org/hub")
    lines += [
        f"{ox.Triple(hub, ox.NamedNode(f'http://example.org/ns#p{n}'), ox.NamedNode(iri))} ."
        for n, iri in enumerate(IRIS)
    ]
    return "\n".join(lines)


def test_most_of_the_list_are_iris() -> None:
    assert len(IRIS) > 80


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app({"cafe": _graph()})


def _links(page: str) -> set[str]:
    return {unescape(address) for address in re.findall(r'href="([^"]*)"', page)}


def test_from_link_to_page_to_data(app: Flask) -> None:
    client = app.test_client()
    hub = client.get("/entity?iri=http%3A%2F%2Fexample.org%2Fhub").get_data(as_text=True)
    links, addresses = _links(hub), _addresses(app)
    for number, iri in enumerate(IRIS):
        address = addresses(iri)
        assert address in links, iri
        page = client.get(address)
        assert page.status_code == 200, (iri, address, page.headers.get("Location"))
        assert f"number {number}<" in page.get_data(as_text=True), iri
        alternates = re.findall(r'<([^>]*)>; rel="alternate"; type="([^"]*)"', page.headers["Link"])
        assert len(alternates) == len(FORMS) - 1
        for data_address, media_type in alternates:
            data = client.get(data_address)
            assert (data.status_code, data.mimetype) == (200, media_type), (iri, data_address)
            wanted = ox.Triple(ox.NamedNode(iri), terms.RDFS_LABEL, ox.Literal(f"number {number}"))
            assert wanted in triples_of(data.data, media_type), (iri, data_address)
        assert client.get(address, headers={"Accept": "text/turtle"}).data == client.get(alternates[0][0]).data


def test_the_page_of_a_foreign_iri_is_asked_for_by_its_name(app: Flask) -> None:
    client = app.test_client()
    for iri in IRIS:
        response = client.get("/entity", query_string={"iri": iri}, follow_redirects=True)
        assert response.status_code == 200, iri
        assert iri in unescape(response.get_data(as_text=True))


OPENED = {
    "films/Ridley%20Scott": ("films/Ridley%20Scott", "films/Ridley Scott"),
    "john-%22x%22-doe": ("john-%22x%22-doe",),
    "Alien%20%28film%29": ("Alien%20%28film%29",),
    "Leonidas-%28é%29": ("Leonidas-%28é%29", "Leonidas-%28%C3%A9%29"),
    "caf%C3%A9": ("caf%C3%A9", "café"),
    "a%2Fb": ("a%2Fb",),
    "100%25": ("100%25",),
}
"""The ends of IRIs, and what a program may ask for that has only the IRI."""


def test_an_iri_opens_at_its_own_address(make_app: Callable[..., Flask]) -> None:
    label = terms.RDFS_LABEL
    lines = [f"{ox.Triple(ox.NamedNode(BASE + part), label, ox.Literal(f'<{part}>'))} ." for part in OPENED]
    client = make_app({"cafe": "\n".join(lines)}).test_client()
    for part, addresses in OPENED.items():
        for address in addresses:
            for suffix in ("", ".nt"):
                accept = {"Accept": "application/n-triples"}
                response = client.get(f"/id/cafe/{address}{suffix}", headers=accept, follow_redirects=True)
                assert response.status_code == 200, (part, address)
                wanted = ox.Triple(ox.NamedNode(BASE + part), label, ox.Literal(f"<{part}>"))
                assert wanted in triples_of(response.data, "application/n-triples"), (part, address)
    assert client.get("/id/cafe/No%20One").status_code == 404


def _addresses(app: Flask) -> Callable[[str], str]:
    page_of: Callable[[str], str] = app.jinja_env.globals["page_of"]  # type: ignore[assignment]

    def address(iri: str) -> str:
        with app.test_request_context("/"):
            return page_of(iri)

    return address


SERVE = """
import functools, sys
from pathlib import Path
from kg.home import Home
from tests.web.entity.conftest import app_over
from web.serving import serve
home = Path(sys.argv[2])
serve(lambda _: app_over(Home(home), home.parent), "127.0.0.1", int(sys.argv[1]), functools.partial(print, flush=True))
"""


@pytest.fixture
def port(app: Flask, tmp_path: Path) -> Iterator[int]:
    """The port of a real server of the same home."""
    del app
    number = free_port()
    command = [sys.executable, "-c", SERVE, str(number), str(tmp_path / "home")]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_port(number, process, timeout_s=60)
            yield number
        finally:
            process.terminate()


@pytest.mark.server
def test_through_a_real_server(app: Flask, port: int) -> None:
    addresses, connection = _addresses(app), http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    for number, iri in enumerate(IRIS):
        address = addresses(iri)
        connection.request("GET", address, headers={"Accept": "application/n-triples"})
        response = connection.getresponse()
        body = response.read()
        assert response.status == 200, (iri, address)
        wanted = ox.Triple(ox.NamedNode(iri), terms.RDFS_LABEL, ox.Literal(f"number {number}"))
        assert wanted in triples_of(body, "application/n-triples"), iri
        location = response.headers["Content-Location"]
        assert urlsplit(location).path.endswith(".nt")
    connection.close()
