"""What can go wrong in the web page.

WebError
├── BadForm             the ask form cannot be walked as it was filled in
├── RunUnreadable       a run on disk is not one that this version can show
├── ExamplesUnreadable  a file of example questions or queries cannot be read
├── PackagesMissing     the page's JavaScript packages cannot be installed
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


class RunUnreadable(WebError):
    """A run on disk is not one that this version can show."""


class ExamplesUnreadable(WebError):
    """A file of example questions or queries cannot be read."""


class PackagesMissing(WebError):
    """The page's JavaScript packages cannot be installed; the page does without them."""


class AddressUnusable(WebError):
    """The server cannot listen at the address asked for."""


class PortTaken(AddressUnusable):
    """Something else listens at the port asked for."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"port {port} of {host} is taken: end what listens there, or choose another with --port {port % 65535 + 1}"
        )
        self.port = port
