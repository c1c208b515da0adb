"""The command that serves the web page. It finds the composition root (agents.app.App) in click's context."""

import logging
from contextlib import ExitStack
from dataclasses import replace

import click
from flask import Flask

from agents.app import App, ModelOptions
from agents.commands import model_options
from kg.home import Home
from sparql.errors import CannotGuard
from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import Guard
from web.app import create_app
from web.ask.ending import end_asking
from web.ending import when_told_to_stop
from web.options import settings_options
from web.serving import check_port, serve
from web.site import Site, WebSettings

_LOG = logging.getLogger(__name__)


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@settings_options
@model_options
@click.pass_obj
def serve_command(app: App, *, host: str, port: int, settings: WebSettings, models: ModelOptions) -> None:
    """
    Serve the graph: web pages, on which questions can be asked and their routes seen, and a SPARQL endpoint.

    Whoever sends the token that is set as SCOUTFLY_TOKEN may change the graph; without one nobody may.
    """
    check_port(host, port)
    known = replace(settings, token=app.token, endpoint=app.endpoint)
    serve(lambda closing: _build(app, known, models, closing), host, port, _say)


def _build(app: App, settings: WebSettings, models: ModelOptions, closing: ExitStack) -> Flask:
    home = None if app.endpoint else app.home
    guard = None if home is None else _guard(home, settings.limits, closing)
    made = create_app(Site(lambda: app.engine(models), home, guard, settings, app.media_retriever if home else None))
    closing.callback(end_asking, made)
    when_told_to_stop(lambda: end_asking(made, wait_s=0))
    return made


def _guard(home: Home, limits: Limits, closing: ExitStack) -> Guard | None:
    try:
        return closing.enter_context(WorkerPool(home.path, limits))
    except CannotGuard as error:
        _LOG.warning("no queries are answered at /sparql: %s", error)
        return None


def _say(line: str) -> None:
    click.echo(line, err=True)


COMMANDS = (serve_command,)
