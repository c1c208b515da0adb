"""The first page: what this graph is, and the ways into it."""

from flask import Blueprint, render_template, request

from web.browse.coverage import coverage
from web.browse.sources import ReadSources
from web.editor.queries import BUNDLED, ExampleQuery, load_queries
from web.site import Site, View

_MAX_EXAMPLES = 6


def home_blueprint(site: Site) -> Blueprint:
    """The first page. Raises ExamplesUnreadable."""
    area = Blueprint("home", __name__)
    read_sources, queries = ReadSources(site.home), load_queries(BUNDLED)

    @area.get("/")
    def home() -> str:
        view = site.view
        return render_template(
            "home.html",
            about=view.about,
            sources=view.once(read_sources).records,
            coverage=view.once(coverage),
            queries=_offered(queries, view)[:_MAX_EXAMPLES],
            endpoint=f"{request.url_root}sparql",
        )

    return area


def _offered(queries: tuple[ExampleQuery, ...], view: View) -> list[tuple[int, ExampleQuery]]:
    """The example queries for this graph, with the numbers by which the editor knows them."""
    topics = {topic.label for topic in view.about.topics}
    return list(enumerate((query for query in queries if not query.topic or query.topic in topics), 1))
