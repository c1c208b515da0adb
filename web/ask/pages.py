"""The form on which questions are asked."""

import logging
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from agents.errors import AgentError, NoQuestion, NoTopic, PicturesFull
from kg.errors import GraphError
from retrieval.errors import RetrievalError
from sparql.errors import Busy
from web.about import GraphAbout
from web.ask.forms import BOUNDS, NUMBERS, STRATEGIES, AskForm
from web.ask.listing import newest
from web.ask.records import read_asked
from web.ask.run_pages import add_run_pages
from web.ask.starting import models_of, players_of, start
from web.ask.uploads import MAX_BYTES, MAX_PICTURES, TYPES, read_pictures
from web.ask.walks import walks_of
from web.errors import BadForm
from web.problems import problem_of
from web.rates import spend
from web.site import Site, View

_LOG = logging.getLogger(__name__)
_RECENT = 8
_MAX_REQUEST = MAX_PICTURES * MAX_BYTES + 256 * 1024
_MAX_PARTS = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a form was not walked: one line, and the name of the field at fault ("" where it is none's)."""

    text: str
    field: str = ""


def ask_blueprint(site: Site) -> Blueprint:
    """The form, the runs, and each run."""
    pages, area = Pages(site), Blueprint("ask", __name__)
    area.add_url_rule("/ask", "form", pages.form)
    area.add_url_rule("/ask", "ask", pages.ask, methods=["POST"])
    add_run_pages(area, site)
    return area


class Pages:
    """The views, bound to one site."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @property
    def _view(self) -> View:
        return self._site.view

    @property
    def _about(self) -> GraphAbout:
        return self._view.about

    def form(self) -> str:
        """The ask form, empty or filled in with an example, an earlier run, or what the address says."""
        return self._form(self._prefilled())

    def ask(self) -> AnyResponse:
        """Begin to walk, and go to the run; or the form again, with what is wrong."""
        spend("ask")
        if request.mimetype == "multipart/form-data":  # it may bring pictures; texts keep their own bound
            request.max_content_length, request.max_form_parts = _MAX_REQUEST, _MAX_PARTS
        form = AskForm.read(request.form)
        try:
            pictures = read_pictures(request.files.getlist("images"))
            run_id = start(self._view, form, walks_of(current_app), pictures=pictures)
        except (BadForm, Busy, AgentError, GraphError, RetrievalError) as error:
            return self._refused(form, error)
        return redirect(url_for("ask.run", run_id=run_id), 303)

    def _refused(self, form: AskForm, error: Exception) -> Response:
        problem = problem_of(error)
        if problem.status >= 500:
            _LOG.warning("a question could not be asked: %s", error)
        page = self._form(form, Fault(problem.detail, _field(error)))
        return make_response(page, problem.status, dict(problem.headers))

    def _prefilled(self) -> AskForm:
        run_id, example = request.args.get("run"), request.args.get("example", type=int)
        if run_id is not None:
            return AskForm.from_run(read_asked(self._view.engine.runs, run_id))
        if example is None:
            return AskForm.read({name: request.args[name] for name in BOUNDS if name in request.args})
        if not 1 <= example <= len(self._about.examples):
            raise NotFound(f"There is no example {example}.")
        return AskForm.from_example(self._about.examples[example - 1])

    def _form(self, form: AskForm, fault: Fault | None = None) -> str:
        players = players_of(self._view)
        return render_template(
            "ask/ask.html",
            about=self._about,
            form=form,
            problem=fault,
            players={name: models_of(player) for name, player in players.items() if not isinstance(player, str)},
            seeing=[name for name, player in players.items() if not isinstance(player, str) and player.sees],
            missing={
                **self._view.engine.missing,
                **{name: why for name, why in players.items() if isinstance(why, str)},
            },
            strategies=STRATEGIES,
            bounds=BOUNDS,
            numbers=NUMBERS,
            picture_types=TYPES.values(),
            max_pictures=MAX_PICTURES,
            max_megabytes=MAX_BYTES // 1024 // 1024,
            recent=newest(self._view.engine.runs, _RECENT),
        )


def _field(error: Exception) -> str:
    """The field of the form that an error is about."""
    if isinstance(error, BadForm):
        return error.field
    if isinstance(error, PicturesFull):
        return "images"
    if isinstance(error, (NoQuestion, NoTopic)):
        return "question" if isinstance(error, NoQuestion) else "topic"
    return "policy" if isinstance(error, AgentError) else ""
