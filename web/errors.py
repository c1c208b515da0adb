"""What can go wrong in the web page.

WebError
├── BadForm             the ask form cannot be walked as it was filled in
├── BadParameters       a request of the HTTP API is not as the API describes it; ``faults`` names each parameter
├── RunUnreadable       a run on disk is not one that this version can show
├── ExamplesUnreadable  a file of example questions or queries cannot be read
├── BadRate             a rate limit is not written as one
├── NotHeld             what is asked for as a file cannot be written as one
├── Preparing           a file is being made, and takes longer than a request should
├── ImportBusy          another import is running, or too many uploads wait
├── NoSuchImport        there is no upload under an id, or no longer
├── NoSuchSource        the graph holds no source of this name
├── WorkFailed          a process of its own ended without an answer
├── PackagesMissing     the page's JavaScript packages cannot be installed
├── StartFailed         the server ended before it could answer
└── AddressUnusable     the server cannot listen at the address asked for
    └── PortTaken           something else listens there
"""


class WebError(Exception):
    """Base of every error of this package; its text is one line that says what to do."""


class BadForm(WebError):
    """The ask form cannot be walked as it was filled in; ``field`` is the name of the field at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class BadParameters(WebError):
    """A request of the HTTP API is not as described; ``faults`` are (where it stands, name, reason), never none."""

    def __init__(self, faults: tuple[tuple[str, str, str], ...]) -> None:
        super().__init__("check " + "; ".join(f"{name or 'the ' + at}: {reason}" for at, name, reason in faults))
        self.faults = faults


class RunUnreadable(WebError):
    """A run on disk is not one that this version can show."""


class ExamplesUnreadable(WebError):
    """A file of example questions or queries cannot be read."""


class BadRate(WebError):
    """A rate limit is not written as one."""


class NoSuchSource(WebError):
    """The graph holds no source of this name."""


class WorkFailed(WebError):
    """A process of its own ended without an answer: killed, out of memory, out of time."""


class NotHeld(WebError):
    """What is asked for as a file cannot be written as one; the text says why."""


class Preparing(WebError):
    """A file is being made, and takes longer than a request should: ask again."""


class ImportBusy(WebError):
    """Another import is running, or too many uploads wait: try again when it has ended."""


class NoSuchImport(WebError):
    """There is no upload under this id, or no longer."""


class PackagesMissing(WebError):
    """The page's JavaScript packages cannot be installed; the page does without them."""


class StartFailed(WebError):
    """The server ended before it could answer, or while nobody had told it to."""


class AddressUnusable(WebError):
    """The server cannot listen at the address asked for."""


class PortTaken(AddressUnusable):
    """Something else listens at the port asked for."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"port {port} of {host} is taken: end what listens there, or choose another with --port {port % 65535 + 1}"
        )
        self.port = port
