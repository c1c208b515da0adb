"""A chat model behind an OpenAI-compatible endpoint (OpenAI, vLLM, Ollama, llama.cpp, gateways).

Endpoints differ in what they accept: what one refuses (a JSON schema, a temperature, the older name of the token limit)
is left out, and that is remembered. They fail in passing: such failures are asked again with growing, jittered waits or
after the time that they name, up to a cap; all others are reported at once. The key comes from the environment only.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self
from urllib.parse import SplitResult, urlsplit, urlunsplit

import openai
from openai.types.chat import ChatCompletion
from tenacity import RetryCallState, Retrying, retry_if_exception_type

from agents.chat import DEFAULT_MAX_TOKENS, JsonSchema, Message, Reply, check_reply, strip_thoughts, with_instruction
from agents.endpoint_failures import Transient, one_line, sort_failure
from agents.errors import EmptyAnswer, EndpointFailed, MissingKey, SettingsError, UnusableAnswer
from agents.images import data_url
from agents.pace import Pace
from agents.waits import Waits

KEY_VARIABLES = ("SCOUTFLY_API_KEY", "OPENAI_API_KEY")
_LOOPBACK = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}  # noqa: S104 - names a host, binds nothing
_WORTH_ADAPTING = {400, 422, 501}
_PER_MINUTE = 30_000
"""Requests are 2 ms apart: a small server's queue of new connections is as short as five, and one that finds it full is
tried again after a whole second."""


def read_key(environ: Mapping[str, str], base_url: str) -> str:
    """The endpoint's key from the environment; a server on this machine needs none.

    Raises MissingKey, SettingsError.
    """
    for name in KEY_VARIABLES:
        if environ.get(name, "").strip():
            return environ[name].strip()
    if _parsed(base_url).hostname in _LOOPBACK:
        return "none"
    raise MissingKey(f"no key for {base_url}: set {KEY_VARIABLES[0]} (to any value where the endpoint asks for none)")


def _parsed(base_url: str) -> SplitResult:
    try:
        parts = urlsplit(base_url)
        _ = parts.port  # is looked at only when it is asked for
    except ValueError as error:
        raise _no_base_url(base_url) from error
    return parts


def _without_userinfo(url: str) -> str:
    """What everybody may see of an address.

    >>> _without_userinfo("https://me:secret@example.org/v1")
    'https://example.org/v1'
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _no_base_url(base_url: str) -> SettingsError:
    return SettingsError(f"{base_url!r} is no base URL: it begins with http:// or https:// and usually ends in /v1")


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What an endpoint is known to accept."""

    schema: bool = True
    temperature: bool = True
    limit: str = "max_tokens"

    def without(self, complaint: str, *, schema_sent: bool) -> "_Dialect | None":
        """The dialect to try after ``complaint``, or None when there is nothing left to leave out."""
        if "max_completion_tokens" in complaint and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in complaint and self.temperature:
            return replace(self, temperature=False)
        if schema_sent and self.schema:
            return replace(self, schema=False)
        return None


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question as :meth:`OpenAIChat.complete` takes it."""

    messages: Sequence[Message]
    schema: JsonSchema | None
    max_tokens: int
    temperature: float


