"""``/healthz`` and ``/metrics``: whether the server is well, for what watches over it, and what it has been doing."""

import json
import logging
import time
from importlib import metadata

from flask import Blueprint, Flask, Response, g, request
from flask.blueprints import BlueprintSetupState
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from kg.errors import GraphError
from web.ask.walks import walks_of
from web.problems import problem_of
from web.site import Site

_LOG = logging.getLogger(__name__)
_NO_ROUTE = "(none)"


def operations_blueprint(site: Site) -> Blueprint:
    """The two addresses, and what counts the requests to all others."""
    area = Blueprint("operations", __name__)
    metrics = site.metrics
    metrics.watch("generation", "The generation of the graph.", lambda: (site.home and site.home.current()) or 0)
    metrics.watch("triples", "Triples of the graph that is shown.", lambda: site.view.about.counts.triples)

    def watch_walks(state: BlueprintSetupState) -> None:
        app: Flask = state.app  # type: ignore[assignment]  # the only application there is
        metrics.watch("asks_running", "Questions that are being walked.", lambda: walks_of(app).under_way)

    def begin() -> None:
        g.begun = time.perf_counter()

    def count(response: Response) -> Response:
        route = request.url_rule.rule if request.url_rule else _NO_ROUTE
        method = request.method if request.url_rule else _NO_ROUTE
        metrics.requests.labels(route, method, str(response.status_code)).inc()
        if "begun" in g:
            metrics.seconds.labels(route).observe(time.perf_counter() - g.begun)
        return response

    version = metadata.version("scoutfly")  # read once: the disk may be what ails the server

    @area.get("/healthz")
    def healthz() -> Response:
        try:
            generation = site.home.check() if site.home else None
        except GraphError as error:
            _LOG.error("the graph cannot be read: %s", error)
            return _json({"status": "failing", "reason": problem_of(error).detail, "version": version}, 503)
        return _json({"status": "ok", "generation": generation, "version": version}, 200)

    @area.get("/metrics")
    def metrics_page() -> Response:
        return Response(generate_latest(metrics.registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)

    area.record_once(watch_walks)
    area.before_app_request(begin)
    area.after_app_request(count)
    return area


def _json(said: dict[str, object], status: int) -> Response:
    return Response(json.dumps(said) + "\n", status, content_type="application/json")
