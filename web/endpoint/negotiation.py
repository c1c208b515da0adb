"""
In which media type to answer: what Accept asks for, within what the form of the query can be answered in.

The form is known only to the guard's parser, so both choices are made beforehand. Knows names of formats, too, which
clients send as ``format=`` or ``output=`` beside an Accept that says nothing. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sparql.guard.requests import GRAPH_TYPES, SOLUTIONS_TYPES

JSON, XML, CSV, TSV = SOLUTIONS_TYPES
TURTLE, N_TRIPLES, N_QUADS, TRIG, RDF_XML, JSON_LD = GRAPH_TYPES
HTML = "text/html"

SOLUTIONS: Mapping[str, str] = {
    **{name: name for name in SOLUTIONS_TYPES},
    "application/json": JSON,
    "application/xml": XML,
    "text/xml": XML,
}
"""Media type that is asked for → the one of the guard that it stands for, best first."""
GRAPHS: Mapping[str, str] = {
    **{name: name for name in GRAPH_TYPES},
    "application/x-turtle": TURTLE,
    "application/turtle": TURTLE,
    "text/n3": TURTLE,
    "text/rdf+n3": TURTLE,
    "text/plain": N_TRIPLES,
    "text/x-nquads": N_QUADS,
    "application/x-trig": TRIG,
    "application/xml": RDF_XML,
    "text/xml": RDF_XML,
    "application/json": JSON_LD,
}
_NAMES: Mapping[str, tuple[str | None, str | None]] = {
    "json": (JSON, JSON_LD),
    "xml": (XML, RDF_XML),
    "csv": (CSV, None),
    "tsv": (TSV, None),
    "turtle": (None, TURTLE),
    "ttl": (None, TURTLE),
    "n3": (None, TURTLE),
    "nt": (None, N_TRIPLES),
    "ntriples": (None, N_TRIPLES),
    "nq": (None, N_QUADS),
    "nquads": (None, N_QUADS),
    "trig": (None, TRIG),
    "rdf": (None, RDF_XML),
    "rdfxml": (None, RDF_XML),
    "rdf+xml": (None, RDF_XML),
    "jsonld": (None, JSON_LD),
    "json-ld": (None, JSON_LD),
}
_OLD_NAMES = {"text/n3", "text/rdf+n3", "application/x-turtle", "application/turtle", "text/plain", "text/x-nquads"}
_LONGEST_ACCEPT = 2_000


@dataclass(frozen=True, slots=True)
class Offer:
    """A media type of the guard, and the content type that says so to whoever asked."""

    media_type: str
    content_type: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What to answer in, by the form of the query; None where the asker takes nothing that the form has."""

    solutions: Offer | None
    graph: Offer | None

    def shown(self, media_type: str) -> str:
        """The content type for an answer in ``media_type``."""
        for offer in (self.solutions, self.graph):
            if offer is not None and offer.media_type == media_type:
                return offer.content_type
        return content_type(media_type)


@lru_cache(maxsize=512)
def choose(accept: str, names: tuple[str, ...] = ()) -> Choice:
    """
    The best of each form for an Accept header, "" where none was sent; ``names`` choose where it does not.

    An asker who names formats of the other form only gets the default of this one: it did not know what it asked.

    >>> choose("text/turtle;q=0.5, application/sparql-results+json").graph.media_type
    'text/turtle'
    >>> choose("image/png")
    Choice(solutions=None, graph=None)
    >>> choose("*/*", ("csv",)).solutions.media_type
    'text/csv'
    """
    ranges = read_accept(accept)
    if all(one == "*/*" for one, _ in ranges):
        named = next((found for name in names if (found := _named(name))), (None, None))
        return Choice(_offer(named[0] or JSON), _offer(named[1] or TURTLE))
    solutions, graph = _best(ranges, SOLUTIONS), _best(ranges, GRAPHS)
    if not any(one == "*/*" for one, _ in ranges):
        solutions, graph = solutions or (graph and _offer(JSON)), graph or (solutions and _offer(TURTLE))
    return Choice(solutions, graph)


@lru_cache(maxsize=512)
def best_of(accept: str, offered: tuple[str, ...]) -> str | None:
    """The best of ``offered``, which are ordered by our own liking; None where none will do."""
    if not accept.strip():
        return offered[0]
    best = _best(read_accept(accept), {name: name for name in offered})
    return best.media_type if best else None


def read_accept(accept: str) -> list[tuple[str, float]]:
    """
    The media ranges of an Accept header with their q-values, in the order in which they stand.

    >>> read_accept("text/Turtle; charset=utf-8; Q=0.5, */*;q=x")
    [('text/turtle', 0.5), ('*/*', 0.0)]
    """
    ranges = []
    for part in accept[:_LONGEST_ACCEPT].split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if name:
            ranges.append(("*/*" if name == "*" else name, _quality(parameters)))
    return ranges


def content_type(media_type: str) -> str:
    """The Content-Type of a document of ours: what is called text is in UTF-8."""
    return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type


def _quality(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0


def _named(name: str) -> tuple[str | None, str | None] | None:
    lower = name.strip().lower()
    if lower in _NAMES:
        return _NAMES[lower]
    found = SOLUTIONS.get(lower), GRAPHS.get(lower)
    return found if any(found) else None


def _best(ranges: Sequence[tuple[str, float]], offered: Mapping[str, str]) -> Offer | None:
    """The offer with the highest q; of equals the one that is named most exactly, then first, then liked best by us."""
    best: tuple[float, int, int] = (0.0, 0, 0)
    found = None
    for name in offered:
        quality, exactness, place = _liking(name, ranges)
        if quality > 0 and (quality, exactness, -place) > best:
            best, found = (quality, exactness, -place), name
    return None if found is None else _offer(offered[found], shown=found)


def _liking(name: str, ranges: Sequence[tuple[str, float]]) -> tuple[float, int, int]:
    """The q-value of a media type, how exactly it is named, and where; the most exact range counts."""
    best = (0.0, 0, 0)
    for place, (one, quality) in enumerate(ranges):
        exactness = 3 if one == name else 2 if one == f"{name.partition('/')[0]}/*" else 1 if one == "*/*" else 0
        if exactness > best[1]:
            best = (quality, exactness, place)
    return best


def _offer(media_type: str, *, shown: str = "") -> Offer:
    """An old name is answered with the one that the format has today."""
    return Offer(media_type, content_type(media_type if not shown or shown in _OLD_NAMES else shown))
