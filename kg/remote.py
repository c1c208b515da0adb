"""The same SPARQL, asked of an endpoint elsewhere: any server that speaks the SPARQL 1.1 protocol.

Always by POST with the query in the form body (a frontier of hundreds of IRIs does not fit a URL), and with content
negotiation alone, since some servers refuse the extra parameters that clients add.
https://www.w3.org/TR/sparql11-protocol/#query-via-post-urlencoded
"""

import ast
import http.client
import io
import urllib.error
from collections.abc import Sequence
from urllib.parse import urlsplit

import pyoxigraph as ox
from SPARQLWrapper import ASK, CONSTRUCT, JSON, POST, SELECT, TURTLE, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

from kg.errors import EndpointError, ImportFailed
from kg.store import Row
from kg.xml_entities import refuse_entity_bombs

DEFAULT_TIMEOUT_S = 60
_SHOWN_CHARACTERS = 300


class RemoteStore:
    """The graph behind the endpoint ``url``, or the union of ``default_graphs`` there.

    Holds no connection, and may be asked by several threads at once.
    """

    def __init__(
        self, url: str, *, timeout_s: int = DEFAULT_TIMEOUT_S, default_graphs: Sequence[ox.NamedNode] = ()
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise EndpointError(f"{url} is no endpoint: its address must start with http:// or https://")
        self.url = url
        self._timeout_s = timeout_s
        self._default_graphs = tuple(default_graphs)

    def select(self, query: str) -> list[Row]:
        """See :class:`kg.store.Store`. Raises EndpointError."""
        solutions = self._results(query, SELECT)
        if not isinstance(solutions, ox.QuerySolutions):
            raise EndpointError(f"{self.url} answered with a boolean: select() takes a SELECT query")
        names = [variable.value for variable in solutions.variables]
        try:
            return [
                {name: value for name, value in zip(names, solution, strict=True) if value is not None}
                for solution in solutions
            ]
        except (SyntaxError, ValueError) as error:
            raise EndpointError(f"{self.url} sent results that cannot be read: {error}") from error

    def ask(self, query: str) -> bool:
        """See :class:`kg.store.Store`. Raises EndpointError."""
        answer = self._results(query, ASK)
        if not isinstance(answer, ox.QueryBoolean):
            raise EndpointError(f"{self.url} answered with solutions: ask() takes an ASK query")
        return bool(answer)

    def construct(self, query: str) -> list[ox.Triple]:
        """See :class:`kg.store.Store`. Raises EndpointError."""
        body, media_type = self._send(query, CONSTRUCT)
        syntax = ox.RdfFormat.from_media_type(media_type)
        if syntax is None:
            raise EndpointError(f"{self.url} answered with {media_type}, not with RDF: {_shown(body)}")
        try:
            if syntax == ox.RdfFormat.RDF_XML:
                refuse_entity_bombs(lambda: io.BytesIO(body), media_type)
            return [quad.triple for quad in ox.parse(body, syntax, base_iri=self.url)]
        except (SyntaxError, ValueError, ImportFailed) as error:
            raise EndpointError(f"{self.url} sent {media_type} that cannot be read: {error}") from error

    def _results(self, query: str, form: str) -> ox.QuerySolutions | ox.QueryBoolean:
        body, media_type = self._send(query, form)
        try:
            return ox.parse_query_results(body, ox.QueryResultsFormat.JSON)
        except (SyntaxError, ValueError) as error:
            reason = f"{self.url} answered with {media_type}, not with SPARQL results in JSON: {_shown(body)}"
            raise EndpointError(reason) from error

    def _send(self, query: str, form: str) -> tuple[bytes, str]:
        wrapper = SPARQLWrapper(self.url)
        wrapper.setMethod(POST)
        wrapper.setOnlyConneg(True)
        wrapper.setReturnFormat(TURTLE if form == CONSTRUCT else JSON)
        wrapper.setTimeout(self._timeout_s)
        for graph in self._default_graphs:
            wrapper.addDefaultGraph(graph.value)
        # setQuery() guesses the form of the query from its text, and warns where a comment misleads it.
        wrapper.queryString, wrapper.queryType = query, form
        try:
            response = wrapper.query().response
            with response:
                return response.read(), response.headers.get_content_type()
        except SPARQLWrapperException as error:
            raise EndpointError(self._refusal(error)) from error
        except urllib.error.HTTPError as error:
            with error:
                raise EndpointError(f"{self.url} answered {error.code}: {_shown(error.read())}") from error
        except TimeoutError as error:
            raise EndpointError(f"{self.url} did not answer within {self._timeout_s} s") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise EndpointError(f"{self.url} did not answer within {self._timeout_s} s") from error
            raise EndpointError(f"{self.url} is unreachable: {error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise EndpointError(f"{self.url} broke off its answer: {error!r}") from error

    def _refusal(self, error: SPARQLWrapperException) -> str:
        """The status and the server's own words, which stand as the repr of bytes at the end of the error's text."""
        cause = error.__context__
        status = cause.code if isinstance(cause, urllib.error.HTTPError) else type(error).__name__
        if isinstance(cause, urllib.error.HTTPError):
            cause.close()
        _, _, body = str(error).partition("Response:\n")
        try:
            text = ast.literal_eval(body) if body else b""
        except (SyntaxError, ValueError):
            text = body.encode()
        return f"{self.url} answered {status}: {_shown(text)}"


def _shown(body: bytes) -> str:
    text = " ".join(body.decode("utf-8", "replace").split())
    return f"{text[:_SHOWN_CHARACTERS]}…" if len(text) > _SHOWN_CHARACTERS else text or "no message"
