"""
How it is told that something went wrong: a page for people, problem+json (RFC 9457) for programs, plain text on wish.

Who asked shows in the address and in Accept. No answer holds a traceback: what is not to be foreseen is logged under
an id, and the id is told.
"""

import json
import secrets

from flask import Flask, Response, current_app, g, render_template, request
from werkzeug.exceptions import HTTPException

from kg.exporting import FORMATS
from web.addresses import SUFFIXES
from web.problems import OURS, Problem, problem_of, sentence

__all__ = ["PROBLEM_TYPE", "handle_failures", "new_failure", "sentence"]

PROBLEM_TYPE = "application/problem+json"
_FOR_PROGRAMS = ("/api", "/.well-known", "/openapi.json", "/healthz", "/metrics")
_TO_READ = ("/sparql", "/store")
"""Where programs ask that show an error's text as it came: SPARQL clients read no problem documents."""
_DATA = tuple({*SUFFIXES, *(fmt.suffix for fmt in FORMATS.values()), ".gz", ".sha256", ".bib", ".cff"} - {".html"})
"""What the addresses end in at which programs ask for files."""
_JSON = ("application/json", PROBLEM_TYPE, "application/sparql-results+json", "application/ld+json")
_TYPES = {"html": ("text/html",), "json": _JSON, "text": ("text/plain",)}


def handle_failures(app: Flask) -> None:
    """Give ``app`` its answers to what goes wrong."""
    app.register_error_handler(HTTPException, _explain)
    for kind in OURS:
        app.register_error_handler(kind, _explain)


def _explain(error: Exception) -> Response | HTTPException:
    if isinstance(error, HTTPException) and (error.code is None or error.code < 400 or error.response is not None):
        return error  # a redirect, or an answer that a view made itself
    problem = problem_of(error)
    failure = _logged(error) if problem.status == 500 else ""
    body, content_type = _body(problem, failure)
    response = Response(body.encode("utf-8", "replace"), problem.status, problem.headers, content_type=content_type)
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("Accept")
    return response


def new_failure() -> str:
    """The id under which the log tells what goes wrong with this request."""
    failure: str = g.setdefault("failure", secrets.token_hex(4))
    return failure


def _logged(error: Exception) -> str:
    """The id under which the log tells what happened."""
    if "failure" not in g:  # else the application has logged it, with its traceback
        said = (request.method, request.path, error)
        current_app.logger.error("failure %s: %s %r: %s", new_failure(), *said, exc_info=error)
    return new_failure()


def _body(problem: Problem, failure: str) -> tuple[str, str]:
    """The body of the answer and its content type."""
    form = _form()
    if form == "json":
        return json.dumps(problem.members | ({"id": failure} if failure else {})), PROBLEM_TYPE
    text = problem.detail + (f" The server's log says more under {failure}." if failure else "")
    places = [f"{name} {problem.extra[name]}" for name in ("line", "column") if name in problem.extra]
    where = " ".join(places if places and places[0] not in text.lower() else ())  # most reasons name their place
    if form == "text":
        return f"{text}\n" + (f"{where}\n" if where else ""), "text/plain; charset=utf-8"
    page = render_template("error.html", code=problem.status, name=problem.title, text=text, where=where)
    return page, "text/html; charset=utf-8"


def _form() -> str:
    """In which form the asker would have it: what Accept likes best, most expressly; else what suits the address."""
    order: tuple[str, ...] = ("html", "json", "text")
    if request.path.startswith("/api/"):
        order = ("json", "text")
    elif request.path.startswith(_TO_READ):
        order = ("text", "json", "html")
    elif request.path.startswith(_FOR_PROGRAMS) or request.path.endswith((".json", ".jsonl", ".jsonld")):
        order = ("json", "text", "html")
    elif request.path.endswith(_DATA):
        order = ("text", "json", "html")
    if not request.accept_mimetypes:
        return order[0]
    best = max(order, key=_liking)
    # Whoever takes neither, and no page, asked for data or a picture: a line of text is what can be read in its place.
    return best if _liking(best)[0] > 0 or best == "json" else "text"


def _liking(form: str) -> tuple[float, int]:
    """How much Accept likes a form, and how expressly it says so; the first of equals is taken."""
    accepted = request.accept_mimetypes
    ranges = {value.lower() for value in accepted.values()}
    return max((accepted.quality(kind), int(kind in ranges)) for kind in _TYPES[form])
