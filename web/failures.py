"""What is answered when something goes wrong: a page for people, problem+json (RFC 9457) for what reads JSON."""

import json

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError, NotFound

from agents.errors import RunNotFound
from web.errors import RunUnreadable

_SAID = {
    400: "The request could not be understood.",
    404: "There is nothing at this address.",
    405: "This address does not take requests of that kind.",
    413: "That is more text than a question may have.",
    500: "Something went wrong in Scoutfly. What exactly stands in the server's log.",
}


def handle_failures(app: Flask) -> None:
    """Give ``app`` its error pages."""

    def explain(error: HTTPException) -> Response | HTTPException:
        if error.code is None or error.code < 400:
            return error  # a redirect
        # Werkzeug's own descriptions are for programmers; those that are not its own are ours.
        own = error.description if error.description != type(error).description else None
        text = own or _SAID.get(error.code) or error.name
        body, content_type = _body(error.code, name=error.name, text=text)
        kept = [(name, value) for name, value in error.get_headers() if name.lower() != "content-type"]
        return Response(body, error.code, kept, content_type=content_type)

    def not_found(error: RunNotFound) -> Response | HTTPException:
        return explain(NotFound(sentence(error)))

    def unreadable(error: RunUnreadable) -> Response | HTTPException:
        app.logger.error("%s", error)
        return explain(InternalServerError(sentence(error)))

    app.register_error_handler(HTTPException, explain)
    app.register_error_handler(RunNotFound, not_found)
    app.register_error_handler(RunUnreadable, unreadable)


def _body(code: int, *, name: str, text: str) -> tuple[str, str]:
    """The body of the answer and its content type."""
    if request.path.endswith((".json", ".jsonl")):
        return json.dumps({"title": name, "status": code, "detail": text}), "application/problem+json"
    return render_template("error.html", code=code, name=name, text=text), "text/html; charset=utf-8"


def sentence(error: Exception) -> str:
    """The line of an error of ours as a sentence.

    >>> sentence(ValueError("port 80 is taken"))
    'Port 80 is taken.'
    """
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."
