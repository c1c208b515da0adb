"""The pages on which entities are found: by name, and by class and facet."""

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from ontology import terms
from web.browse.addresses import address_of, picture_address
from web.browse.contexts import contexts
from web.browse.coverage import coverage
from web.browse.found import find
from web.browse.listing import MAX_IRI, PER_PAGE, SORTS, MakeLists, Wish, count_pages, read_page
from web.browse.offers import Offer, render_offers
from web.browse.relations import query_address
from web.browse.search import MAX_QUERY
from web.browse.sources import ReadSources
from web.browse.table import GraphTable, graph_table
from web.browse.texts import TextHit, text_index
from web.browse.topics import notes
from web.site import Site, View

_TEXTS_SHOWN = 20
"""Entities that are found by their texts."""
_MAX_PAGES = 20
"""Pages of a search; who needs more needs other words."""


@dataclass(frozen=True, slots=True)
class Card:
    """An entity in a list; addresses are from the root of the site, ``picture`` is "" where there is none."""

    label: str
    note: str
    kind: str
    page: str
    picture: str
    relations: int
    media: int
    captioned: bool
    language: str
    context: str


def browse_blueprint(site: Site) -> Blueprint:
    """The pages at /browse and /search."""
    area = Blueprint("browse", __name__)
    make_lists = MakeLists(ReadSources(site.home))

    @area.get("/browse")
    def browse() -> str:
        view, wish = site.view, Wish.read(request.args)
        if not wish.type and not wish.filters:
            return render_template("browse/classes.html", coverage=view.once(coverage), everything=terms.ENTITY.value)
        table, listing = view.once(graph_table), view.once(make_lists).listing(wish)
        return render_template(
            "browse/entities.html",
            listing=listing,
            wish=wish,
            title=table.names.label(wish.type) if wish.type not in {"", terms.ENTITY.value} else "All entities",
            comment=table.vocabulary.comments.get(wish.type, ""),
            cards=_cards(view, table, listing.entities),
            captions=bool(table.captioned.any()),
            pictures=any(table.picture(number) for number in table.media),
            first=(wish.page - 1) * PER_PAGE + 1,
            sorts=SORTS,
            truncated=table.truncated,
            query=query_address("entities_of_class", **{"class": wish.type}) if wish.type in table.classes else "",
        )

    @area.get("/browse/values")
    def values() -> str:
        view, wish, heading = site.view, Wish.read(request.args), request.args.get("of", "")
        found = view.once(make_lists).values(wish, heading)
        if found is None:
            raise NotFound("Those listed have nothing of that kind.")
        offers = [
            Offer(each.label, "", each.count, f"/browse?{wish.with_filter(found.key, each.value)}", each.chosen)
            for each in found.values
        ]
        back = f"/browse?{wish.address()}"
        kept = [*wish.parameters(), ("of", heading)]
        return render_offers(offers, heading=heading, back=back, name="The list", here="/browse/values", kept=kept)

    @area.get("/search")
    def search() -> str:
        view, text, kind = site.view, request.args.get("q", "").strip(), request.args.get("type", "")
        page, language = read_page(request.args), request.accept_languages.best or "en"
        if len(text) > MAX_QUERY or len(kind) > MAX_IRI:
            raise BadRequest(f"A search takes {MAX_QUERY} characters at most.")
        answer = find(
            view, text, kind=kind, language=language, limit=PER_PAGE, offset=(page - 1) * PER_PAGE, explained=True
        )
        everything = find(view, text, language=language, limit=1) if kind else answer
        hits, in_texts = view.once(text_index).search(text, limit=_TEXTS_SHOWN) if page == 1 else ([], 0)
        return render_template(
            "browse/search.html",
            text=text,
            kind=kind,
            answer=answer,
            types=everything.by_class,
            all=everything.total,
            entity=terms.ENTITY.value,
            page=page,
            pages=count_pages(min(answer.total, _MAX_PAGES * PER_PAGE), page),
            first=(page - 1) * PER_PAGE + 1,
            texts=_text_cards(view, hits),
            in_texts=in_texts,
            address=lambda **changed: urlencode({"q": text} | ({"type": kind} if kind else {}) | changed),
            truncated=view.once(graph_table).truncated,
        )

    return area


def _text_cards(view: View, hits: list[TextHit]) -> list[tuple[str, str, str, str]]:
    """Label, what tells it from others, page and excerpt of each."""
    table, said = view.once(graph_table), view.once(notes)
    return [
        (table.label(hit.number), said[hit.number], address_of(view, table, hit.number), hit.excerpt) for hit in hits
    ]


def _cards(view: View, table: GraphTable, entities: tuple[int, ...]) -> list[Card]:
    said, texts = view.once(notes), contexts(view, [table.iris[number] for number in entities])
    cards = []
    for number in entities:
        shown = table.names.shown(table.iris[number])
        cards.append(
            Card(
                label=shown.text,
                note=said[number],
                kind=table.kind(number),
                page=address_of(view, table, number),
                picture=picture_address(table, number),
                relations=int(table.degrees[number]),
                media=len(table.media.get(number, ())),
                captioned=bool(table.captioned[number]),
                language=shown.language,
                context=texts.get(table.iris[number], ""),
            )
        )
    return cards
