"""
Lets the pages of other sites read the endpoint and the API, where the server was told to (CORS).

The headers stand on answers, on errors and on preflights alike: a browser hides what lacks them, the reason of an
error included. https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from collections.abc import Callable

from flask import Response, request

from web.site import WebSettings

SHARED = ("/sparql", "/store", "/.well-known/", "/api/", "/openapi.json", "/id/", "/entity", "/ontology", "/download")
_METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS"
_TAKEN = "Accept, Authorization, Content-Type, If-None-Match, X-Requested-With"
_TOLD = "ETag, Link, Location, Retry-After, Scoutfly-Generation, Scoutfly-Limits, WWW-Authenticate"
_KEPT_S = "600"


def sharer(settings: WebSettings) -> Callable[[Response], Response]:
    """What adds the headers to an answer."""
    everyone = "*" in settings.origins
    allowed = {origin.rstrip("/").casefold() for origin in settings.origins}

    def share(response: Response) -> Response:
        if not allowed or not request.path.startswith(SHARED):
            return response
        if not everyone:
            response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin is None or not (everyone or origin.casefold() in allowed):
            return response
        headers = response.headers
        headers["Access-Control-Allow-Origin"] = "*" if everyone else origin
        headers["Access-Control-Expose-Headers"] = _TOLD
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            headers["Access-Control-Allow-Methods"] = _METHODS
            headers["Access-Control-Allow-Headers"] = _TAKEN
            headers["Access-Control-Max-Age"] = _KEPT_S
            if request.headers.get("Access-Control-Request-Private-Network") == "true":
                headers["Access-Control-Allow-Private-Network"] = "true"
        return response

    return share
