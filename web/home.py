"""The first page: what this graph is, and the ways into it."""

from flask import Blueprint, Response, render_template

from web.site import Site


def home_blueprint(site: Site) -> Blueprint:
    """The first page, and the address at which the server says that it lives."""
    area = Blueprint("home", __name__)

    @area.get("/")
    def home() -> str:
        return render_template("home.html", about=site.view.about)

    @area.get("/healthz")
    def healthz() -> Response:
        return Response("ok\n", mimetype="text/plain")

    return area
