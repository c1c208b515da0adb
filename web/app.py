"""Puts the site together: the Flask application, its areas and what guards them."""

from flask import Flask, request
from flask_openapi3.blueprint import APIBlueprint
from werkzeug.middleware.proxy_fix import ProxyFix

from web.api import make_application, openapi_blueprint
from web.ask.api import ask_api
from web.ask.pages import ask_blueprint
from web.assets import version_assets
from web.browse.api import search_api
from web.browse.catalogue import catalogue_blueprint
from web.browse.home import home_blueprint
from web.browse.pages import browse_blueprint
from web.download.pages import download_blueprint
from web.editor.api import editor_api
from web.editor.pages import editor_blueprint
from web.endpoint.area import endpoint_blueprint
from web.entity.api import entity_api
from web.entity.pages import entity_blueprint
from web.failures import handle_failures
from web.importing.api import importing_api
from web.importing.pages import importing_blueprint
from web.ontology.pages import ontology_blueprint
from web.operations import operations_blueprint
from web.protection import protect
from web.rates import Rates, limit_rates
from web.search.api import media_search_api
from web.search.pages import search_blueprint
from web.sending import bound_sending
from web.site import Site

_MAX_REQUEST = 256 * 1024
"""Bytes of a request's body where an area does not set its own bound: long texts, percent-encoded, room to spare."""

AREAS = (
    operations_blueprint,
    openapi_blueprint,
    home_blueprint,
    browse_blueprint,
    catalogue_blueprint,
    search_api,
    search_blueprint,
    media_search_api,
    ask_blueprint,
    ask_api,
    editor_blueprint,
    editor_api,
    download_blueprint,
    endpoint_blueprint,
    ontology_blueprint,
    entity_blueprint,
    entity_api,
    importing_blueprint,
    importing_api,
)
"""What makes the blueprint of each area: pages, or (an APIBlueprint) operations of the HTTP API under /api."""


def create_app(site: Site) -> Flask:
    """The application for one site. Raises kg.errors.StoreError, ExamplesUnreadable, BadRate."""
    app, settings = make_application(__name__), site.settings
    app.config.update(MAX_CONTENT_LENGTH=_MAX_REQUEST, MAX_FORM_MEMORY_SIZE=_MAX_REQUEST, MAX_FORM_PARTS=20)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.url_map.merge_slashes = False  # "//" may be part of an IRI
    for area in AREAS:
        made = area(site)
        app.register_api(made) if isinstance(made, APIBlueprint) else app.register_blueprint(made)
    app.add_template_global(lambda iri: request.script_root + site.view.addresses.page_of(iri), "page_of")
    app.add_template_global(lambda: site.view.about, "about_graph")
    protect(app, settings)
    version_assets(app)
    limit_rates(app, Rates(ask=settings.ask_rate, query=settings.query_rate))
    handle_failures(app)
    bound_sending(app)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops, hops, hops)  # type: ignore[method-assign]
    _ = site.view  # a graph that cannot be read is said when the server starts, not at the first request
    return app
