"""The pages with all values that a list can be narrowed down by: where the list itself offers the most frequent."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import render_template, request
from werkzeug.exceptions import BadRequest

from web.browse.listing import count_pages, read_page
from web.browse.search import MAX_QUERY
from web.browse.words import fold

_PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class Offer:
    """One value: what it is called, what tells it from others, how many have it, the address of the narrowed list."""

    label: str
    note: str
    count: int
    address: str
    chosen: bool = False


def render_offers(
    offers: Sequence[Offer], *, heading: str, back: str, name: str, here: str, kept: Sequence[tuple[str, str]]
) -> str:
    """
    A page of the offers that the words in ``q`` fit.

    ``back`` is the address of the list called ``name``, ``here`` the path of this page, with the parameters ``kept``;
    all from the root of the site. Raises werkzeug's BadRequest, NotFound.
    """
    text = request.args.get("q", "").strip()
    if len(text) > MAX_QUERY:
        raise BadRequest(f"The parameter q takes {MAX_QUERY} characters at most.")
    fitting = [offer for offer in offers if fold(text) in fold(offer.label)]
    page = read_page(request.args)
    return render_template(
        "browse/values.html",
        heading=heading,
        back=back,
        name=name,
        here=here,
        kept=kept,
        text=text,
        offers=fitting[(page - 1) * _PER_PAGE : page * _PER_PAGE],
        total=len(fitting),
        page=page,
        pages=count_pages(len(fitting), page, per_page=_PER_PAGE),
        address=lambda number: f"{request.script_root}{here}?{urlencode([*kept, ('q', text), ('page', number)])}",
    )
