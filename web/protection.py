"""
What keeps strangers' pages and strangers' texts from doing harm: response headers, and where requests may come from.

Only scripts from this server's own files run, none that stands in a page. What changes or costs something (any method
but GET, HEAD and OPTIONS) is taken from the site's own pages; from programs, which hold nothing that could be stolen;
with the token, which no page can make a browser send; and, for the endpoint and the API, from the pages of the sites
that were allowed to use them. Browsers say where a request comes from (Fetch Metadata,
https://www.w3.org/TR/fetch-metadata/, or the Origin header). Escaping is Jinja's.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask, abort, request

from web.rates import refuse_spent, spend
from web.site import WebSettings
from web.tokens import authorised

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADERS = {
    "Server": "scoutfly",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # For browsers that do not know frame-ancestors.
    "X-Frame-Options": "DENY",
    # Not no-referrer: under that, browsers send "Origin: null" with our own forms too.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_ADDED = [(name.lower(), (name, value)) for name, value in HEADERS.items()]
_SAFE = {"GET", "HEAD", "OPTIONS"}
_SHARED = ("/api/", "/sparql", "/store")
"""Where the pages of allowed sites may ask: what holds no page of ours."""
_YEAR_S = 31_536_000


def protect(app: Flask, settings: WebSettings) -> None:
    """
    Add the headers to every response, and refuse requests from elsewhere.

    A page of a stranger whose name is made to point at this machine (DNS rebinding) calls it by a name that is not
    among ``settings.hosts``.
    """
    hosts = {host.casefold() for host in settings.hosts}

    def refuse_strangers() -> None:
        name = host_name(request.host)
        if not name:
            abort(400, "The request does not say which server it is for, or not in a way that can be read.")
        if hosts and name not in hosts:
            abort(421, "This server is not called by that name.")
        if settings.token and "Authorization" in request.headers:
            refuse_spent("token")
            if not authorised(request, settings):
                spend("token")
        if request.method not in _SAFE and not _is_own(settings):
            abort(403, "That came from the page of another site. Do it on a page of this one.")

    app.before_request(refuse_strangers)
    app.wsgi_app = _WithHeaders(app.wsgi_app)  # type: ignore[method-assign]


class _WithHeaders:
    """
    The application, with HEADERS in every answer that does not have them, and a word on how long it may be kept.

    As long as it is the same, but not at all where the token was needed for it. Not by flask's means, which check each
    header anew: a tenth of the time of a quick answer.
    """

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answers as the application does."""

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Callable[[bytes], object]:
            there = {name.lower() for name, _ in headers}
            added = [pair for name, pair in _ADDED if name not in there]
            if "cache-control" not in there:
                added.append(("Cache-Control", "no-store" if "HTTP_AUTHORIZATION" in environ else "no-cache"))
            if environ["wsgi.url_scheme"] == "https":
                added.append(("Strict-Transport-Security", f"max-age={_YEAR_S}"))
            return start_response(status, headers + added, *rest)

        return self._app(environ, start)


def host_name(netloc: str) -> str:
    """
    The name in ``host:port``, in lower case.

    >>> host_name("LocalHost:8000"), host_name("[::1]:8000")
    ('localhost', '::1')
    """
    return urlsplit(f"//{netloc}").hostname or ""


def _is_own(settings: WebSettings) -> bool:
    """Whether a request comes from a page of ours, from a program, or from somebody who was allowed to send it."""
    if authorised(request, settings):
        return True
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if origin is not None and request.path.startswith(_SHARED) and _is_allowed(origin, settings):
        return True
    if site is not None:
        return site in {"same-origin", "none"}
    return origin is None or _place(origin) == request.host.casefold()


def _place(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.casefold()
    except ValueError:  # "http://[": of nowhere
        return None


def _is_allowed(origin: str, settings: WebSettings) -> bool:
    return "*" in settings.origins or origin.casefold() in {allowed.casefold() for allowed in settings.origins}
