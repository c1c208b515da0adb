"""
``/store``: single graphs, read by everybody and written by whoever has the token.

A graph is named by ``?graph=<IRI>``, by ``?default``, or by its own address under ``/store/``. What is sent is read by
the guard, and appears whole or not at all. https://www.w3.org/TR/sparql11-http-rdf-update/

Blank nodes are named by what is said of them, so that what is sent again, as clients do when a connection broke,
changes nothing: no node is doubled.
"""

import io
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO

import pyoxigraph as ox
from flask import Request, Response, request
from werkzeug.exceptions import BadRequest, NotFound, UnsupportedMediaType
from werkzeug.http import parse_options_header

from kg.blank_nodes import named_by_content
from kg.draft import Draft
from kg.exporting import FORMATS, export
from kg.home import Snapshot
from ontology import terms
from sparql.errors import NotAcceptable
from sparql.guard.requests import Guard
from web.endpoint.addresses import here, own_address
from web.endpoint.generations import Generations
from web.endpoint.negotiation import GRAPHS, RDF_XML, choose
from web.endpoint.protocol import read_body
from web.site import WebSettings
from web.tokens import require_token

Graph = ox.NamedNode | ox.DefaultGraph
STORE = "/store"
_READ = ("text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json")
_MULTIPART = "multipart/form-data"
_MOST_PARTS = 100
_NAMED_TRIPLES = 50_000
"""Up to this many triples blank nodes are named by content, which takes some 20 µs for each that holds one."""
_XML_TRIPLES = 200_000
"""RDF/XML is written from a list in memory, sorted; all else straight from the disk."""


@dataclass(frozen=True, slots=True)
class Document:
    """An RDF document as it was sent."""

    content: bytes
    media_type: str


class Graphs:
    """The addresses under ``/store``, bound to what answers them."""

    def __init__(self, guard: Guard, generations: Generations, settings: WebSettings) -> None:
        self._guard, self._generations, self._settings = guard, generations, settings

    def read(self, **_: str) -> Response:
        """The triples of a graph; also for HEAD."""
        graph = _named(request)
        snapshot = self._generations.snapshot()
        if isinstance(graph, ox.NamedNode) and not snapshot.store.contains_named_graph(graph):
            raise NotFound(f"There is no graph {graph}.")
        offer = choose(request.headers.get("Accept", "")).graph
        if offer is None:
            raise NotAcceptable(f"graphs can be had as {', '.join(GRAPHS)}")
        response = Response(content_type=offer.content_type)
        response.set_etag(f"{snapshot.number}-{offer.media_type}", weak=True)
        if request.if_none_match.contains_weak(str(response.get_etag()[0])):
            response.status_code = 304
        elif request.method != "HEAD":
            response.set_data(_written(snapshot, graph, offer.media_type))
        return response

    def put(self, **_: str) -> Response:
        """
        Makes a graph of the documents, in the place of what was there.

        One that is there already, with these very triples, is answered as it was when it was new, so that a PUT can be
        repeated; the tests of the W3C, which one after the other make the same graph, ask for that.
        """
        require_token(request, self._settings)
        graph = _named(request)
        quads = self._quads(graph, _iri(request, graph))
        if isinstance(quads, list) and _is_there(self._generations.snapshot(), graph, quads):
            return _changed(True)
        return _changed(self._generations.write(lambda draft: _replace(draft, graph, quads)))

    def post(self, **_: str) -> Response:
        """Adds the documents to a graph; to a new one where none is named."""
        require_token(request, self._settings)
        if not _is_direct(request) and not _parameters(request):
            return self._create()
        graph = _named(request)
        quads = self._quads(graph, _iri(request, graph))
        return _changed(self._generations.write(lambda draft: _merge(draft, graph, quads)))

    def delete(self, **_: str) -> Response:
        """Removes a graph; the default graph is emptied."""
        require_token(request, self._settings)
        graph = _named(request)
        if not self._generations.write(lambda draft: _remove(draft, graph)):
            raise NotFound(f"There is no graph {graph}.")
        return Response(status=204)

    def _create(self) -> Response:
        graph = ox.NamedNode(here(request, f"{STORE}/{uuid.uuid4()}"))
        quads = self._quads(graph, graph.value)
        response = _changed(self._generations.write(lambda draft: _replace(draft, graph, quads)))
        response.headers["Location"] = graph.value
        return response

    def _quads(self, graph: Graph, base_iri: str) -> Iterable[ox.Quad]:
        """The triples of all documents of the request, in ``graph``; an empty body is an empty document."""
        documents = _documents(request, self._settings.limits.upload_bytes)
        parsed = [
            self._guard.parse(document.content, document.media_type, base_iri=base_iri)
            for document in documents
            if document.content
        ]
        quads = (quad for one in parsed for quad in _placed(one, graph))
        first = list(islice(quads, _NAMED_TRIPLES))
        return named_by_content(first) if len(first) < _NAMED_TRIPLES else chain(first, quads)


