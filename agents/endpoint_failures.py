"""Sorts what went wrong at an endpoint into what may pass and what will not, and says it in one plain line."""

import json
import socket

import openai

from agents.errors import ChatError, EndpointFailed, EndpointRefused, EndpointUnreachable
from agents.waits import read_retry_after

_PASSING = {408, 409, 425, 429}
_SPENT = {"insufficient_quota", "billing_hard_limit_reached"}
_ADVICE = {
    401: "check the key in SCOUTFLY_API_KEY",
    402: "the account has no credit left",
    403: "the key may not use this model",
    404: "check the model's name, and that the base URL is whole (most end in /v1)",
    413: "the prompt is too long for the endpoint",
}


class Transient(Exception):
    """A failure that may pass: ``error`` is what it becomes when it does not.

    ``retry_after_s`` is the time that the endpoint named; ``attempts`` caps the attempts below the client's own cap.
    """

    def __init__(self, error: ChatError, *, retry_after_s: float | None = None, attempts: int | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after_s = retry_after_s
        self.attempts = attempts


def sort_failure(error: Exception, base_url: str, *, reached: bool) -> Transient | ChatError:
    """The failure as it is to be raised; ``reached`` tells whether the endpoint has ever answered this client."""
    if isinstance(error, openai.APIStatusError):
        return _sort_status(error, base_url)
    if isinstance(error, openai.APITimeoutError):
        message = f"{base_url} did not answer in time: allow more time an answer, or ask a faster model"
        return Transient(EndpointFailed(message), attempts=2)
    if isinstance(error, openai.APIConnectionError):
        if _nobody_there(error) and not reached:
            return EndpointUnreachable(f"no endpoint answers at {base_url}: start it, or check --base-url")
        cause = one_line(error.__cause__ or error)
        message = f"the connection to {base_url} broke, however often it was tried ({cause}): see whether it still runs"
        return Transient(EndpointFailed(message))
    return Transient(EndpointFailed(f"{base_url} keeps sending an answer that is no whole JSON ({one_line(error)})"))


def _sort_status(error: openai.APIStatusError, base_url: str) -> Transient | ChatError:
    status, said = error.status_code, one_line(error.body or error.message)
    if (status in _PASSING or status >= 500) and error.code not in _SPENT and status != 501:
        after = read_retry_after(error.response.headers)
        asked = f", and asks to come back in {after:g} s" if after is not None else ""
        message = f"{base_url} kept answering HTTP {status}{asked}: try again later, or send fewer requests ({said})"
        return Transient(EndpointFailed(message), retry_after_s=after)
    advice = _ADVICE.get(status)
    suffix = f": {advice}" if advice else ""
    return EndpointRefused(f"{base_url} refused the request with HTTP {status} ({said}){suffix}", status=status)


def _nobody_there(error: BaseException) -> bool:
    """Whether the host is unknown or refuses connections, by the failures beneath ``error``."""
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, (ConnectionRefusedError, socket.gaierror)):
            return True
        below = below.__cause__ or below.__context__
    return False


def one_line(said: object, limit: int = 300) -> str:
    """What an endpoint said, on one line, shortened; the message alone where it is a usual error object."""
    if isinstance(said, dict):
        inner = said.get("error", said)
        said = inner.get("message", inner) if isinstance(inner, dict) else inner
        said = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False, default=str)
    text = " ".join(str(said).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
