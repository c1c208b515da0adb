"""Documents of strangers: read with a base, in every syntax, and bounded (field reports A13, D9)."""

import pyoxigraph as ox
import pytest

from sparql.errors import GuardError, LimitExceeded, Malformed, Refused
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import GRAPH_TYPES

BASE = "http://example.org/doc"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
DOCUMENTS = {
    "text/turtle": "<#a> a <b> .",
    "application/n-triples": f"<{BASE}#a> {TYPE} <http://example.org/b> .",
    "application/n-quads": f"<{BASE}#a> {TYPE} <http://example.org/b> .",
    "application/trig": "{ <#a> a <b> . }",
    "application/rdf+xml": '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<r:Description r:about="#a"><r:type r:resource="b"/></r:Description></r:RDF>',
    "application/ld+json": '{"@id": "#a", "@type": "http://example.org/b"}',
}
XML = '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://example.org/">'


@pytest.mark.parametrize("media_type", GRAPH_TYPES)
def test_relative_iris_are_resolved_against_the_base(pool: WorkerPool, media_type: str) -> None:
    read = pool.parse(DOCUMENTS[media_type].encode(), media_type, base_iri=BASE)
    assert read.decode() == f"<{BASE}#a> {TYPE} <http://example.org/b> .\n"


def test_graphs_stay_and_blank_nodes_get_new_names(pool: WorkerPool) -> None:
    trig = b"<http://example.org/g> { _:x <http://example.org/p> _:x , 1.0 }"
    first, second = (pool.parse(trig, "application/trig", base_iri=BASE).decode() for _ in range(2))
    assert "_:x" not in first
    assert first != second
    quads = list(ox.parse(first, ox.RdfFormat.N_QUADS))
    assert {quad.graph_name for quad in quads} == {ox.NamedNode("http://example.org/g")}
    assert len({quad.subject for quad in quads}) == 1


@pytest.mark.parametrize(
    ("media_type", "document", "line", "column"),
    [
        ("text/turtle", "<a> <b> <c> .\n<d> <e> oops .", 2, 9),
        ("application/n-triples", "<http://a/> <http://b/> <c> .", 1, 25),
        ("application/ld+json", '{"@id": "a",\n "b": }', 2, 7),
        ("application/trig", "{ <a> <b> }", 1, 11),
        ("application/rdf+xml", "<r:RDF", None, None),
    ],
)
def test_malformed_documents_say_where(
    pool: WorkerPool, media_type: str, document: str, line: int | None, column: int | None
) -> None:
    with pytest.raises(Malformed) as caught:
        pool.parse(document.encode(), media_type, base_iri=BASE)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "document",
    ['<http://a/b c> <http://p/> "x" .', '<http://a/> <http://p/> "x"@not_a_language .', "<http://a/> <p> 1 ."],
)
def test_nothing_is_read_leniently(pool: WorkerPool, document: str) -> None:
    with pytest.raises(Malformed):
        pool.parse(document.encode(), "application/n-triples", base_iri=BASE)


def test_a_type_that_is_not_rdf_is_the_callers_fault(pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="text/turtle"):
        pool.parse(b"", "text/html", base_iri=BASE)


def _entities(depth: int, width: int) -> str:
    lines = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * width}">' for i in range(1, depth))
    return f'<!DOCTYPE r [<!ENTITY e0 "lol">{lines}]>{XML}<A><p>&e{depth - 1};</p></A></r:RDF>'


HOSTILE = {
    "a billion laughs": ("application/rdf+xml", _entities(12, 10), "refused"),
    "quadratic entities": (
        "application/rdf+xml",
        f'<!DOCTYPE r [<!ENTITY e "{"x" * 100_000}">]>{XML}<r:Description r:about="a"><p>{"&e;" * 100_000}</p>'
        "</r:Description></r:RDF>",
        "refused",
    ),
    "short entities, many times": (
        "application/rdf+xml",
        f'<!DOCTYPE r [<!ENTITY e "{"x" * 1000}">]>{XML}<r:Description r:about="a"><p>{"&e;" * 1_000_000}</p>'
        "</r:Description></r:RDF>",
        "refused",
    ),
    "an outside entity": (
        "application/rdf+xml",
        f'<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>{XML}<A><p>&e;</p></A></r:RDF>',
        "refused",
    ),
    "deep XML": ("application/rdf+xml", XML + "<A><p>" * 300_000 + "</p></A>" * 300_000 + "</r:RDF>", ""),
    "deep XML, unclosed": ("application/rdf+xml", XML + "<A><p>" * 500_000, ""),
    "deep JSON": ("application/ld+json", "[" * 2_000_000 + "]" * 2_000_000, ""),
    "deep JSON-LD": ("application/ld+json", '{"http://p/":' * 300_000 + "1" + "}" * 300_000, ""),
    "deep contexts": ("application/ld+json", '{"@context":' + "[" * 500_000 + "]" * 500_000 + "}", ""),
    "deep Turtle lists": ("text/turtle", "<a> <b> " + "(" * 1_000_000 + ")" * 1_000_000 + " .", ""),
    "deep Turtle nodes": ("text/turtle", "<a> <b> " + "[<b> " * 800_000 + "1" + "]" * 800_000 + " .", ""),
    "more than may be sent": ("text/turtle", "#" * 9_000_000, "size of the document"),
    "long IRIs by a short prefix": (
        "text/turtle",
        f"@prefix p: <http://example.org/{'x' * 100_000}> . " + "p:a p:b p:c . " * 50_000,
        "size of the answer",
    ),
    "a literal without an end": ("text/turtle", '<a> <b> """' + "x" * 7_000_000, ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_ends_and_the_next_one_is_read(pool: WorkerPool, name: str) -> None:
    media_type, document, end = HOSTILE[name]
    try:
        read = pool.parse(document.encode(), media_type, base_iri=BASE)
        assert not end, "it was read"
        assert len(read) <= pool.limits.answer_bytes
    except GuardError as error:
        if end == "refused":
            assert isinstance(error, Refused)
        else:
            assert isinstance(error, LimitExceeded | Malformed)
            assert not end or getattr(error, "limit", None) == end
    assert pool.parse(b"<a:a> <a:b> 1 .", "text/turtle", base_iri=BASE)


_LEVELS = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))


@pytest.mark.parametrize(
    "document",
    [
        f"<!DOCTYPE r [ %x; {_LEVELS}]>{XML}<r:Description><p>&l8;</p></r:Description></r:RDF>",
        f"{XML}<!DOCTYPE r [{_LEVELS}]><r:Description><p>&l8;</p></r:Description></r:RDF>",
    ],
    ids=["behind a parameter", "behind the root"],
)
def test_hidden_entity_bombs_are_refused_before_they_are_read(pool: WorkerPool, document: str) -> None:
    with pytest.raises(Refused, match=r"XML entity|line 1"):
        pool.parse(document.encode(), "application/rdf+xml", base_iri=BASE)
