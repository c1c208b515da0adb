"""Where the things of a graph have their pages, the vocabulary among them. Addresses are from the root of the site."""

from urllib.parse import quote

from web.browse.table import GraphTable
from web.site import View

_PAGES = {"Class": "/browse?type=", "Condition": "/conditions?iri="}


def address_of(view: View, table: GraphTable, number: int) -> str:
    """The page of a thing: of an entity its own, of a class its list, of a relation or a condition what it is for."""
    iri = table.iris[number]
    if number < table.entities:
        return view.addresses.page_of(iri)
    return _PAGES.get(table.kind(number), "/relations?iri=") + quote(iri, safe="")


def picture_address(table: GraphTable, number: int) -> str:
    """The address of an image of an entity; "" where it has none."""
    picture = table.picture(number)
    return f"/media?iri={quote(picture, safe='')}" if picture else ""
