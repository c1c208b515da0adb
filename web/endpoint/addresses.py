"""Where the endpoint is, as whoever asks calls it."""

from urllib.parse import quote

from flask import Request

_KEPT = "/:@!$&'()*+,;=~"


def here(request: Request, path: str) -> str:
    """The absolute address of ``path`` on this server, behind a prefix where it is served under one."""
    environ = request.environ
    return f"{environ['wsgi.url_scheme']}://{request.host}{quote(environ.get('SCRIPT_NAME', ''), safe=_KEPT)}{path}"


def own_address(request: Request) -> str:
    """The absolute address of a request, without its parameters, percent-encoded once."""
    path: str = request.environ.get("PATH_INFO", "")
    return here(request, quote(path.encode("latin-1"), safe=_KEPT))
