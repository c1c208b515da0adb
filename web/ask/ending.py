"""Ends what goes on in the background when the server is stopped: streams at once, walks as soon as they can."""

from flask import Flask

from web.ask.stream import streams_of
from web.ask.walks import walks_of

_WAIT_S = 2.0
"""Less than the server waits before it kills its process (see web.serving)."""


def end_asking(app: Flask, *, wait_s: float = _WAIT_S) -> None:
    """Ends the streams, and stops the walks, which keep what they have found where they end in time."""
    streams_of(app).close()
    walks_of(app).close(wait_s)
