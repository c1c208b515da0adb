"""The editor's page, which runs a query on the server where no script does it, and downloads in every format."""

import re

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import BadRequest, HTTPException, NotFound, ServiceUnavailable

from sparql.errors import GuardError
from sparql.guard.requests import GRAPH_TYPES, SOLUTIONS_TYPES, Answer, QueryRequest
from web.editor.queries import BUNDLED, ExampleQuery, load_queries
from web.editor.tables import SHOWN_ROWS, Table, read_table
from web.frontend import vendored
from web.problems import Problem, problem_of
from web.rates import spend
from web.site import Site

FORMATS = {
    "json": ("JSON", "application/sparql-results+json", "srj"),
    "xml": ("XML", "application/sparql-results+xml", "srx"),
    "csv": ("CSV", "text/csv", "csv"),
    "tsv": ("TSV", "text/tab-separated-values", "tsv"),
    "ttl": ("Turtle", "text/turtle", "ttl"),
    "nt": ("N-Triples", "application/n-triples", "nt"),
    "nq": ("N-Quads", "application/n-quads", "nq"),
    "trig": ("TriG", "application/trig", "trig"),
    "rdf": ("RDF/XML", "application/rdf+xml", "rdf"),
    "jsonld": ("JSON-LD", "application/ld+json", "jsonld"),
}
"""What ``format=`` may be → its name, its media type, and how a file of it is called."""
_PLACE = re.compile(r"^line \d+(, column \d+)?: ", re.IGNORECASE)
"""How a reason may begin; the page says the place itself."""
_START = """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>

SELECT ?thing ?label
WHERE {
  ?thing rdfs:label ?label .
}
LIMIT 25
"""


def editor_blueprint(site: Site) -> Blueprint:
    """The page at /query. Raises ExamplesUnreadable."""
    area = Blueprint("editor", __name__)
    examples = load_queries(BUNDLED)

    @area.route("/query", endpoint="editor", methods=["GET", "POST"])
    def editor() -> Response:
        sent, offered = request.values, _offered(examples, site)
        query = _text(sent.get("query"), sent.get("example", type=int), offered)
        runs = request.method == "POST" or bool(sent.get("run")) or "format" in sent
        outcome = _ask(site, query, sent.get("format")) if runs and query.strip() else None
        if isinstance(outcome, Response):
            return outcome
        problem = outcome if isinstance(outcome, Problem) else None
        page = render_template(
            "editor/editor.html",
            query=query,
            examples=offered,
            problem=problem,
            reason=_PLACE.sub("", problem.detail) if problem else "",
            table=outcome if isinstance(outcome, Table) else None,
            shown_rows=SHOWN_ROWS,
            formats=FORMATS,
            solutions_types=SOLUTIONS_TYPES,
            graph_types=GRAPH_TYPES,
            elsewhere=None if site.guard else site.settings.endpoint or "elsewhere",
            vendored=vendored,
        )
        return make_response(page, problem.status if problem else 200, problem.headers if problem else ())

    return area


def _text(query: str | None, example: int | None, offered: list[ExampleQuery]) -> str:
    """The query to show: the one that was sent, the example asked for, or one to start from."""
    if query is not None:
        return query.replace("\r\n", "\n")
    if example is None:
        return offered[0].query if offered else _START
    if not 1 <= example <= len(offered):
        raise NotFound(f"There is no example {example}.")
    return offered[example - 1].query


def _offered(examples: tuple[ExampleQuery, ...], site: Site) -> list[ExampleQuery]:
    """The examples for the graph as it is; see web.editor.queries."""
    topics = {topic.label for topic in site.view.about.topics}
    return [example for example in examples if not example.topic or example.topic in topics]


def _ask(site: Site, query: str, fmt: str | None) -> Table | Problem | Response:
    """The table of a query's answer; the answer as a file, where a format is asked for; or why there is none."""
    try:
        if fmt is not None and fmt not in FORMATS:
            raise BadRequest(f"There is no format {fmt!r}: choose one of {', '.join(FORMATS)}.")
        if site.guard is None:
            raise ServiceUnavailable(
                f"This graph lies behind an endpoint: ask it at {site.settings.endpoint}, not here."
            )
        spend("query")
        union = site.settings.union_default_graph
        if fmt is None:
            return read_table(site.guard.query(QueryRequest(query, union=union, graph_type="application/n-triples")))
        media_type = FORMATS[fmt][1]
        wanted = QueryRequest(
            query,
            union=union,
            solutions_type=media_type if media_type in SOLUTIONS_TYPES else None,
            graph_type=media_type if media_type in GRAPH_TYPES else None,
        )
        return _file(site.guard.query(wanted), suffix=FORMATS[fmt][2])
    except (GuardError, HTTPException) as error:
        return problem_of(error)


def _file(answer: Answer, *, suffix: str) -> Response:
    response = Response(answer.body, content_type=answer.media_type)
    response.headers.set("Content-Disposition", "attachment", filename=f"result.{suffix}")
    return response
