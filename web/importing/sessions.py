"""
Who may import in a browser: whoever typed the server's token into a form of ours.

The token is exchanged for a cookie that is not it: a random number, the time until which it holds, and their MAC under
a key made of the token. Scripts cannot read it, other sites cannot make a browser send it (SameSite=Strict), and a new
token ends it. Each form carries a MAC of the cookie as well, since a browser may be older than SameSite.
"""

import hashlib
import hmac
import secrets
import time

from flask import Request
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response

from web.site import WebSettings

COOKIE = "scoutfly-import"
FIELD = "form_token"
LIFE_S = 8 * 3600


def open_session(request: Request, response: Response, settings: WebSettings) -> None:
    """Give the browser a cookie; the token has been checked."""
    text = f"{int(time.time()) + LIFE_S}.{secrets.token_hex(16)}"
    response.set_cookie(
        COOKIE,
        f"{text}.{_mac('session', text, settings)}",
        max_age=LIFE_S,
        path=_path(request),
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )


def close_session(request: Request, response: Response) -> None:
    """Take the cookie back."""
    response.delete_cookie(COOKIE, path=_path(request), secure=request.is_secure, httponly=True, samesite="Strict")


def has_session(request: Request, settings: WebSettings) -> bool:
    """Whether the browser has a cookie of this server's token that still holds."""
    text, _, mac = request.cookies.get(COOKIE, "").rpartition(".")
    until = text.partition(".")[0]
    if not settings.token or not until.isascii() or not until.isdecimal() or len(until) > 12:
        return False
    return hmac.compare_digest(mac.encode(), _mac("session", text, settings).encode()) and int(until) > time.time()


def form_token(request: Request, settings: WebSettings) -> str:
    """What a form of this session has to send back."""
    return _mac("form", request.cookies.get(COOKIE, ""), settings)


def require_form_token(request: Request, settings: WebSettings) -> None:
    """Raises Forbidden where the form does not come from a page of this session."""
    sent = request.form.get(FIELD, "")
    if not hmac.compare_digest(sent.encode("utf-8", "replace"), form_token(request, settings).encode()):
        raise Forbidden("This form is from another session: open the page again, and send it from there.")


def _mac(what: str, text: str, settings: WebSettings) -> str:
    key = hashlib.sha256(b"scoutfly import " + settings.token.encode("utf-8", "surrogatepass")).digest()
    return hmac.new(key, f"{what}:{text}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _path(request: Request) -> str:
    return f"{request.script_root}/import"
