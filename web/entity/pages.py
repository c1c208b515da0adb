"""The addresses of IRIs: page and data of each, pages of its edges, and the files of media items."""

from collections.abc import Callable
from functools import partial
from urllib.parse import quote, urlencode

import pyoxigraph as ox
from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.routing import BaseConverter
from werkzeug.wrappers import Response as Redirect

from kg.errors import ExportFailed
from sparql.resource import is_mentioned, relations
from sparql.template import bind
from web.addresses import escaped
from web.entity.data import document, serialised
from web.entity.edges import BY_NAME, counts_of
from web.entity.media import answer_file, find_files, is_web_address
from web.entity.negotiation import FORMS, Form, form_asked, split_suffix, with_headers
from web.entity.page import Reader
from web.entity.provenance import Graphs, open_graphs
from web.entity.queries import queries_behind
from web.site import Site, View

Answer = Response | Redirect
_NOTHING = "This graph says nothing about"
_LONGEST_SHOWN = 300


class _Rest(BaseConverter):
    """Whatever stands behind the name of a source; unlike a path it may begin with a slash."""

    regex = ".+"
    part_isolating = False


def entity_blueprint(site: Site) -> Blueprint:
    """``/id/<source>/<rest>``, ``/entity?iri=``, ``/entity/edges`` and ``/media?iri=``."""
    area = Blueprint("entity", __name__)
    area.record_once(lambda state: state.app.url_map.converters.update(rest=_Rest))
    reader_of = reader_maker(site)

    def _foreign(suffix: str) -> Answer:
        reader, iri = reader_of(), iri_asked()
        address = reader.view.addresses.data_of(iri.value, suffix)
        if not address.startswith("/entity"):
            return _moved(address)
        return _answer(reader, iri.value, suffix)

    @area.get("/id/<slug>/<rest:rest>")
    def own(slug: str, rest: str) -> Answer:
        view = site.view
        stem, suffix = split_suffix(rest)
        base = view.addresses.iri_at(slug, "")
        if base is None:
            abort(404, f"There is no source called {slug}.")
        iri = _spelt(view, base, stem)
        if suffix and not _is_said(view, iri) and _is_said(view, whole := _spelt(view, base, rest)):
            return _moved(view.addresses.page_of(whole))  # the IRI itself ends so: its address is another
        if not view.addresses.page_of(iri).startswith(f"/id/{quote(slug, safe='')}/"):
            return _moved(view.addresses.data_of(iri, suffix))
        return _answer(reader_of(), iri, suffix)

    area.add_url_rule("/entity", "foreign", partial(_foreign, ""))
    for form in FORMS:
        name = f"foreign_{form.suffix[1:]}"
        area.add_url_rule(f"/entity{form.suffix}", name, partial(_foreign, form.suffix))

    @area.get("/entity/edges")
    def edges() -> str:
        reader, iri, relation = reader_of(), iri_asked(), iri_asked("relation")
        is_incoming, page = request.args.get("direction") == "in", page_asked()
        words, group = reader.group(iri, relation, is_incoming=is_incoming, limit=BY_NAME, offset=(page - 1) * BY_NAME)
        if group is None or not (group.edges or group.unnamed):
            abort(404, "There are no such edges.")
        pages = -(-group.total // BY_NAME)
        return render_template(
            "entity/edges.html", group=group, entity=words.link(iri), page=page, pages=pages, address=_page_address
        )

    @area.get("/media")
    def media() -> Response:
        reader = reader_of()
        return answer_file(reader.files, iri_asked())

    return area


def reader_maker(site: Site) -> Callable[[], Reader]:
    """What makes the reader for one request; what is the same for all requests of a generation is kept."""

    def graphs(view: View) -> Graphs:
        return open_graphs(site.home, view)

    def reader() -> Reader:
        view = site.view
        opened = view.once(graphs)
        files = find_files(site.home, opened, view.addresses)
        languages = [language for language, quality in request.accept_languages if quality > 0]
        return Reader(view, opened, files, languages[:10], request.script_root)

    return reader


def iri_asked(name: str = "iri") -> ox.NamedNode:
    """The IRI among the parameters of the address. Aborts with 400 where there is none."""
    text = request.args.get(name, "")
    if not text:
        abort(400, f"The address must name an IRI: ?{name}=...")
    return node_of(text)


def node_of(text: str) -> ox.NamedNode:
    """The node of an IRI. Aborts with 400 where the text is none."""
    try:
        return ox.NamedNode(text)
    except ValueError:
        abort(400, f"{shortened(text)} is not an IRI: it must have a scheme, and hold no space, quote or bracket.")


def page_asked() -> int:
    """The number of the page that is asked for, 1 at least."""
    text = request.args.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and int(text[:8]) > 0 and len(text) < 8 else 1


def shortened(text: str) -> str:
    """A text that may be endless, for a message."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _answer(reader: Reader, text: str, suffix: str) -> Response:
    iri, form = node_of(text), form_asked(suffix)
    response = _data(reader, iri, form) if form.format else _page(reader, iri)
    return with_headers(response, iri.value, form=form, addresses=reader.view.addresses)


def _data(reader: Reader, iri: ox.NamedNode, form: Form) -> Response:
    quads = document(reader.store, iri, counts_of(reader.view, iri))
    if not quads:
        abort(404, f"{_NOTHING} {shortened(iri.value)}")
    try:
        body = serialised(quads, form.format)  # type: ignore[arg-type]  # the page is made elsewhere
    except ExportFailed as error:
        abort(406, f"This cannot be written as {form.name}: {error}.")
    return Response(
        body, content_type=f"{form.media_type}; charset=utf-8" if form.suffix == ".ttl" else form.media_type
    )


def _page(reader: Reader, iri: ox.NamedNode) -> Response:
    page = reader.page(iri)
    if page is None:
        abort(404, f"{_NOTHING} {shortened(iri.value)}")
    addresses, root = reader.view.addresses, request.script_root
    return Response(
        render_template(
            "entity/entity.html",
            entity=page,
            forms=[(one, root + addresses.data_of(iri.value, one.suffix)) for one in FORMS if one.format],
            queries=queries_behind(iri),
            outside=iri.value if is_web_address(iri.value) else "",
            edges_address=_edges_address(iri),
            uses_address=root + _uses_address(reader, iri),
        ),
        mimetype="text/html",
    )


def _edges_address(iri: ox.NamedNode) -> Callable[[str, bool], str]:
    def address(relation: str, is_incoming: bool) -> str:
        direction = "in" if is_incoming else "out"
        parameters = urlencode({"iri": iri.value, "relation": relation, "direction": direction})
        return f"{request.script_root}/entity/edges?{parameters}"

    return address


def _uses_address(reader: Reader, iri: ox.NamedNode) -> str:
    """Where all statements with a property are: a relation has a page of its edges, of others a query tells."""
    if iri in relations(reader.store, [iri]):
        return f"/relations?{urlencode({'iri': iri.value})}"
    return f"/query?{urlencode({'query': bind('usage', property=[iri]).strip()})}"


def _page_address(number: int) -> str:
    kept = {name: request.args.get(name, "") for name in ("iri", "relation", "direction")}
    return f"{request.script_root}/entity/edges?{urlencode({**kept, 'page': number})}"


def _moved(address: str) -> Redirect:
    return redirect(request.script_root + address, 308)


def _is_said(view: View, iri: str) -> bool:
    return _is_iri(iri) and is_mentioned(view.engine.store, ox.NamedNode(iri))


def _spelt(view: View, base: str, rest: str) -> str:
    """
    The IRI that is meant by an address, whose percent escapes the server has undone.

    Our own links escape the escapes of an IRI. Whoever opens an IRI as it is, does not: so where nothing is said of
    what arrived, it is looked up with its escapes. Where that finds nothing either, it is the first of these texts
    that is an IRI.
    """
    spellings = [base + spelling for spelling in dict.fromkeys((rest, *escaped(rest)))]
    return next((iri for iri in spellings if _is_said(view, iri)), next(filter(_is_iri, spellings), base + rest))


def _is_iri(text: str) -> bool:
    try:
        return bool(ox.NamedNode(text))
    except ValueError:
        return False
