"""
``/sparql`` and ``/sparql/update``: strangers' queries, run by the guard, and updates by whoever has the token.

https://www.w3.org/TR/sparql11-protocol/. An answer stands whole before its status line is sent, so that what the
guard ends is an error with a reason and never half an answer.
"""

import re
import time
from collections.abc import Sequence

import pyoxigraph as ox
from flask import Response, redirect, request
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as AnyResponse

from sparql.errors import NotAcceptable
from sparql.guard.requests import Guard, QueryRequest, UpdateRequest
from web.endpoint.addresses import here
from web.endpoint.description import describe_service
from web.endpoint.generations import Generations
from web.endpoint.negotiation import GRAPHS, HTML, SOLUTIONS, Choice, best_of, choose, content_type
from web.endpoint.protocol import Operation, read_operation
from web.rates import spend
from web.site import WebSettings
from web.tokens import require_token

DESCRIPTIONS = ("text/turtle", "application/rdf+xml", "application/ld+json", "application/n-triples", HTML)
_NAMES = ("format", "output", "results")
_CHANGING_WORDS = ("now", "rand", "uuid", "bnode")
_CHANGING = re.compile(r"\b(?:now|rand|uuid|struuid|bnode)\s*\(")
"""What gives another answer each time."""
_STARTED = f"{time.time_ns():x}"


class Queries:
    """The two addresses, bound to what answers them."""

    def __init__(self, guard: Guard, generations: Generations, settings: WebSettings) -> None:
        self._guard, self._generations, self._settings = guard, generations, settings

    def query(self) -> AnyResponse:
        """The answer of a query; without one, what this service is."""
        operation = read_operation(request, "query", most_bytes=self._settings.limits.query_bytes)
        if operation.text is None:
            return self._description()
        spend("query")
        choice = choose(request.headers.get("Accept", ""), _names(operation))
        if choice.solutions is None and choice.graph is None:
            raise NotAcceptable(f"answers can be had as {', '.join(dict.fromkeys([*SOLUTIONS, *GRAPHS]))}")
        generation = self._generations.number()  # a home that is damaged is told, whatever the workers hold
        if request.method != "GET" or _is_changing(operation.text):
            return self._answer(operation, operation.text, choice)[0]
        if "HTTP_IF_NONE_MATCH" in request.environ:
            tag = _tag(choice, generation)
            if request.if_none_match.contains_weak(tag):
                return _tagged(Response(status=304), tag)
        response, generation = self._answer(operation, operation.text, choice)
        return _tagged(response, _tag(choice, generation))

    def update(self) -> Response:
        """Runs an update."""
        require_token(request, self._settings)
        operation = read_operation(request, "update", most_bytes=self._settings.limits.update_bytes)
        asked = UpdateRequest(
            operation.text or "",
            using_graphs=_graphs(operation, "using-graph-uri"),
            using_named_graphs=_graphs(operation, "using-named-graph-uri"),
            base_iri=here(request, "/sparql/update"),
        )
        self._generations.number()
        generation = self._guard.update(asked)
        return Response(status=204, headers={"Scoutfly-Generation": str(generation)})

    def _answer(self, operation: Operation, text: str, choice: Choice) -> tuple[Response, int]:
        """The answer, and the generation that gave it: while a new one is being loaded it is the one before."""
        asked = QueryRequest(
            text,
            default_graphs=_graphs(operation, "default-graph-uri"),
            named_graphs=_graphs(operation, "named-graph-uri"),
            union=self._settings.union_default_graph,
            base_iri=here(request, "/sparql"),
            solutions_type=choice.solutions.media_type if choice.solutions else None,
            graph_type=choice.graph.media_type if choice.graph else None,
        )
        answer = self._guard.query(asked)
        return Response(answer.body, content_type=choice.shown(answer.media_type)), answer.generation

    def _description(self) -> AnyResponse:
        media_type = best_of(request.headers.get("Accept", ""), DESCRIPTIONS)
        if media_type is None:
            raise NotAcceptable(f"what this service is can be had as {', '.join(DESCRIPTIONS)}")
        if media_type == HTML:
            return redirect(f"{request.script_root}/query", 303)
        body = describe_service(self._generations, self._settings, root=here(request, ""), media_type=media_type)
        return Response(body, content_type=content_type(media_type))


def _is_changing(text: str) -> bool:
    """Whether the answer may change by itself, so that none may be kept."""
    lower = text.lower()
    return any(word in lower for word in _CHANGING_WORDS) and _CHANGING.search(lower) is not None


def _tag(choice: Choice, generation: int) -> str:
    """What stands for the answer, of one address, as long as the graph does not change."""
    kinds = "".join(offer.content_type if offer else "-" for offer in (choice.solutions, choice.graph))
    return f"{_STARTED}-{generation}-{hash(kinds) & 0xFFFFFFFF:x}"


def _names(operation: Operation) -> tuple[str, ...]:
    return tuple(value[:40] for name, value in operation.parameters if name in _NAMES)[:3]


def _graphs(operation: Operation, name: str) -> Sequence[str]:
    given = operation.all(name)
    for iri in given:
        try:
            ox.NamedNode(iri)
        except ValueError as error:
            raise BadRequest(f"The parameter {name} is no IRI: {error}.") from error
    return given


def _tagged(response: Response, tag: str) -> Response:
    response.set_etag(tag, weak=True)
    return response
