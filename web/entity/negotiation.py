"""
In which form an IRI is answered: by the suffix of the address, else by Accept.

https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1, https://www.w3.org/TR/cooluris/. Every answer names the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Response, abort, request

from kg.exporting import FORMATS, Format
from web.addresses import SUFFIXES, Addresses


@dataclass(frozen=True, slots=True)
class Form:
    """One form: ``format`` is None for the page."""

    suffix: str
    media_type: str
    name: str
    format: Format | None = None


FORMS = (
    Form(".html", "text/html", "page"),
    Form(".ttl", "text/turtle", "Turtle", FORMATS["turtle"]),
    Form(".jsonld", "application/ld+json", "JSON-LD", FORMATS["jsonld"]),
    Form(".nt", "application/n-triples", "N-Triples", FORMATS["ntriples"]),
    Form(".rdf", "application/rdf+xml", "RDF/XML", FORMATS["rdfxml"]),
)
"""Best first, where Accept leaves the choice."""
_ALSO = {"application/ld+json": "application/json"}
"""A more general type that a form is of, too."""
_LONGEST_LINK = 60_000
"""Characters; clients such as Python's refuse a header of 65,536, and so would lose the answer."""
_BY_SUFFIX = {form.suffix: form for form in FORMS}


def split_suffix(path: str) -> tuple[str, str]:
    """
    A path and the suffix that asks for a form; "" where there is none.

    >>> split_suffix("rathian.TTL"), split_suffix("rathian"), split_suffix(".ttl")
    (('rathian', '.ttl'), ('rathian', ''), ('.ttl', ''))
    """
    for suffix in SUFFIXES:
        if path.lower().endswith(suffix) and len(path) > len(suffix):
            return path[: -len(suffix)], suffix
    return path, ""


def form_asked(suffix: str, forms: Sequence[Form] = FORMS) -> Form:
    """The form to answer in. Aborts with 406 where Accept takes none of them."""
    if suffix:
        return _BY_SUFFIX[suffix]
    accepted = request.accept_mimetypes
    if not accepted:
        return forms[0]
    best = max(forms, key=_liking)  # the first of equals
    if _liking(best) <= 0:
        offered = ", ".join(form.media_type for form in forms)
        abort(406, f"This can be had as {offered}, and as none of what the request accepts.")
    return best


def _liking(form: Form) -> float:
    """How much Accept likes a form. JSON-LD is JSON too, which is all that many programs ask for."""
    accepted = request.accept_mimetypes
    named = form.media_type in {value.lower() for value in accepted.values()}
    also = _ALSO.get(form.media_type, "") if not named else ""
    return max(accepted.quality(kind) for kind in (form.media_type, also) if kind)


def with_headers(response: Response, iri: str, *, form: Form, addresses: Addresses) -> Response:
    """The response, which says where this form of it stands, and where the others do."""
    root = request.script_root
    response.vary.update(["Accept", "Accept-Language"] if form.format is None else ["Accept"])
    response.headers["Content-Location"] = root + addresses.data_of(iri, form.suffix)
    others = [one for one in FORMS if one is not form]
    links = [
        f'<{root}{addresses.data_of(iri, one.suffix)}>; rel="alternate"; type="{one.media_type}"' for one in others
    ]
    link = ", ".join(links)
    if len(link) <= _LONGEST_LINK:
        response.headers["Link"] = link
    return response
