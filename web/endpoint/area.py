"""The area of the endpoint: its addresses, and what all their answers have in common."""

from collections.abc import Callable

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotImplemented as NotHere

from sparql.guard.requests import CatchesUp, Guard
from web.endpoint.addresses import here
from web.endpoint.description import describe_graph, limits_in_short
from web.endpoint.generations import Generations
from web.endpoint.graphs import STORE, Graphs
from web.endpoint.negotiation import best_of, content_type
from web.endpoint.queries import DESCRIPTIONS, Queries
from web.endpoint.sharing import sharer
from web.site import Site, WebSettings

_TOLD_OF_LIMITS = {413, 503}


def endpoint_blueprint(site: Site) -> Blueprint:
    """SPARQL, single graphs, and their description; where the graph is elsewhere, a line that says where."""
    area = Blueprint("endpoint", __name__)
    area.after_app_request(sharer(site.settings))
    if site.guard is None or site.home is None:
        _point_elsewhere(area, site.settings.endpoint)
        return area
    generations, settings = Generations(site.home, written=_catcher(site.guard)), site.settings
    queries, graphs = Queries(site.guard, generations, settings), Graphs(site.guard, generations, settings)
    area.add_url_rule("/sparql", "query", queries.query, methods=["GET", "POST"])
    area.add_url_rule("/sparql/update", "update", queries.update, methods=["POST"])
    for rule in (STORE, f"{STORE}/<path:path>"):
        for method, view in (("GET", graphs.read), ("PUT", graphs.put), ("DELETE", graphs.delete)):
            area.add_url_rule(rule, f"{method.lower()}_graph", view, methods=[method])
        area.add_url_rule(rule, "post_graph", graphs.post, methods=["POST"])

    @area.get("/.well-known/void")
    def void() -> Response:
        # A browser is no reason for a page of its own here: it gets Turtle, which can be read.
        media_type = best_of(request.headers.get("Accept", ""), DESCRIPTIONS[:-1]) or DESCRIPTIONS[0]
        body = describe_graph(generations, root=here(request, ""), media_type=media_type)
        return Response(body, content_type=content_type(media_type))

    area.after_request(_marker(settings))
    return area


def _catcher(guard: Guard) -> Callable[[int], None]:
    """What has queries see a generation before its writer is answered."""
    return guard.reach if isinstance(guard, CatchesUp) else lambda _number: None


def _marker(settings: WebSettings) -> Callable[[Response], Response]:
    """What says of an answer that it was negotiated, and of one that met a limit what the limits are."""
    limits = limits_in_short(settings.limits)

    def mark(response: Response) -> Response:
        response.headers.add("Vary", "Accept")
        if response.status_code in _TOLD_OF_LIMITS:
            response.headers["Scoutfly-Limits"] = limits
        return response

    return mark


def _point_elsewhere(area: Blueprint, endpoint: str) -> None:
    def elsewhere(**_: str) -> Response:
        raise NotHere(f"The graph is not kept here. Ask the endpoint at {endpoint or 'its own server'}.")

    for rule in ("/sparql", "/sparql/update", STORE, f"{STORE}/<path:path>", "/.well-known/void"):
        area.add_url_rule(rule, "elsewhere", elsewhere, methods=["GET", "POST", "PUT", "DELETE"])
