"""The life of a worker: shut in, it answers one request after the other until its asker goes away or kills it."""

import contextlib
import gc
import io
import os
import resource
import socket
import sys

import pyoxigraph as ox

from kg.xml_entities import refuse_entity_bombs
from sparql.errors import GuardError, LimitExceeded
from sparql.guard.answering import Source, answer
from sparql.guard.confinement import confine, limit
from sparql.guard.filters import Role
from sparql.guard.frames import PARSE, Gone, Reply, Request, error_reply, receive_request, send_reply
from sparql.guard.reading import read

CRASHED = 70
"""Exit status after an error that is nobody's fault but ours."""
_SPENT = 8
"""A worker is replaced when this part of its memory has stayed with it after an answer."""


class Worker:
    """Answers from ``source``; within ``memory_bytes``, ``answer_bytes`` and ``nesting``."""

    def __init__(self, source: Source, bounds: dict[str, int]) -> None:
        self._source = source
        self._memory_bytes = bounds["memory_bytes"]
        self._answer_bytes = bounds["answer_bytes"]
        self._nesting = bounds["nesting"]

    def serve(self, connection: socket.socket, *, role: Role) -> None:
        """Answer until the other side is gone. Raises CannotConfine."""
        self._statm = os.open("/proc/self/statm", os.O_RDONLY)
        limit(role, memory_bytes=self._memory_bytes)
        confine(role)
        self._usual_pages = self._pages()
        with contextlib.suppress(Gone, BrokenPipeError):
            while True:
                send_reply(connection, self._reply(receive_request(connection)))

    def _reply(self, request: Request) -> Reply:
        try:
            if request.kind == PARSE:
                kind, body = b"N", read(request.body, request.settings, answer_bytes=self._answer_bytes)
            else:
                text = request.body.decode()
                kind, body = answer(
                    self._source, text, request.settings, answer_bytes=self._answer_bytes, nesting=self._nesting
                )
        except GuardError as error:
            return error_reply(error, spent=self._is_spent())
        except MemoryError:
            return error_reply(out_of_memory(self._memory_bytes), spent=True)
        return Reply(kind, self._is_spent(), body)

    def _is_spent(self) -> bool:
        return (self._pages() - self._usual_pages) * resource.getpagesize() * _SPENT > self._memory_bytes

    def _pages(self) -> int:
        return int(os.pread(self._statm, 64, 0).split(b" ", 1)[0])


def warm_up() -> None:
    """Do once, before workers are forked, what opens files the first time."""
    kinds = {"solutions_type": "application/sparql-results+json", "graph_type": "application/rdf+xml"}
    empty = Source(ox.Store())
    for text in ("SELECT * { ?s ?p ?o }", "ASK { FILTER(REGEX('é', 'É', 'i') && NOW() > 1) }", "DESCRIBE <a:b>"):
        answer(empty, text, kinds, answer_bytes=1 << 20, nesting=9)
    refuse_entity_bombs(lambda: io.BytesIO(b"<!DOCTYPE a><a/>"), "")
    gc.freeze()


def out_of_memory(memory_bytes: int) -> LimitExceeded:
    """The error of a query that needs more memory than allowed."""
    return LimitExceeded(f"it needs more than {memory_bytes >> 20} MiB of memory: ask for less", limit="memory")


def silence() -> None:
    """Nothing that happens in here belongs on the terminal of the server; the parent tells it."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    sys.stdin = sys.stdout = sys.stderr = None
