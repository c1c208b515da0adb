"""
Who may change the graph: whoever sends the server's token, as ``Authorization: Bearer <token>`` (RFC 6750, 2.1).

A page of a stranger cannot make a browser send that header, so what is authorised by it needs no other protection
against forged forms. Nothing here says where the token comes from (see web.site.WebSettings).
"""

import hashlib
import hmac

from flask import Request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, Unauthorized

from web.site import WebSettings

_SCHEME = "bearer "


def authorised(request: Request, settings: WebSettings) -> bool:
    """Whether a request carries the token in its header; never where no token is configured."""
    header = request.headers.get("Authorization", "")
    if header[: len(_SCHEME)].lower() != _SCHEME:
        return False
    # WSGI hands over the bytes of a header as Latin-1 (PEP 3333).
    return _is_token(header[len(_SCHEME) :].strip().encode("latin-1", "replace"), settings)


def is_token(candidate: str, settings: WebSettings) -> bool:
    """Whether a text that a person typed into a form is the token; never where no token is configured."""
    return _is_token(_bytes(candidate.strip()), settings)


def require_token(request: Request, settings: WebSettings) -> None:
    """
    Let a request pass that carries the token.

    Raises Forbidden where no token is configured, so that nobody may change anything, and Unauthorized where it is not
    the one that was sent, or none was.
    """
    if authorised(request, settings):
        return
    if not settings.token:
        raise Forbidden("This server changes nothing: it was started without a token (SCOUTFLY_TOKEN).")
    values: dict[str, str | None] = {"realm": "scoutfly"}
    if "authorization" in request.headers:
        values["error"] = "invalid_token"
    text = "That is not the token of this server." if "error" in values else "This needs the token of this server."
    raise Unauthorized(f"{text} Send it as a bearer token.", www_authenticate=WWWAuthenticate("bearer", values))


def _is_token(candidate: bytes, settings: WebSettings) -> bool:
    """Compares digests, in a time that tells neither how much of the token was right nor how long it is."""
    expected = hashlib.sha256(_bytes(settings.token)).digest()
    same = hmac.compare_digest(hashlib.sha256(candidate).digest(), expected)
    return same and bool(settings.token)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
