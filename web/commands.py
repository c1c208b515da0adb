"""The command that serves the web page. It finds the composition root (agents.app.App) in click's context."""

import click

from agents.app import App, ModelOptions
from agents.commands import model_options
from web.app import create_app
from web.serving import check_port, hosts_for, serve
from web.site import Site, WebSettings


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@model_options
@click.pass_obj
def serve_command(app: App, *, host: str, port: int, models: ModelOptions) -> None:
    """Serve a web page on which questions can be asked and their routes seen."""
    check_port(host, port)
    home = None if app.endpoint else app.home
    site = Site(lambda: app.engine(models), home, settings=WebSettings(hosts=hosts_for(host)))
    serve(create_app(site), host, port, _say)


def _say(line: str) -> None:
    click.echo(line, err=True)


COMMANDS = (serve_command,)
