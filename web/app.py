"""Puts the web page together: the Flask application, its addresses and what guards them."""

from collections.abc import Collection

from flask import Flask

from agents.engine import Engine
from web.about import GraphAbout, read_about
from web.examples import BUNDLED, load_examples
from web.failures import handle_failures
from web.pages import Pages
from web.protection import protect

_MAX_REQUEST = 256 * 1024
"""Bytes of a request's body: the form's longest texts, percent-encoded, and room to spare."""


def create_app(engine: Engine, *, about: GraphAbout | None = None, hosts: Collection[str] = ()) -> Flask:
    """
    The application for one engine.

    ``about`` is read from the engine's graph where it is not given; ``hosts`` are the names by which the server may be
    called, none means any. Raises kg.errors.StoreError, ExamplesUnreadable.
    """
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=_MAX_REQUEST, MAX_FORM_MEMORY_SIZE=_MAX_REQUEST, MAX_FORM_PARTS=20)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    pages = Pages(engine, about or read_about(engine.store, examples=load_examples(BUNDLED)))
    app.add_url_rule("/", "home", pages.home)
    app.add_url_rule("/ask", "ask", pages.ask, methods=["POST"])
    app.add_url_rule("/runs", "runs", pages.runs)
    app.add_url_rule("/runs/<run_id>", "run", pages.run)
    app.add_url_rule("/runs/<run_id>.json", "run_json", pages.run_json)
    app.add_url_rule("/runs/<run_id>/trace.jsonl", "run_trace", pages.run_trace)
    app.add_url_rule("/health", "health", pages.health)
    protect(app, hosts=hosts)
    handle_failures(app)
    return app
