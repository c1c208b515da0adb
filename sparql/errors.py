"""What can go wrong with a query: one that was generated, or one that a stranger wrote.

QueryError
├── TemplateError       a query file and the parameters given for it do not fit
└── GuardError          a stranger's query, update or document was not carried out
    ├── Malformed           it is not SPARQL, or not RDF; ``line`` and ``column`` where the parser names them
    ├── Conflicting         it does not fit what the graph holds: CREATE of a graph that is there
    ├── Refused             it asks for what is not allowed: another server, a file
    ├── NotAcceptable       the asker takes no media type that this form of query is answered in
    ├── LimitExceeded       it needs more than the limits allow; ``limit`` names the one
    ├── NoRoom              there is no room left on the disk for what it writes
    ├── Busy                all workers are taken: try again later
    └── CannotGuard         this machine, or its data directory, does not let a worker start
"""


class QueryError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class TemplateError(QueryError):
    """A query file and the parameters given for it do not fit."""


class GuardError(QueryError):
    """A stranger's query, update or document was not carried out."""


class Malformed(GuardError):
    """It is not SPARQL, or not RDF; ``line`` and ``column`` count from 1, None where the parser names none."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class Conflicting(GuardError):
    """It does not fit what the graph holds."""


class Refused(GuardError):
    """It asks for what is not allowed."""


class NotAcceptable(GuardError):
    """The asker takes no media type that this form of query is answered in."""


class LimitExceeded(GuardError):
    """It needs more than is allowed.

    ``limit`` is "time", "memory", "nesting", "size of the query", "size of the document" or "size of the answer".
    """

    def __init__(self, message: str, *, limit: str) -> None:
        super().__init__(message)
        self.limit = limit


class NoRoom(GuardError):
    """There is no room left on the disk for what it writes; nothing was changed."""


class Busy(GuardError):
    """All workers are taken; ``retry_after_s`` is when to try again, in seconds."""

    def __init__(self, message: str, *, retry_after_s: int = 1) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class CannotGuard(GuardError):
    """This machine, or its data directory, does not let a worker start."""