class OpenAIChat:
    """``model`` at ``base_url``. Safe to use from several threads.

    ``timeout_s`` bounds one attempt's silence; it is long, as the calls of a round may queue at a server that answers
    one at a time. ``attempts`` caps how often one question is sent; ``pace`` bounds the rate of all threads together;
    ``wait_scale`` shortens every wait, for tests.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str,
        timeout_s: float = 600.0,
        attempts: int = 5,
        pace: Pace | None = None,
        wait_scale: float = 1.0,
    ) -> None:
        if _parsed(base_url).scheme not in {"http", "https"}:
            raise _no_base_url(base_url)
        self._model, self._base_url = model, base_url.rstrip("/")
        self._waits = Waits(scale=wait_scale)
        self._attempts = attempts
        self._pace = pace or Pace(_PER_MINUTE)
        self._client = openai.OpenAI(
            api_key=api_key,
            base_url=self._base_url,
            timeout=openai.Timeout(timeout_s, connect=min(10.0, timeout_s)),
            max_retries=0,
        )
        self._lock = threading.Lock()
        self._dialect = _Dialect()
        self._reached = False

    @property
    def identity(self) -> str:
        """The model's name and its endpoint's address, without the name and password that may stand in it."""
        return f"{self._model} at {_without_userinfo(self._base_url)}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        temperature: float = 0.0,
        repeat: int = 0,
    ) -> Reply:
        """See :class:`agents.chat.ChatModel`; ``repeat`` does not reach the endpoint."""
        del repeat
        started = time.perf_counter()
        spent: list[Reply] = []
        retrying = Retrying(
            retry=retry_if_exception_type(Transient),
            stop=self._give_up,
            wait=self._wait,
            reraise=True,
        )
        try:
            reply = retrying(self._attempt, _Asked(messages, schema, max_tokens, temperature), spent)
        except Transient as failure:
            raise self._final(failure, _total(spent, started)) from failure
        except UnusableAnswer as failure:
            failure.reply = _total(spent, started)
            raise
        return replace(_total(spent, started), text=reply.text, finish_reason=reply.finish_reason)

    def _attempt(self, asked: _Asked, spent: list[Reply]) -> Reply:
        dialect = self._dialect
        while True:
            self._pace.wait()
            try:
                completion = self._client.chat.completions.create(**_request(self._model, asked, dialect))
            except openai.APIStatusError as error:
                complaint = f"{error.param} {error.message}".lower()
                adapted = dialect.without(complaint, schema_sent=asked.schema is not None)
                if error.status_code not in _WORTH_ADAPTING or adapted is None:
                    raise sort_failure(error, self._base_url, reached=True) from error
                dialect = adapted
            except (openai.APIError, ValueError) as error:
                raise sort_failure(error, self._base_url, reached=self._reached) from error
            else:
                self._learn(dialect)
                return self._read(completion, spent)

    def _read(self, completion: object, spent: list[Reply]) -> Reply:
        """The reply in a completion; what it cost is added to ``spent`` whether or not it can be used."""
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            message = (
                f"{self._base_url} answered with something other than a chat completion: is this the base URL of an "
                f"OpenAI-compatible endpoint (most end in /v1)? It said: {one_line(completion)}"
            )
            raise Transient(EndpointFailed(message), attempts=2)
        choice, usage = completion.choices[0], completion.usage
        reply = Reply(
            text=strip_thoughts(choice.message.content or ""),
            finish_reason=choice.finish_reason or "stop",
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
            model=completion.model or self._model,
        )
        spent.append(reply)
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise UnusableAnswer(
                f"{self._model} declined to answer: {one_line(choice.message.refusal or 'content filter')}"
            )
        try:
            return check_reply(reply)
        except EmptyAnswer as error:
            raise Transient(error) from error

    def _learn(self, dialect: _Dialect) -> None:
        with self._lock:
            self._dialect, self._reached = dialect, True

    def _give_up(self, state: RetryCallState) -> bool:
        failure = _failure(state)
        allowed = min(self._attempts, failure.attempts or self._attempts)
        return state.attempt_number >= allowed or self._waits.too_long(failure.retry_after_s)

    def _wait(self, state: RetryCallState) -> float:
        failure = _failure(state)
        seconds = self._waits.seconds(state.attempt_number, retry_after_s=failure.retry_after_s)
        if failure.retry_after_s is not None:
            self._pace.hold(seconds)
        return seconds

    def _final(self, failure: Transient, spent: Reply) -> Exception:
        error = failure.error
        if isinstance(error, UnusableAnswer):
            error.reply = spent
        return error


def _request(model: str, asked: _Asked, dialect: _Dialect) -> dict[str, Any]:
    """The request's body, in the words that the endpoint is known to accept."""
    messages = asked.messages
    if asked.schema is not None and not dialect.schema:
        messages = with_instruction(messages, asked.schema)
    body: dict[str, Any] = {
        "model": model,
        "messages": [_turn(message) for message in messages],
        dialect.limit: asked.max_tokens,
    }
    if dialect.temperature:
        body["temperature"] = asked.temperature
    if asked.schema is not None and dialect.schema:
        named = {"name": "answer", "strict": True, "schema": asked.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def _turn(message: Message) -> dict[str, object]:
    if not message.images:
        return {"role": message.role, "content": message.text}
    shown = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in message.images]
    return {"role": message.role, "content": [*shown, {"type": "text", "text": message.text}]}


def _total(spent: Sequence[Reply], started: float) -> Reply:
    """What all attempts cost together, in the name of the last one's model."""
    return Reply(
        text="",
        finish_reason=spent[-1].finish_reason if spent else "",
        prompt_tokens=sum(reply.prompt_tokens for reply in spent),
        completion_tokens=sum(reply.completion_tokens for reply in spent),
        seconds=time.perf_counter() - started,
        model=spent[-1].model if spent else "",
    )


def _failure(state: RetryCallState) -> Transient:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, Transient):
        raise TypeError(f"only a passing failure is retried, not {error!r}")
    return error
