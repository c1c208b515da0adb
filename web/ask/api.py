"""Asking and runs for programs: the operations at /api/ask and /api/runs."""

from typing import Literal

from flask import Response, current_app, jsonify, request, url_for
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag
from pydantic import BaseModel, ConfigDict, Field

from agents.run_status import RunStatus, State, request_stop
from agents.runs import RunFolder
from web.ask.forms import BOUNDS, NUMBERS, AskForm
from web.ask.listing import MAX_PAGE, list_runs
from web.ask.records import load_result
from web.ask.starting import start
from web.ask.stream import read_place, streams_of
from web.ask.walks import walks_of
from web.rates import spend
from web.site import Site

_TAG = Tag(name="ask", description="Questions, and the runs that answer them.")
_RUN_ID = r"^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$"
_MAX_WAIT_S = 30.0


class AskBody(BaseModel):
    """A question, and how to walk. A field that is left out is as on the form."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=BOUNDS["question"])
    topic: str = Field("", max_length=BOUNDS["topic"], description="Label or IRI of the entity to start from.")
    extra: str = Field("", max_length=BOUNDS["extra"], description="What else is known.")
    caption: str = Field("", max_length=BOUNDS["caption"], description="What the question's picture shows.")
    policy: str = Field("", max_length=50, description="Who plays the roles; the first of this server's if left out.")
    strategy: Literal["bfs", "dfs"] = "bfs"
    paths: int = Field(int(NUMBERS["paths"].first), ge=1, le=NUMBERS["paths"].most, description="Routes to keep.")
    depth: int = Field(int(NUMBERS["depth"].first), ge=1, le=NUMBERS["depth"].most, description="Steps from the topic.")
    calls: int = Field(int(NUMBERS["calls"].first), ge=1, le=NUMBERS["calls"].most, description="Calls of models.")
    seconds: int = Field(int(NUMBERS["seconds"].first), ge=1, le=NUMBERS["seconds"].most)
    tokens: int | None = Field(None, ge=1, le=NUMBERS["tokens"].most, description="Tokens in and out.")
    enough: int | None = Field(None, ge=1, le=NUMBERS["enough"].most, description="Sufficient routes to stop at.")
    wait: float = Field(0.0, ge=0, le=_MAX_WAIT_S, description="Seconds to wait for the answer.")


class RunPath(BaseModel):
    """Which run."""

    run_id: str = Field(pattern=_RUN_ID, max_length=40)


class RunsQuery(BaseModel):
    """Which runs to list."""

    state: State | None = None
    policy: str = Field("", max_length=50)
    page: int = Field(1, ge=1, le=MAX_PAGE)
    per_page: int = Field(50, ge=1, le=200)


class EventsQuery(BaseModel):
    """Where in the walk to begin."""

    after: int = Field(-1, ge=-1, le=999_999_999, description="The place of the last event that is known already.")


class Links(BaseModel):
    """The addresses of a run."""

    self: str
    page: str
    events: str
    stop: str
    trace: str
    provenance: str


class RunModel(BaseModel):
    """A run in short."""

    run: str
    state: State
    question: str
    topic: str
    policy: str
    models: list[str]
    started: str
    answer: str = Field(description="The first line of the answer.")
    routes: int
    calls: int
    tokens: int
    seconds: float
    problem: str = Field(description="Why it failed.")
    links: Links


class WholeRunModel(RunModel):
    """A run with all that it found; ``result`` is null where it has no result (yet)."""

    result: dict[str, object] | None = Field(
        description="Answer, routes, SPARQL, media items, cost; the routes are there also where no answer is."
    )


class RunsModel(BaseModel):
    """A page of runs, newest first."""

    runs: list[RunModel]
    page: int
    more: bool


def ask_api(site: Site) -> APIBlueprint:
    """The operations."""
    area = APIBlueprint("runs_api", __name__, url_prefix="/api")

    def folder() -> RunFolder:
        return site.view.engine.runs

    @area.post("/ask", tags=[_TAG], summary="Ask a question", responses={200: WholeRunModel, 202: WholeRunModel})
    def ask(body: AskBody) -> Response:
        """Begins to walk, and says where the run is; 200 where it was over within the time to wait."""
        spend("ask")
        values = body.model_dump(exclude={"wait"}, exclude_none=True)
        form = AskForm.read({name: str(value) for name, value in values.items()})
        run_id = start(site.view, form, walks_of(current_app), wait_s=body.wait)
        response = jsonify(_whole(folder(), run_id))
        response.status_code = 200 if folder().status(run_id).is_over else 202
        response.headers["Location"] = url_for("runs_api.run", run_id=run_id)
        return response

    @area.get("/runs", tags=[_TAG], summary="The runs, newest first", responses={200: RunsModel})
    def runs(query: RunsQuery) -> Response:
        listing = list_runs(
            folder(), page=query.page, per_page=query.per_page, state=query.state or "", policy=query.policy
        )
        shown = [_short(listed.run, listed.status) for listed in listing.runs]
        return jsonify({"runs": shown, "page": query.page, "more": listing.more})

    @area.get("/runs/<run_id>", tags=[_TAG], summary="One run", responses={200: WholeRunModel})
    def run(path: RunPath) -> Response:
        return jsonify(_whole(folder(), path.run_id))

    @area.get(
        "/runs/<run_id>/events",
        tags=[_TAG],
        summary="The walk as it happens",
        description="Server-sent events: each step of the walk as JSON, from the beginning or from Last-Event-ID on; "
        "the last is of the type done. A stream ends after two minutes at most: come back with Last-Event-ID.",
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    )
    def run_events(path: RunPath, query: EventsQuery) -> Response:
        place = max(query.after, read_place(request.headers.get("Last-Event-ID")))
        return streams_of(current_app).respond(folder(), path.run_id, after=place)

    @area.post("/runs/<run_id>/stop", tags=[_TAG], summary="Stop a walk", responses={202: RunModel})
    def stop_run(path: RunPath) -> Response:
        """No further call begins; calls that models are at are abandoned. No matter if it is over."""
        status = folder().status(path.run_id)
        if not status.is_over:
            request_stop(folder().folder(path.run_id))
        response = jsonify(_short(path.run_id, status))
        response.status_code = 202
        return response

    return area


def _short(run_id: str, status: RunStatus) -> dict[str, object]:
    links = Links(
        self=url_for("runs_api.run", run_id=run_id),
        page=url_for("ask.run", run_id=run_id),
        events=url_for("runs_api.run_events", run_id=run_id),
        stop=url_for("runs_api.stop_run", run_id=run_id),
        trace=url_for("ask.run_trace", run_id=run_id),
        provenance=url_for("ask.run_turtle", run_id=run_id),
    )
    return RunModel(
        run=run_id,
        state=status.state,
        question=status.question,
        topic=status.topic,
        policy=status.policy,
        models=list(status.models),
        started=status.started,
        answer=status.answer,
        routes=status.routes,
        calls=status.calls,
        tokens=status.tokens,
        seconds=status.seconds,
        problem=status.problem,
        links=links,
    ).model_dump()


def _whole(runs: RunFolder, run_id: str) -> dict[str, object]:
    status = runs.status(run_id)
    has_result = runs.has_result(run_id)
    return _short(run_id, status) | {"result": load_result(runs, run_id) if has_result else None}
