"""The pages of runs: each as it is walked and when it is over, its downloads, and the list of them all."""

import json
from collections.abc import Sequence

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from agents.errors import RunNotFound
from agents.provenance import provenance
from agents.run_status import STATES, RunStatus, is_stop_wanted, request_stop
from agents.runs import RunFolder
from web.about import GraphAbout
from web.ask.drawing import draw
from web.ask.events import Event, read_events
from web.ask.forms import STRATEGIES
from web.ask.listing import MAX_PAGE, list_runs
from web.ask.records import (
    PICTURE,
    EntityRecord,
    RunRecord,
    load_result,
    load_trace,
    read_asked,
    read_run,
)
from web.ask.steps import gather, rounds_of_steps, spent_in
from web.ask.stream import read_place, streams_of
from web.ask.uploads import TYPES
from web.site import Site

_PER_PAGE = 50
_MAX_LINK = 6000
"""Characters of a query that still go into an address; a longer one is sent by a form."""


def add_run_pages(area: Blueprint, site: Site) -> None:
    """Give ``area`` the addresses of runs."""
    pages = RunPages(site)
    area.add_url_rule("/runs", "runs", pages.runs)
    area.add_url_rule("/runs/<run_id>", "run", pages.run)
    area.add_url_rule("/runs/<run_id>/stop", "stop", pages.stop, methods=["POST"])
    area.add_url_rule("/runs/<run_id>/events", "events", pages.events)
    area.add_url_rule("/runs/<run_id>/media/<name>", "picture", pages.picture)
    area.add_url_rule("/runs/<run_id>.json", "run_json", pages.run_json)
    area.add_url_rule("/runs/<run_id>.ttl", "run_turtle", pages.run_turtle)
    area.add_url_rule("/runs/<run_id>/trace.jsonl", "run_trace", pages.run_trace)


class RunPages:
    """The views, bound to one site."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @property
    def _runs(self) -> RunFolder:
        return self._site.view.engine.runs

    @property
    def _about(self) -> GraphAbout:
        return self._site.view.about

    def run(self, run_id: str) -> Response:
        """One run: the walk as it is now; when it is over, answer, routes, walk and cost."""
        status = self._runs.status(run_id)
        is_whole = status.state in {"finished", "stopped"} and self._runs.has_result(run_id)
        page = self._whole(run_id) if is_whole and "watch" not in request.args else self._partial(run_id, status)
        response = make_response(page)
        response.headers["Cache-Control"] = "no-store"
        return response

    def stop(self, run_id: str) -> AnyResponse:
        """Ask the run to end, and go back to its page."""
        if not self._runs.status(run_id).is_over:
            request_stop(self._runs.folder(run_id))
        return redirect(url_for("ask.run", run_id=run_id), 303)

    def events(self, run_id: str) -> Response:
        """The walk as server-sent events, from the beginning or from where the asker was."""
        place = request.headers.get("Last-Event-ID") or request.args.get("after")
        return streams_of(current_app).respond(self._runs, run_id, after=read_place(place))

    def picture(self, run_id: str, name: str) -> Response:
        """A picture that came with the question."""
        path = self._runs.folder(run_id) / name
        if not PICTURE.fullmatch(name) or path.is_symlink() or not path.is_file():
            raise NotFound("There is no such picture.")
        return Response(path.read_bytes(), mimetype=TYPES[path.suffix[1:]])

    def run_json(self, run_id: str) -> Response:
        """The result of a run, for programs."""
        text = json.dumps(load_result(self._runs, run_id), ensure_ascii=False, indent=1)
        return Response(text.encode("utf-8", "backslashreplace"), mimetype="application/json")

    def run_turtle(self, run_id: str) -> Response:
        """Where the answer comes from, as PROV-O."""
        text = provenance_of(self._runs, run_id)
        response = Response(text, content_type="text/turtle; charset=utf-8")
        response.headers["Content-Disposition"] = f'inline; filename="run-{run_id}.ttl"'
        return response

    def run_trace(self, run_id: str) -> Response:
        """Every event of a run, one a line."""
        lines = [json.dumps(event, ensure_ascii=False) + "\n" for event in load_trace(self._runs, run_id)]
        return Response("".join(lines).encode("utf-8", "backslashreplace"), mimetype="application/jsonl")

    def runs(self) -> str:
        """All runs, newest first."""
        state, policy = request.args.get("state", ""), request.args.get("policy", "")
        page = request.args.get("page", 1, type=int)
        if state not in {"", *STATES}:
            raise NotFound("There is no such state of a run.")
        if not 0 < page <= MAX_PAGE:
            raise NotFound("There is no such page of the runs.")
        listing = list_runs(self._runs, page=page, per_page=_PER_PAGE, state=state, policy=policy)
        if page > 1 and not listing.runs and not listing.hidden:
            raise NotFound(f"There is no page {page} of the runs.")
        engine = self._site.view.engine
        policies = sorted({*engine.policies, *engine.missing, *([policy] if policy else [])})
        chosen = {"state": state or None, "policy": policy or None}
        return render_template(
            "ask/runs.html", listing=listing, page=page, states=STATES, policies=policies, chosen=chosen
        )

    def _whole(self, run_id: str) -> str:
        run, events = read_run(self._runs, run_id), self._events(run_id)
        kinds = [[self._about.kind(entity.types) for entity in route.entities] for route in run.paths]
        entities = _entities(run)
        return render_template(
            "ask/run.html",
            run=run,
            about=self._about,
            drawing=draw(run.paths, kinds),
            entities=entities,
            numbers={iri: number for number, iri in enumerate(entities)},
            walk=gather(events, kept=run.paths),
            found_in=rounds_of_steps(events),
            strategies=STRATEGIES,
            max_link=_MAX_LINK,
        )

    def _partial(self, run_id: str, status: RunStatus) -> str:
        events = self._events(run_id)
        return render_template(
            "ask/live.html",
            run=read_asked(self._runs, run_id),
            status=status,
            is_stopping=not status.is_over and is_stop_wanted(self._runs.folder(run_id)),
            is_replay=status.is_over and "watch" in request.args,
            has_result=self._runs.has_result(run_id),
            walk=gather(events),
            spent=spent_in(events),
            strategies=STRATEGIES,
            max_link=_MAX_LINK,
        )

    def _events(self, run_id: str) -> Sequence[Event]:
        """The events so far; a run that has just begun, or that died at once, has none."""
        if not self._runs.has_trace(run_id):
            return []
        return read_events(self._runs, run_id)


def provenance_of(runs: RunFolder, run_id: str) -> str:
    """The provenance of a run as Turtle. Raises agents.errors.RunNotFound, RunUnreadable."""
    status = runs.status(run_id)
    try:
        result = load_result(runs, run_id)
    except RunNotFound:
        if runs.has_result(run_id):
            raise
        result = None
    trace = load_trace(runs, run_id) if runs.has_trace(run_id) else []
    asked = result or read_asked(runs, run_id).model_dump(mode="json")
    return provenance(run_id, status=status, asked=asked, result=result, trace=trace)


def _entities(run: RunRecord) -> dict[str, EntityRecord]:
    """The entities of the kept routes, each once, in the order in which a reader meets them."""
    return {entity.iri: entity for route in run.paths for entity in route.entities}
