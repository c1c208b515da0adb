"""
Reads an operation of the SPARQL 1.1 protocol from a request: query or update, by GET, by form or as the body.

https://www.w3.org/TR/sparql11-protocol/#protocol. Parameters that the protocol does not know are passed over.
"""

import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from flask import Request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.http import parse_options_header

from sparql.errors import LimitExceeded

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
UPDATE = "application/sparql-update"
_BODIES = {"query": QUERY, "update": UPDATE}
_MOST_PARAMETERS = 2_000
_ROOM_BYTES = 64 * 1024
"""For what stands in a form beside the text: graphs, and what clients add."""
_PERCENT_ENCODED = 3
_STRAY = re.compile(rb"%(?![0-9A-Fa-f]{2})")
"""A percent sign that encodes nothing."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A text, None where a GET brought none, and the other parameters in the order in which they were sent."""

    text: str | None
    parameters: Sequence[tuple[str, str]]

    def all(self, name: str) -> tuple[str, ...]:
        """The values of a parameter."""
        return tuple(value for key, value in self.parameters if key == name)


def read_operation(request: Request, kind: str, *, most_bytes: int) -> Operation:
    """
    The operation of a request; ``kind`` is "query" or "update".

    Raises BadRequest, UnsupportedMediaType, LimitExceeded for a text of more than ``most_bytes``.
    """
    parameters = _decoded(request.environ.get("QUERY_STRING", "").encode("latin-1"))
    if request.method != "POST":
        return _operation(kind, parameters, most_bytes)
    media_type, options = parse_options_header(request.environ.get("CONTENT_TYPE", ""))
    if options.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(f"A SPARQL {kind} is sent in UTF-8, not in {options['charset'][:40]}.")
    if media_type.lower() == FORM:
        body = read_body(request, most_bytes, what=kind, encoded=True)
        operation = _operation(kind, [*parameters, *_decoded(body)], most_bytes)
        if operation.text is None:
            raise BadRequest(f"The form holds no parameter named {kind}.")
        return operation
    if media_type.lower() == _BODIES[kind]:
        if any(name in _BODIES for name, _ in parameters):
            raise BadRequest(f"The {kind} is the body here, so that the address may not hold another one.")
        text = _text(read_body(request, most_bytes, what=kind))
        return Operation(text, parameters)
    raise UnsupportedMediaType(f"A SPARQL {kind} is sent as {_BODIES[kind]}, or in a form as {FORM}.")


def read_body(request: Request, most_bytes: int, *, what: str, encoded: bool = False) -> bytes:
    """
    The body of a request, if it holds no more than ``most_bytes`` of ``what``; a form is longer than what it holds.

    Raises LimitExceeded.
    """
    request.max_content_length = most_bytes * _PERCENT_ENCODED + _ROOM_BYTES if encoded else most_bytes
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge as error:
        raise LimitExceeded(
            f"the {what} has more than {most_bytes:,} bytes, which is all that is read", limit=f"size of the {what}"
        ) from error


def _operation(kind: str, parameters: Sequence[tuple[str, str]], most_bytes: int) -> Operation:
    given: Mapping[str, list[str]] = {name: [value for key, value in parameters if key == name] for name in _BODIES}
    other = "update" if kind == "query" else "query"
    if given[other]:
        place = "/sparql/update" if kind == "query" else "/sparql"
        raise BadRequest(f"This address takes no {other}: send it to {place}.")
    if len(given[kind]) > 1:
        raise BadRequest(f"The request holds {len(given[kind])} parameters named {kind}: send one.")
    text = given[kind][0] if given[kind] else None
    if text is not None and len(text) > most_bytes:
        raise LimitExceeded(
            f"the {kind} has more than {most_bytes:,} bytes, which is all that is read", limit=f"size of the {kind}"
        )
    return Operation(text, [(name, value) for name, value in parameters if name != kind])


def _decoded(encoded: bytes) -> list[tuple[str, str]]:
    """https://url.spec.whatwg.org/#urlencoded-parsing, but for what is not UTF-8, which is refused."""
    pieces = [piece for piece in encoded.split(b"&") if piece]
    if len(pieces) > _MOST_PARAMETERS:
        raise BadRequest(f"The request has more than {_MOST_PARAMETERS} parameters.")
    try:
        return [
            (unquote(name).decode("utf-8"), unquote(value).decode("utf-8"))
            for name, _, value in (piece.partition(b"=") for piece in pieces)
        ]
    except UnicodeDecodeError as error:
        raise BadRequest("The request is not in UTF-8.") from error


def unquote(encoded: bytes) -> bytes:
    """
    A name or a value of a form, its percent-encoding undone.

    A query has hundreds of encoded characters, and urllib's loop over them takes a fifth of the whole answer's time.
    Quoted-printable differs in its sign only, and in the ends of lines, and is undone in C.

    >>> unquote(b"%7Ba=b+c%2B%C3%A9%7D")
    b'{a=b c+\\xc3\\xa9}'
    >>> unquote(b"100%&%4 =\\r\\n%41") == b"100%&%4 =\\r\\nA"
    True
    """
    spaced = encoded.replace(b"+", b" ")
    if b"\n" in spaced or b"\r" in spaced or _STRAY.search(spaced):
        return unquote_to_bytes(spaced)
    return binascii.a2b_qp(spaced.replace(b"=", b"%3D").replace(b"%", b"="))


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest("The request is not in UTF-8.") from error
