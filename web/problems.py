"""
What went wrong, as HTTP says it: one table from the errors of every package to a status code and a problem's members.

The members are those of RFC 9457 (type, title, status, detail) and our own: ``line`` and ``column`` of a text that
cannot be read, ``limit`` that was reached, ``errors`` of the parameters of a request, ``id`` under which the server's
log says more. How they are written to whoever asked is for web.failures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from werkzeug.exceptions import HTTPException, InternalServerError

from agents.errors import (
    AgentError,
    ChatError,
    MediaUnreadable,
    ModelsMissing,
    NoQuestion,
    NoTopic,
    PicturesFull,
    RunNotFound,
    SettingsError,
)
from kg.disk import is_full
from kg.errors import (
    BadTerm,
    DiskFull,
    EndpointError,
    ExportFailed,
    GraphError,
    HomeDamaged,
    ImportFailed,
    StoreLocked,
)
from ontology.errors import BadSyntax, NotRdf, OntologyError, UnknownRelation
from retrieval.errors import IndexMissing, NoSharedSpace, RetrievalError
from sparql.errors import (
    Busy,
    CannotGuard,
    Conflicting,
    LimitExceeded,
    Malformed,
    NoRoom,
    NotAcceptable,
    QueryError,
    Refused,
)
from web.errors import (
    BadForm,
    BadParameters,
    ImportBusy,
    NoSuchImport,
    NoSuchSource,
    NotHeld,
    Preparing,
    RunUnreadable,
    WebError,
)

OURS = (OntologyError, GraphError, QueryError, RetrievalError, AgentError, WebError)
"""The bases of the errors that a view may raise."""
STATUS: Mapping[type[Exception], int] = {
    Malformed: 400,
    Conflicting: 409,
    Refused: 403,
    CannotGuard: 503,
    NotAcceptable: 406,
    LimitExceeded: 503,
    Busy: 503,
    StoreLocked: 503,
    HomeDamaged: 503,
    DiskFull: 507,
    NoRoom: 507,
    PicturesFull: 507,
    EndpointError: 502,
    ImportFailed: 422,
    ExportFailed: 400,
    BadTerm: 400,
    NotRdf: 400,
    BadSyntax: 400,
    UnknownRelation: 404,
    RunNotFound: 404,
    NoQuestion: 400,
    NoTopic: 400,
    SettingsError: 400,
    MediaUnreadable: 400,
    ModelsMissing: 503,
    ChatError: 502,
    IndexMissing: 409,
    NoSharedSpace: 409,
    BadForm: 400,
    BadParameters: 422,
    NotHeld: 406,
    Preparing: 503,
    ImportBusy: 503,
    NoSuchImport: 404,
    NoSuchSource: 404,
    RunUnreadable: 500,
}
"""The status of each error, its own or that of the nearest class above it; 500 where there is none."""
_LIMITS = {"size of the query": 413, "size of the update": 413, "size of the document": 413, "nesting": 400}
"""The status of the limits that another attempt would meet as well."""
TYPES = "https://w3id.org/scoutfly/problems#"
_PASSING = (Busy, StoreLocked, HomeDamaged, ImportBusy, Preparing)
_RETRY_AFTER_S = 5
_WRITING = "The graph is being written to. Try again in a few seconds."
_NO_GRAPH = "The graph on this server's disk cannot be read. Whoever runs the server finds more in its log."
_SAID = {
    400: "The request could not be understood.",
    401: "This needs the token of this server.",
    403: "That is not allowed here.",
    404: "There is nothing at this address.",
    405: "This address does not take requests of that kind.",
    406: "What is here cannot be had in any of the formats that were asked for.",
    408: "The request took too long to arrive.",
    409: "That does not fit what is there.",
    411: "Say how long the body is (Content-Length).",
    413: "That is more than may be sent to this address.",
    414: "That address is too long. Send long texts by POST.",
    415: "This address does not take a body of that type.",
    421: "This server is not called by that name.",
    422: "Some of what was sent is not as it should be.",
    429: "That was too much in too short a time. Wait a little and try again.",
    431: "The headers of the request are too large.",
    500: "Something went wrong in Scoutfly.",
    502: "A server that Scoutfly asked did not answer.",
    503: "Scoutfly cannot do that just now. Try again in a little while.",
    507: "The disk of this server is full, so that this could not be kept. Whoever runs the server has to make room.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that went wrong. ``kind`` is the name of its type, "" for what the status alone says."""

    status: int
    detail: str
    kind: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """What the status means, in the words of HTTP."""
        return HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else "Error"

    @property
    def members(self) -> dict[str, object]:
        """The members of the problem document."""
        kind = TYPES + self.kind if self.kind else "about:blank"
        return {"type": kind, "title": self.title, "status": self.status, "detail": self.detail, **self.extra}