def _named(asked: Request) -> Graph:
    """The graph that a request names. Raises BadRequest."""
    parameters = _parameters(asked)
    if _is_direct(asked) and not parameters:
        return ox.NamedNode(own_address(asked))
    if _is_direct(asked) or len(parameters) != 1:
        raise BadRequest(f"Name one graph: by ?graph=IRI, by ?default, or by an address under {STORE}/.")
    name, value = parameters[0]
    if name == "default":
        return ox.DefaultGraph()
    try:
        return ox.NamedNode(value)
    except ValueError as error:
        raise BadRequest(f"The parameter graph is no absolute IRI: {error}.") from error


def _is_direct(asked: Request) -> bool:
    return bool(asked.environ.get("PATH_INFO") != STORE)


def _parameters(asked: Request) -> list[tuple[str, str]]:
    return [(name, value) for name, value in asked.args.items(multi=True) if name in ("graph", "default")]


def _iri(asked: Request, graph: Graph) -> str:
    """What relative IRIs in a document are resolved against."""
    return graph.value if isinstance(graph, ox.NamedNode) else own_address(asked)


def _documents(asked: Request, most_bytes: int) -> Iterable[Document]:
    """Raises UnsupportedMediaType, LimitExceeded, BadRequest."""
    media_type, _ = parse_options_header(asked.environ.get("CONTENT_TYPE", ""))
    if media_type.lower() != _MULTIPART:
        checked = _readable(media_type)
        return [Document(read_body(asked, most_bytes, what="document"), checked)]
    asked.max_content_length = asked.max_form_memory_size = most_bytes
    asked.max_form_parts = _MOST_PARTS
    parts = [part for parts in asked.files.listvalues() for part in parts]
    if not parts or asked.form:
        raise BadRequest("Every part of the form must be a file, with its Content-Type.")
    return [Document(part.read(), _readable(part.mimetype)) for part in parts]


def _readable(media_type: str) -> str:
    """The media type of the guard that a document's is. Raises UnsupportedMediaType."""
    known = GRAPHS.get(media_type.lower())
    if known not in _READ:
        raise UnsupportedMediaType(f"A graph is sent as {', '.join(_READ)}, with that Content-Type.")
    return known


def _placed(n_quads: bytes, graph: Graph) -> Iterator[ox.Quad]:
    for quad in ox.parse(n_quads, format=ox.RdfFormat.N_QUADS):
        if not isinstance(quad.graph_name, ox.DefaultGraph):
            raise BadRequest(f"The document names graphs of its own ({quad.graph_name}); here it can be only one.")
        yield ox.Quad(quad.subject, quad.predicate, quad.object, graph)


def _is_there(snapshot: Snapshot, graph: Graph, quads: list[ox.Quad]) -> bool:
    if not isinstance(graph, ox.NamedNode) or not snapshot.store.contains_named_graph(graph):
        return False
    wanted = set(quads)
    there = islice(snapshot.store.quads_for_pattern(None, None, None, graph), len(wanted) + 1)
    return set(there) == wanted


def _replace(draft: Draft, graph: Graph, quads: Iterable[ox.Quad]) -> bool:
    """Whether the graph is new."""
    new = isinstance(graph, ox.NamedNode) and not draft.holds(graph)
    draft.empty(graph)
    draft.add(quads)
    return new


def _merge(draft: Draft, graph: Graph, quads: Iterable[ox.Quad]) -> bool:
    """Whether the graph is new."""
    if isinstance(graph, ox.NamedNode) and not draft.holds(graph):
        return _replace(draft, graph, quads)
    draft.add(quads)
    return False


def _remove(draft: Draft, graph: Graph) -> bool:
    """Whether it was there."""
    if not isinstance(graph, ox.NamedNode):
        draft.empty(graph)
        return True
    there = draft.holds(graph)
    draft.remove_graphs([graph])
    return there


def _changed(new: bool) -> Response:
    return Response(status=201 if new else 204)


def _written(snapshot: Snapshot, graph: Graph, media_type: str) -> bytes:
    buffer = io.BytesIO()
    if media_type == RDF_XML:
        _write_xml(snapshot, graph, buffer)
    else:
        syntax = ox.RdfFormat.from_media_type(media_type)
        prefixes = terms.PREFIXES if media_type == "text/turtle" else None
        snapshot.store.dump(buffer, format=syntax, from_graph=graph, prefixes=prefixes)
    return buffer.getvalue()


def _write_xml(snapshot: Snapshot, graph: Graph, buffer: IO[bytes]) -> None:
    quads = snapshot.store.quads_for_pattern(None, None, None, graph)
    held = []
    for quad in quads:
        held.append(ox.Quad(quad.subject, quad.predicate, quad.object))
        if len(held) > _XML_TRIPLES:
            raise NotAcceptable(f"a graph of more than {_XML_TRIPLES:,} triples cannot be had as RDF/XML: take Turtle")
    export(held, FORMATS["rdfxml"], buffer)
