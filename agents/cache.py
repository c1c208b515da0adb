"""Keeps what models have answered, on disk, so that a run can be repeated and a broken-off one goes on where it was.

An answer is found again by everything that led to it: the model and where it runs, the messages with the bytes of their
images, the schema, the parameters, and which repeat of the question it is. Failures are never kept.
"""

import hashlib
import json
import logging
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from agents.chat import DEFAULT_MAX_TOKENS, ChatModel, JsonSchema, Message, Reply
from agents.images import digest
from kg.json_files import read_object

_LOG = logging.getLogger(__name__)
_VERSION = 1
"""Raised when what a key holds, or the form of a file, changes."""


class CachedChat:
    """``model`` with its answers kept in ``folder``. Safe with threads and processes.

    Two threads that ask the same at once cost one call; two processes may cost two, and either answer stands.
    """

    def __init__(self, model: ChatModel, folder: Path) -> None:
        self._model, self._folder = model, folder
        self._lock = threading.Lock()
        self._in_flight: dict[str, threading.Lock] = {}
        self.hits = 0
        self.misses = 0

    @property
    def identity(self) -> str:
        """The identity of the model beneath."""
        return self._model.identity

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        temperature: float = 0.0,
        repeat: int = 0,
    ) -> Reply:
        """See :class:`agents.chat.ChatModel`; a kept answer comes back marked ``cached``."""
        started = time.perf_counter()
        key = cache_key(
            self.identity, messages, schema=schema, max_tokens=max_tokens, temperature=temperature, repeat=repeat
        )
        path = self._folder / key[:2] / f"{key}.json"
        with self._alone(key):
            kept = _read(path)
            self._count(hit=kept is not None)
            if kept is not None:
                return replace(kept, cached=True, seconds=time.perf_counter() - started)
            reply = self._model.complete(
                messages, schema=schema, max_tokens=max_tokens, temperature=temperature, repeat=repeat
            )
            _write(path, reply)
            self._forget(key)
        return reply

    def _alone(self, key: str) -> threading.Lock:
        with self._lock:
            return self._in_flight.setdefault(key, threading.Lock())

    def _forget(self, key: str) -> None:
        """Drops the key's lock: whoever still waits for it, or comes later, finds the answer on disk."""
        with self._lock:
            self._in_flight.pop(key, None)

    def _count(self, *, hit: bool) -> None:
        with self._lock:
            self.hits += hit
            self.misses += not hit


def cache_key(
    identity: str,
    messages: Sequence[Message],
    *,
    schema: JsonSchema | None,
    max_tokens: int,
    temperature: float,
    repeat: int,
) -> str:
    """SHA-256, hex, over all that leads to an answer. Raises MediaUnreadable."""
    asked = {
        "version": _VERSION,
        "model": identity,
        "messages": [[m.role, m.text, [digest(image) for image in m.images]] for m in messages],
        "schema": schema,
        "max_tokens": max_tokens,
        "temperature": float(temperature),
        "repeat": repeat,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _read(path: Path) -> Reply | None:
    """The kept reply; a file that cannot be read as one counts as absent, and is written anew."""
    try:
        return Reply(**read_object(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        _LOG.warning("kept answer %s cannot be read (%s): the model is asked again", path, error)
        return None


def _write(path: Path, reply: Reply) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(reply), file, ensure_ascii=False)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
