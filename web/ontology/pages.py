"""
``/ontology`` and its documents, as pages and as data, by Accept or by suffix.

A page for people, and Turtle, RDF/XML, JSON-LD or N-Triples for programs, at one address (Vary: Accept).
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pyoxigraph as ox
from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kg.exporting import FORMATS, export
from kg.home import Home
from ontology import terms
from ontology.files import bundled_quads
from web.errors import WorkFailed
from web.ontology.documentation import Documentation
from web.ontology.documents import DOCUMENTS, Document, document, term_page
from web.problems import sentence
from web.site import Site

_HTML = "text/html"
_BY_TYPE = {
    "text/turtle": "turtle",
    "application/rdf+xml": "rdfxml",
    "application/ld+json": "jsonld",
    "application/n-triples": "ntriples",
}
SUFFIXES: Mapping[str, str] = {FORMATS[name].suffix: name for name in _BY_TYPE.values()}
_MAX_LISTED = 500


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation for the overview, and the labels of the conditions that it is known under."""

    iri: str
    label: str
    comment: str
    conditions: int


@dataclass(frozen=True, slots=True)
class Overview:
    """What the vocabulary holds: (IRI, label, comment) of classes, the base relations, and how many of what."""

    classes: tuple[tuple[str, str, str], ...]
    relations: tuple[Relation, ...]
    conditioned: int
    conditions: int


def ontology_blueprint(site: Site) -> Blueprint:
    """The overview, the documents, their data; ``term_page(iri)`` is made known to the templates of all areas."""
    pages, area = Pages(site), Blueprint("ontology", __name__)
    area.add_url_rule("/ontology", "overview", pages.overview)
    area.add_url_rule("/ontology<any('.ttl', '.rdf', '.jsonld', '.nt'):suffix>", "data", pages.data)
    area.add_url_rule("/ontology/<name>", "document", pages.document)
    area.add_app_template_global(_term_address, "term_page")
    return area


