"""B1, B8: a client adds parameters that endpoints refuse, and puts long queries into URLs that are too long.

Our client posts the query in the body, with content negotiation alone; a real server answers a query of 100 KB.
"""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest

from kg.remote import RemoteStore

SEEN: list[tuple[str, str, dict[str, list[str]]]] = []


class Picky(BaseHTTPRequestHandler):
    """Refuses everything but a posted query without extra parameters."""

    def do_POST(self) -> None:
        fields = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        SEEN.append((self.path, self.headers["Accept"], fields))
        picky = set(fields) != {"query"} or "?" in self.path
        body = b"unknown parameters" if picky else b'{"head":{},"boolean":true}'
        self.send_response(400 if picky else 200)
        self.send_header("Content-Type", "application/sparql-results+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_picky_endpoint_is_content() -> None:
    server = HTTPServer(("127.0.0.1", 0), Picky)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    try:
        assert RemoteStore(f"http://127.0.0.1:{server.server_port}/sparql", timeout_s=10).ask("ASK {}")
    finally:
        thread.join()
        server.server_close()
    assert "json" in SEEN[-1][1]


@pytest.mark.server
def test_a_query_of_many_hundred_iris_is_answered_by_a_real_server(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("oxigraph_server")
    node = ox.NamedNode("http://example.org/" + "x" * 100)
    server.fill([ox.Quad(node, node, node)])
    values = " ".join(f"<http://example.org/{'y' * 100}{number}>" for number in range(1000))
    query = f"SELECT ?s WHERE {{ VALUES ?s {{ {values} {node} }} ?s ?p ?o }}"
    assert len(query) > 100_000
    assert [row["s"] for row in RemoteStore(server.query_url).select(query)] == [node]
