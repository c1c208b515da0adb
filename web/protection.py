"""
What keeps strangers' pages and strangers' texts from doing harm: response headers, and where requests may come from.

Only scripts from this server's own files run, none that stands in a page. A POST is taken from the site's own pages
only; browsers say where one comes from (Fetch Metadata, https://www.w3.org/TR/fetch-metadata/, or the Origin header),
and a program that sends neither holds nothing that could be stolen. Escaping is Jinja's.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: under that, browsers send "Origin: null" with our own forms too.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def protect(app: Flask, *, hosts: Collection[str] = ()) -> None:
    """
    Add the headers to every response, and refuse requests from elsewhere.

    ``hosts`` are the names by which the server may be called, without ports; none means any. A page of a stranger whose
    name is made to point at this machine (DNS rebinding) calls it by a name that is not among them.
    """
    allowed = {host.casefold() for host in hosts}

    def refuse_strangers() -> None:
        if allowed and host_name(request.host) not in allowed:
            abort(421, "This server is not called by that name.")
        if request.method not in {"GET", "HEAD", "OPTIONS"} and not _is_same_origin():
            abort(403, "The question came from another site. Ask it with the form of this page.")

    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    app.before_request(refuse_strangers)
    app.after_request(add_headers)


def host_name(netloc: str) -> str:
    """
    The name in ``host:port``, in lower case.

    >>> host_name("LocalHost:8000"), host_name("[::1]:8000")
    ('localhost', '::1')
    """
    return urlsplit(f"//{netloc}").hostname or ""


def _is_same_origin() -> bool:
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site in {"same-origin", "none"}
    return origin is None or urlsplit(origin).netloc.casefold() == request.host.casefold()
