"""The pages of the vocabulary: the relations, each of them with its edges, and the conditions."""

from urllib.parse import urlencode

from flask import Blueprint, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from web.browse.addresses import address_of
from web.browse.contexts import edge_notes
from web.browse.listing import MAX_IRI, PER_PAGE, count_pages, read_page
from web.browse.offers import Offer, render_offers
from web.browse.relations import EdgePage, matching, query_address, relations_of
from web.browse.search import MAX_QUERY
from web.browse.table import GraphTable, graph_table
from web.browse.topics import notes
from web.browse.words import fold
from web.site import Site, View

_GROUPS = 60
"""Base relations on a page."""


def catalogue_blueprint(site: Site) -> Blueprint:
    """The pages at /relations and /conditions."""
    area = Blueprint("catalogue", __name__)

    @area.get("/relations")
    def relations() -> str:
        iri = _bounded("iri", MAX_IRI)
        return _relation(site.view, iri) if iri else _relations(site.view)

    @area.get("/relations/ends")
    def ends() -> str:
        return _ends(site.view, _bounded("iri", MAX_IRI), at_head=request.args.get("at") == "from")

    @area.get("/conditions")
    def conditions() -> str:
        view, iri, text = site.view, _bounded("iri", MAX_IRI), _bounded("q", MAX_QUERY)
        table, every = view.once(graph_table), view.once(relations_of).conditions
        shown = [each for each in every if fold(text) in fold(table.names.label(each.iri))]
        if iri:
            shown = [each for each in every if each.iri == iri]
            if not shown:
                raise NotFound("The graph has no condition with this IRI.")
        page = read_page(request.args)
        return render_template(
            "browse/conditions.html",
            table=table,
            conditions=shown[(page - 1) * PER_PAGE : page * PER_PAGE],
            total=len(shown),
            all=len(every),
            one=iri,
            text=text,
            page=page,
            pages=count_pages(len(shown), page),
            address=lambda number: urlencode({"q": text, "page": number}),
            **_of(view, table),
        )

    return area


def _relations(view: View) -> str:
    text, used, page = _bounded("q", MAX_QUERY), request.args.get("used") == "yes", read_page(request.args)
    table, relations = view.once(graph_table), view.once(relations_of)
    groups = matching(relations.groups, text, table, used=used)
    every = [info for group in relations.groups for info in (group.base, *group.conditioned)]
    return render_template(
        "browse/relations.html",
        table=table,
        groups=groups[(page - 1) * _GROUPS : page * _GROUPS],
        found=sum(1 + len(group.conditioned) for group in groups),
        all=len(every),
        edges=len(table.heads),
        bases=len(relations.groups),
        conditions=len(relations.conditions),
        text=text,
        used=used,
        page=page,
        pages=count_pages(len(groups), page, per_page=_GROUPS),
        address=lambda number: urlencode({"q": text, "page": number} | ({"used": "yes"} if used else {})),
        truncated=table.truncated,
        **_of(view, table),
    )


def _relation(view: View, iri: str) -> str:
    table, relations, page = view.once(graph_table), view.once(relations_of), read_page(request.args)
    info, group = relations.info.get(iri), relations.group(iri)
    if info is None or group is None:
        raise NotFound("The graph has no relation with this IRI.")
    head, tail = _bounded("from", MAX_IRI), _bounded("to", MAX_IRI)
    edges: EdgePage = relations.edges(iri, head=head, tail=tail, offset=(page - 1) * PER_PAGE, limit=PER_PAGE)
    named = [(table.iris[start], table.iris[end]) for start, end in edges.edges]
    ends = {name: value for name, value in (("from", head), ("to", tail)) if value}
    return render_template(
        "browse/relation.html",
        table=table,
        info=info,
        group=group,
        edges=edges,
        said=edge_notes(view, iri, named),
        ends=ends,
        page=page,
        pages=count_pages(edges.total, page),
        first=(page - 1) * PER_PAGE + 1,
        address=lambda changed: urlencode({"iri": iri} | {k: v for k, v in (ends | changed).items() if v}),
        **_of(view, table),
    )


def _ends(view: View, iri: str, *, at_head: bool) -> str:
    table, relations, said = view.once(graph_table), view.once(relations_of), view.once(notes)
    if iri not in relations.info:
        raise NotFound("The graph has no relation with this IRI.")
    given = {name: value for name in ("from", "to") if (value := _bounded(name, MAX_IRI))}
    at, own = ("from", "From") if at_head else ("to", "To")
    found = relations.ends(iri, head=given.get("from", ""), tail=given.get("to", ""), at_head=at_head)
    offers = [
        Offer(
            table.label(end.number),
            said[end.number],
            end.edges,
            f"/relations?{urlencode({'iri': iri} | given | {at: table.iris[end.number]})}",
            chosen=given.get(at) == table.iris[end.number],
        )
        for end in found
    ]
    kept = [("iri", iri), ("at", at), *given.items()]
    back, name = f"/relations?{urlencode({'iri': iri} | given)}", table.names.label(iri)
    return render_offers(offers, heading=own, back=back, name=name, here="/relations/ends", kept=kept)


def _of(view: View, table: GraphTable) -> dict[str, object]:
    """What the templates ask about things, by number."""
    said = view.once(notes)
    return {
        "page_at": lambda number: request.script_root + address_of(view, table, number),
        "note": said.__getitem__,
        "query_of": lambda iri: query_address("edges_of_relation", relation=iri),
    }


def _bounded(name: str, limit: int) -> str:
    """A parameter of the address. Raises werkzeug's BadRequest."""
    value = request.args.get(name, "").strip()
    if len(value) > limit:
        raise BadRequest(f"The parameter {name} takes {limit} characters at most.")
    return value
