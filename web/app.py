"""Puts the site together: the Flask application, its areas and what guards them."""

from flask import Flask, request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.info import Info
from flask_openapi3.openapi import OpenAPI

from web.ask.pages import ask_blueprint
from web.failures import handle_failures
from web.home import home_blueprint
from web.protection import protect
from web.site import Site

_MAX_REQUEST = 256 * 1024
"""Bytes of a request's body where an area does not set its own bound: long texts, percent-encoded, room to spare."""

AREAS = (home_blueprint, ask_blueprint)
"""What makes the blueprint of each area: pages, or (an APIBlueprint) operations of the HTTP API under /api."""


def create_app(site: Site) -> Flask:
    """The application for one site. Raises kg.errors.StoreError, ExamplesUnreadable."""
    app = OpenAPI(__name__, info=Info(title="Scoutfly", version="1"), doc_ui=False)
    app.config.update(MAX_CONTENT_LENGTH=_MAX_REQUEST, MAX_FORM_MEMORY_SIZE=_MAX_REQUEST, MAX_FORM_PARTS=20)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.url_map.merge_slashes = False  # "//" may be part of an IRI
    for area in AREAS:
        made = area(site)
        app.register_api(made) if isinstance(made, APIBlueprint) else app.register_blueprint(made)
    app.add_template_global(lambda iri: request.script_root + site.view.addresses.page_of(iri), "page_of")
    app.add_template_global(lambda: site.view.about, "about_graph")
    protect(app, hosts=site.settings.hosts)
    handle_failures(app)
    _ = site.view  # a graph that cannot be read is said when the server starts, not at the first request
    return app