class Pages:
    """The views, bound to one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._documentation = Documentation(site.home.path / "cache" / "ontology" if site.home else None)

    def overview(self) -> AnyResponse:
        """What the vocabulary holds, and where to read on."""
        wanted = _negotiated()
        if wanted != _HTML:
            return _with_variants(_data("", _BY_TYPE[wanted]), url_for("ontology.overview"))
        added = _added(self._site.home) if self._site.home else []
        text = render_template(
            "ontology/overview.html",
            about=overview(),
            documents=[(one, _title(one)) for one in DOCUMENTS],
            added=added[:_MAX_LISTED],
            more=max(0, len(added) - _MAX_LISTED),
            suffixes=SUFFIXES,
        )
        return _with_variants(_page(text), url_for("ontology.overview"))

    def data(self, suffix: str) -> AnyResponse:
        """All of it in one format."""
        return _data("", SUFFIXES[suffix])

    def document(self, name: str) -> AnyResponse:
        """One document, as a page or as data."""
        stem, dot, suffix = name.partition(".")
        found = document(stem)
        if found is None:
            abort(404, "There is no such part of the vocabulary.")
        if dot and suffix != "html":
            if dot + suffix not in SUFFIXES:
                abort(404, f"The vocabulary is written as {', '.join(SUFFIXES)}.")
            return _data(stem, SUFFIXES[dot + suffix])
        address = url_for("ontology.document", name=stem)
        wanted = _HTML if dot else _negotiated()
        return _with_variants(self._described(found) if wanted == _HTML else _data(stem, _BY_TYPE[wanted]), address)

    def _described(self, one: Document) -> Response:
        try:
            described = self._documentation.of(one)
        except WorkFailed as error:
            abort(503, f"The page could not be made: {sentence(error)} The data are there: add .ttl to the address.")
        title = _title(one)
        return _page(
            render_template("ontology/document.html", one=one, title=title, described=described, suffixes=SUFFIXES)
        )


@cache
def overview() -> Overview:
    """Read from the files of the vocabulary, which do not change while the server runs."""
    said: dict[ox.NamedNode, dict[ox.NamedNode, list[object]]] = {}
    for quad in bundled_quads():
        if isinstance(quad.subject, ox.NamedNode):
            said.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)
    entity_classes = [iri for iri in said if _is_entity_class(iri, said)]
    bases = [iri for iri, values in said.items() if iri in values.get(terms.BASE_RELATION, [])]
    conditioned = [values for values in said.values() if terms.CONDITION in values]
    return Overview(
        tuple(
            (iri.value, _first(said[iri], terms.RDFS_LABEL), _first(said[iri], terms.RDFS_COMMENT))
            for iri in entity_classes
        ),
        tuple(
            Relation(
                iri.value,
                _first(said[iri], terms.RDFS_LABEL),
                _first(said[iri], terms.RDFS_COMMENT),
                sum(iri in values.get(terms.BASE_RELATION, []) for values in conditioned),
            )
            for iri in bases
        ),
        len(conditioned),
        sum(terms.CONDITION_CLASS in values.get(terms.RDF_TYPE, []) for values in said.values()),
    )


def _is_entity_class(iri: ox.NamedNode, said: Mapping[ox.NamedNode, Mapping[ox.NamedNode, Sequence[object]]]) -> bool:
    above = said[iri].get(terms.RDFS_SUBCLASS_OF, [])
    return terms.ENTITY in above or terms.TOPIC_ENTITY in above


def _first(values: Mapping[ox.NamedNode, Sequence[object]], predicate: ox.NamedNode) -> str:
    return next((value.value for value in values.get(predicate, ()) if isinstance(value, ox.Literal)), "")


def _added(home: Home) -> list[tuple[str, str]]:
    """The relations that imports added to the catalogue: IRI and label, by label."""
    with home.snapshot() as snapshot:
        quads = list(snapshot.store.quads_for_pattern(None, terms.RDFS_LABEL, None, terms.CATALOGUE_GRAPH))
        relations = {
            quad.subject
            for quad in snapshot.store.quads_for_pattern(None, terms.BASE_RELATION, None, terms.CATALOGUE_GRAPH)
        }
    found = {
        quad.subject.value: quad.object.value
        for quad in quads
        if quad.subject in relations and isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.Literal)
    }
    return sorted(found.items(), key=lambda item: (item[1].casefold(), item[0]))


def _title(one: Document) -> str:
    iri = ox.NamedNode(one.namespace.rstrip("#"))
    labels = [quad.object for quad in one.quads if quad.subject == iri and quad.predicate == terms.RDFS_LABEL]
    return next((label.value for label in labels if isinstance(label, ox.Literal)), one.name)


def _term_address(iri: str) -> str | None:
    page = term_page(iri)
    return None if page is None else request.script_root + page


def _negotiated() -> str:
    """The media type to answer with. Browsers ask for HTML first, and so does who does not care."""
    if not request.accept_mimetypes:
        return _HTML
    best = request.accept_mimetypes.best_match([_HTML, *_BY_TYPE])
    if best is None:
        abort(406, f"The vocabulary is written as {', '.join([_HTML, *_BY_TYPE])}.")
    return best


@cache
def _written(name: str, fmt: str) -> bytes:
    """A document in a format, "" for all of them; a document's Turtle is the file itself, comments and all."""
    one = document(name)
    if one is not None and fmt == "turtle":
        return one.path.read_bytes()
    stream = io.BytesIO()
    export(bundled_quads() if one is None else one.quads, FORMATS[fmt], stream)
    return stream.getvalue()


def _data(name: str, fmt: str) -> AnyResponse:
    media_type = FORMATS[fmt].syntax.media_type
    charset = "; charset=utf-8" if media_type.startswith("text/") else ""
    response = Response(_written(name, fmt), content_type=media_type + charset)
    file_name = f"scoutfly-{name or 'vocabulary'}{FORMATS[fmt].suffix}"
    response.headers["Content-Disposition"] = f'inline; filename="{file_name}"'
    response.add_etag()
    return response.make_conditional(request)


def _page(text: str) -> Response:
    return Response(text, content_type=f"{_HTML}; charset=utf-8")


def _with_variants(response: AnyResponse, address: str) -> AnyResponse:
    """Say that other formats stand at the same address, and where each has one of its own."""
    response.vary.add("Accept")
    for media_type, fmt in _BY_TYPE.items():
        response.headers.add("Link", f'<{address}{FORMATS[fmt].suffix}>; rel="alternate"; type="{media_type}"')
    return response
