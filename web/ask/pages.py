"""The pages on which questions are asked and runs are seen: what each address answers."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from agents.engine import Engine
from agents.errors import AgentError, ChatError, NoQuestion, NoTopic, RunNotFound, SettingsError
from agents.runs import RunFolder
from kg.errors import EndpointError, GraphError
from retrieval.errors import RetrievalError
from web.about import GraphAbout
from web.ask.drawing import draw
from web.ask.events import read_events
from web.ask.forms import BOUNDS, MAX_PATHS, STRATEGIES, AskForm
from web.ask.records import EntityRecord, RunRecord, load_result, load_trace, read_run
from web.ask.steps import gather
from web.errors import BadForm, RunUnreadable
from web.failures import sentence
from web.site import Site

_LOG = logging.getLogger(__name__)
_RECENT = 8
_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a form was not walked: one line, and the name of the field at fault ("" where it is none's)."""

    text: str
    field: str = ""


def ask_blueprint(site: Site) -> Blueprint:
    """The form, the runs, and each run."""
    pages, area = Pages(site), Blueprint("ask", __name__)
    area.add_url_rule("/ask", "form", pages.form)
    area.add_url_rule("/ask", "ask", pages.ask, methods=["POST"])
    area.add_url_rule("/runs", "runs", pages.runs)
    area.add_url_rule("/runs/<run_id>", "run", pages.run)
    area.add_url_rule("/runs/<run_id>.json", "run_json", pages.run_json)
    area.add_url_rule("/runs/<run_id>/trace.jsonl", "run_trace", pages.run_trace)
    return area


class Pages:
    """The views, bound to one site."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @property
    def _engine(self) -> Engine:
        return self._site.view.engine

    @property
    def _about(self) -> GraphAbout:
        return self._site.view.about

    def form(self) -> str:
        """The ask form, empty or filled in with an example or an earlier run."""
        return self._form(self._prefilled())

    def ask(self) -> tuple[str, int] | AnyResponse:
        """Walk, and go to the run; or the form again, with what is wrong."""
        form = AskForm.read(request.form)
        form = replace(form, policy=form.policy or self._engine.policies[0])
        try:
            form.check(policies=self._engine.policies, missing=self._engine.missing)
            run_id, _ = self._engine.ask(form.to_question(), policy=form.policy, settings=form.to_settings())
        except BadForm as error:
            return self._form(form, Problem(str(error), error.field)), 400
        except (AgentError, GraphError, RetrievalError) as error:
            _LOG.info("a question could not be answered: %s", error)
            return self._form(form, Problem(sentence(error), _field(error))), _status(error)
        return redirect(url_for("ask.run", run_id=run_id), 303)

    def run(self, run_id: str) -> str:
        """One run: answer, routes, walk, cost."""
        run = read_run(self._engine.runs, run_id)
        kinds = [[self._about.kind(entity.types) for entity in route.entities] for route in run.paths]
        entities = _entities(run)
        return render_template(
            "ask/run.html",
            run=run,
            about=self._about,
            drawing=draw(run.paths, kinds),
            entities=entities,
            numbers={iri: number for number, iri in enumerate(entities)},
            walk=gather(read_events(self._engine.runs, run_id), kept=run.paths),
            strategies=STRATEGIES,
        )

    def run_json(self, run_id: str) -> Response:
        """The result of a run, for programs."""
        text = json.dumps(load_result(self._engine.runs, run_id), ensure_ascii=False, indent=1)
        return Response(text, mimetype="application/json")

    def run_trace(self, run_id: str) -> Response:
        """Every event of a run, one a line."""
        lines = [json.dumps(event, ensure_ascii=False) + "\n" for event in load_trace(self._engine.runs, run_id)]
        return Response("".join(lines), mimetype="application/jsonl")

    def runs(self) -> str:
        """The finished runs, newest first."""
        ids = list(self._engine.runs.ids())
        page, pages = request.args.get("page", 1, type=int), max(1, -(-len(ids) // _PER_PAGE))
        if not 1 <= page <= pages:
            raise NotFound(f"There is no page {page} of the runs.")
        shown = ids[(page - 1) * _PER_PAGE : page * _PER_PAGE]
        runs = list(_readable(self._engine.runs, shown))
        return render_template("ask/runs.html", runs=runs, hidden=len(shown) - len(runs), page=page, pages=pages)

    def _prefilled(self) -> AskForm:
        run_id, example = request.args.get("run"), request.args.get("example", type=int)
        if run_id is not None:
            return AskForm.from_run(read_run(self._engine.runs, run_id))
        if example is None:
            return AskForm()
        if not 1 <= example <= len(self._about.examples):
            raise NotFound(f"There is no example {example}.")
        return AskForm.from_example(self._about.examples[example - 1])

    def _form(self, form: AskForm, problem: Problem | None = None) -> str:
        return render_template(
            "ask/ask.html",
            about=self._about,
            form=form,
            problem=problem,
            policies=self._engine.policies,
            missing=self._engine.missing,
            strategies=STRATEGIES,
            bounds=BOUNDS,
            max_paths=MAX_PATHS,
            recent=list(_readable(self._engine.runs, islice(self._engine.runs.ids(), _RECENT))),
        )


def _entities(run: RunRecord) -> dict[str, EntityRecord]:
    """The entities of the kept routes, each once, in the order in which a reader meets them."""
    return {entity.iri: entity for route in run.paths for entity in route.entities}


def _readable(runs: RunFolder, ids: Iterator[str] | list[str]) -> Iterator[RunRecord]:
    """The runs of these ids, but for the damaged ones: one of them must not take the page away."""
    for run_id in ids:
        try:
            yield read_run(runs, run_id)
        except (RunNotFound, RunUnreadable) as error:
            _LOG.warning("left out of the list: %s", error)


def _field(error: Exception) -> str:
    """The field of the form that an error is about."""
    if isinstance(error, (NoQuestion, NoTopic)):
        return "question" if isinstance(error, NoQuestion) else "topic"
    return "policy" if isinstance(error, AgentError) else ""


def _status(error: Exception) -> int:
    """400 where asking otherwise helps, 502 where a server that we ask does not answer, 500 for the rest."""
    if isinstance(error, (NoQuestion, NoTopic, SettingsError)):
        return 400
    return 502 if isinstance(error, (ChatError, EndpointError)) else 500
