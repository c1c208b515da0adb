"""The page on which media are searched, by a file or by words: ``/search/media``."""

import logging

from flask import Blueprint, Response, make_response, render_template, request

from agents.errors import AgentError
from agents.media_retrieval import Evidence
from kg.errors import GraphError
from retrieval.errors import RetrievalError
from web.entity.pages import reader_maker
from web.errors import BadForm
from web.problems import problem_of
from web.rates import spend
from web.search.asking import MOST_BYTES, MOST_FILES, Wanted, search
from web.search.shown import Found, shown
from web.site import Site

_LOG = logging.getLogger(__name__)
MAX_REQUEST = MOST_FILES * MOST_BYTES + 256 * 1024
MAX_PARTS = 20
_BOUNDS = {"k": (1, 50), "hops": (1, 3)}
_LONGEST = 500


def search_blueprint(site: Site) -> Blueprint:
    """The form, and what it finds."""
    area = Blueprint("media_search", __name__)
    reader_of = reader_maker(site)

    @area.get("/search/media")
    def form() -> str:
        return _page(site, Wanted())

    @area.post("/search/media")
    def found() -> Response | str:
        spend("ask")
        request.max_content_length, request.max_form_parts = MAX_REQUEST, MAX_PARTS
        wanted = Wanted()
        try:
            wanted = read_form()
            evidence = search(site, request.files.getlist("files"), wanted)
        except (BadForm, RetrievalError, AgentError, GraphError) as error:
            problem = problem_of(error)
            if problem.status >= 500:
                _LOG.warning("media could not be searched: %s", error)
            page = _page(site, wanted, problem=problem.detail)
            return make_response(page, problem.status, dict(problem.headers))
        return _page(site, wanted, found=shown(evidence, reader_of()), evidence=evidence)

    return area


def read_form() -> Wanted:
    """What the fields of the form say. Raises BadForm, naming the field."""
    said = {name: request.form.get(name, "").strip()[:_LONGEST] for name in ("text", "question", "tau")}
    numbers = {name: _number(name, *bounds) for name, bounds in _BOUNDS.items()}
    try:
        tau = float(said["tau"]) if said["tau"] else None
    except ValueError as error:
        raise BadForm("tau", "The distance must be a number, such as 0.8.") from error
    if tau is not None and not 0 <= tau <= 1e6:
        raise BadForm("tau", "The distance must be a number from 0.")
    return Wanted(said["text"], said["question"], numbers["k"], tau, numbers["hops"], request.form.get("grasp") == "on")


def _number(name: str, least: int, most: int) -> int:
    text = request.form.get(name, "").strip() or str(getattr(Wanted(), name))
    if not (text.isascii() and text.isdigit() and len(text) < 6 and least <= int(text) <= most):
        raise BadForm(name, f"{name} must be a whole number from {least} to {most}.")
    return int(text)


def _page(
    site: Site,
    wanted: Wanted,
    *,
    found: tuple[Found, ...] = (),
    evidence: Evidence | None = None,
    problem: str = "",
) -> str:
    indexes, trouble = [], ""
    if site.retriever is not None:
        try:
            indexes = site.retriever(site.view.engine.store).there()
        except RetrievalError as error:
            trouble = str(error)
    return render_template(
        "search/media.html",
        about=site.view.about,
        wanted=wanted,
        found=found,
        evidence=evidence,
        problem=problem or trouble,
        indexes=indexes,
        elsewhere=site.retriever is None,
        bounds=_BOUNDS,
        max_megabytes=MOST_BYTES >> 20,
        max_files=MOST_FILES,
    )