def problem_of(error: Exception) -> Problem:
    """What an error means to whoever asked. The text of one that is nobody's fault but ours is not told."""
    if _is_for_want_of_room(error):
        return Problem(507, _SAID[507], _kind(DiskFull()))
    if isinstance(error, HTTPException):
        return _of_http(error)
    status = status_of(error)
    if status == 500 and not isinstance(error, RunUnreadable):
        return Problem(status, _SAID[500])
    # The words of these are for whoever is at the machine: they name places on its disk.
    own = {StoreLocked: _WRITING, HomeDamaged: _NO_GRAPH, CannotGuard: _SAID[503]}
    text = own.get(type(error)) or sentence(error)
    headers = (("Retry-After", str(_again(error))),) if isinstance(error, _PASSING) else ()
    return Problem(status, text, _kind(error), _extra(error), headers)


def status_of(error: Exception) -> int:
    """
    The status that an error is answered with.

    >>> status_of(NoTopic("there is no topic")), status_of(ValueError())
    (400, 500)
    """
    if _is_for_want_of_room(error):
        return 507
    if isinstance(error, LimitExceeded):
        return _LIMITS.get(error.limit, 503)
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def _is_for_want_of_room(error: Exception) -> bool:
    """Whether it went wrong because the disk is full; what nobody caught comes inside an InternalServerError."""
    if isinstance(error, PicturesFull):
        return False  # which has words of its own
    cause = error.original_exception if isinstance(error, InternalServerError) else error
    return isinstance(cause, (DiskFull, NoRoom)) or is_full(cause)


def sentence(error: Exception) -> str:
    """The line of an error of ours as a sentence.

    >>> sentence(ValueError("port 80 is taken"))
    'Port 80 is taken.'
    """
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _of_http(error: HTTPException) -> Problem:
    status = error.code or 500
    # Werkzeug's own descriptions are for programmers; those that are not its own are ours.
    own = error.description if error.description != type(error).description else None
    kept = tuple((name, value) for name, value in error.get_headers() if name.lower() != "content-type")
    return Problem(status, own or _SAID.get(status) or error.name, headers=kept)


def _extra(error: Exception) -> dict[str, object]:
    if isinstance(error, (Malformed, BadSyntax)):
        places = {"line": error.line, "column": getattr(error, "column", None)}
        return {name: place for name, place in places.items() if place is not None}
    if isinstance(error, LimitExceeded):
        return {"limit": error.limit}
    if isinstance(error, BadParameters):
        return {"errors": [{"in": at, "name": name, "reason": reason} for at, name, reason in error.faults]}
    if isinstance(error, BadForm):
        return {"errors": [{"in": "body", "name": error.field, "reason": str(error)}]}
    return {}


def _again(error: Exception) -> int:
    """After how many seconds to try again."""
    return error.retry_after_s if isinstance(error, Busy) else _RETRY_AFTER_S


def _kind(error: Exception) -> str:
    """The name of an error's class as the end of an IRI: LimitExceeded is "limit-exceeded"."""
    name = type(error).__name__
    return "".join(f"-{char.lower()}" if char.isupper() else char for char in name).removeprefix("-")
