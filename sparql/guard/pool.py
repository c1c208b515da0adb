"""Guarded workers: the queries, updates and documents of strangers, each in a process that can be killed.

What a worker may do stands in sparql.guard.filters, what it may use in sparql.guard.limits, and which process forks
which in sparql.guard.zygote.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType

from kg.home import IN_MEMORY_QUADS, Home
from sparql.errors import Busy, GuardError, LimitExceeded, Malformed
from sparql.guard.answering import FORMS, GRAPHS
from sparql.guard.following import Following
from sparql.guard.frames import ERROR, PARSE, QUERY, UPDATE, Gone, Reply, Request, error_of
from sparql.guard.generation import Generation, start_generation
from sparql.guard.limits import Limits
from sparql.guard.postmortem import Killed, as_error, cause
from sparql.guard.processes import Child, Lost, Nursery
from sparql.guard.requests import Answer, QueryRequest, UpdateRequest
from sparql.guard.worker import out_of_memory

_ROOM_FOR_MESSAGES = 1 << 16
_ATTEMPTS = 2


class WorkerPool:
    """
    A Guard over the home at ``home``, which may be empty. Close it, or use it in a ``with`` statement.

    Raises CannotGuard where this machine cannot shut a process in; there are no unguarded workers.
    """

    def __init__(self, home: Path, limits: Limits | None = None, *, in_memory_quads: int = IN_MEMORY_QUADS) -> None:
        self.limits = limits or Limits()
        self._home = home
        self._in_memory_quads = in_memory_quads
        self._nursery = Nursery()
        self._following = {
            union: Following(home, self._loader(union=union), refresh_s=self.limits.refresh_s)
            for union in (True, False)
        }
        self._quick = threading.BoundedSemaphore(self.limits.workers)
        self._long = threading.BoundedSemaphore(max(1, self.limits.long_running))
        self._writing = threading.Lock()
        try:
            self._following[True].enter().leave()
        except BaseException:
            self.close()
            raise

    def query(self, request: QueryRequest) -> Answer:
        """See :class:`sparql.guard.requests.Guard`."""
        body = _encoded(request.text, most=self.limits.query_bytes)
        settings = {
            "default_graphs": list(request.default_graphs),
            "named_graphs": list(request.named_graphs),
            "base_iri": request.base_iri,
            "solutions_type": request.solutions_type,
            "graph_type": request.graph_type,
        }
        reply, generation = self._answer(Request(QUERY, settings, body), union=request.union)
        form = FORMS.get(reply.kind)
        if form is None:
            raise GuardError("a worker gave an answer that is none: this is a fault of the server")
        media_type = request.solutions_type if form in ("SELECT", "ASK") else request.graph_type
        return Answer(form, str(media_type), reply.body, generation)

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        """See :class:`sparql.guard.requests.Guard`. Raises ValueError for a media type that is not in GRAPH_TYPES."""
        if media_type not in GRAPHS:
            raise ValueError(f"documents are read in {', '.join(map(str, GRAPHS))}, not in {media_type}")
        if len(document) > self.limits.upload_bytes:
            most = self.limits.upload_bytes
            raise LimitExceeded(
                f"the document is larger than {most} bytes: send it in parts", limit="size of the document"
            )
        settings = {"media_type": media_type, "base_iri": base_iri}
        return self._answer(Request(PARSE, settings, document), union=True)[0].body

    def update(self, request: UpdateRequest) -> int:
        """See :class:`sparql.guard.requests.Guard`."""
        body = _encoded(request.text, most=self.limits.update_bytes)
        settings = {
            "using_graphs": list(request.using_graphs),
            "using_named_graphs": list(request.using_named_graphs),
            "base_iri": request.base_iri,
        }
        deadline = time.monotonic() + self.limits.update_seconds
        if not self._writing.acquire(timeout=self.limits.wait_s):
            raise Busy("another update is being carried out: try again later")
        try:
            number = self._write(Request(UPDATE, settings, body), deadline=deadline)
        finally:
            self._writing.release()
        self.reach(number)
        return number

    def reach(self, generation: int) -> None:
        """See :class:`sparql.guard.requests.CatchesUp`. Raises CannotGuard."""
        for following in self._following.values():
            if following.is_loaded:
                following.reach(generation, timeout_s=self.limits.load_seconds)

    def close(self) -> None:
        """End all processes; again does nothing."""
        for following in self._following.values():
            following.abandon()
        self._nursery.close()
        for following in self._following.values():
            following.close()

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, request: Request, *, union: bool) -> tuple[Reply, int]:
        """
        The answer of a worker, and the generation that it has.

        A second worker is asked where the first, or its zygote, was killed by someone else.
        """
        following = self._following[union]
        for attempt in range(_ATTEMPTS):
            generation = following.enter()
            try:
                reply = self._ask(generation, request)
            except Lost:
                following.drop(generation)
            except Killed as error:
                if attempt > 0:
                    raise out_of_memory(self.limits.memory_bytes) from error
            else:
                if reply.kind == ERROR:
                    raise error_of(reply)
                return reply, generation.number
            finally:
                generation.leave()
        raise Busy("the workers have ended and are being started anew: try again")

    def _ask(self, generation: Generation, request: Request) -> Reply:
        if not self._quick.acquire(timeout=self.limits.wait_s):
            raise Busy("all workers are busy: try again later")
        place = self._quick
        try:
            worker = generation.take()
            seconds = self._seconds(request)
            deadline = time.monotonic() + seconds
            try:
                worker.ask(request, deadline=deadline)
                if not worker.answers_quickly(self.limits.quick_s):
                    self._take_long_place()
                    place = self._long
                    worker.demote()
                    generation.replace()
                    self._quick.release()
                reply = worker.reply(deadline=deadline, most_bytes=self.limits.answer_bytes + _ROOM_FOR_MESSAGES)
            except BaseException as error:
                status = worker.end()
                if place is self._quick:
                    generation.replace()
                self._explain(error, status, generation, seconds=seconds)
                raise
            if reply.spent or place is self._long:
                worker.end()
            else:
                generation.give_back(worker)
            return reply
        finally:
            place.release()

    def _take_long_place(self) -> None:
        if self.limits.long_running == 0 or not self._long.acquire(blocking=False):
            raise Busy("all places for long queries are taken: try again later, or ask for less", retry_after_s=5)

    def _seconds(self, request: Request) -> float:
        """How long a worker may take: for a document as long as an update, since it is part of one."""
        return self.limits.update_seconds if request.kind == PARSE else self.limits.seconds

    def _explain(self, error: BaseException, status: int | None, generation: Generation, *, seconds: float) -> None:
        """Raise what the asker should know of a worker that did not answer."""
        if isinstance(error, TimeoutError):
            raise LimitExceeded(f"it took longer than {seconds:g} s: ask for less", limit="time") from error
        if isinstance(error, Gone):
            if status is None or generation.is_lost():
                raise Lost("a zygote has ended") from error
            raise cause(status, memory_bytes=self.limits.memory_bytes) from error

    def _write(self, request: Request, *, deadline: float) -> int:
        orders = self._nursery.orders()
        bounds = {"update_memory_bytes": self.limits.update_memory_bytes, "nesting": self.limits.nesting}
        try:
            writer = Child(orders, {"do": "writer", "home": str(self._home.absolute()), "bounds": bounds})
        except Lost as error:
            self._nursery.replace(orders)
            raise Busy("the process that writes has ended and is being started anew: try again") from error
        before, status = self._published(), None
        try:
            writer.ask(request, deadline=deadline)
            reply = writer.reply(deadline=deadline, most_bytes=_ROOM_FOR_MESSAGES)
        except TimeoutError as error:
            writer.end()
            outcome = "nothing was changed" if self._published() == before else "look whether it was carried out"
            message = f"the update took longer than {self.limits.update_seconds:g} s: {outcome}"
            raise LimitExceeded(message, limit="time") from error
        except Gone as error:
            status = writer.end()
            raise as_error(cause(status, memory_bytes=self.limits.update_memory_bytes)) from error
        finally:
            writer.end()
        if reply.kind == ERROR:
            raise error_of(reply)
        return int(reply.body)

    def _published(self) -> int | None:
        """The current generation; a writer that is ended just after it has switched has changed the graph."""
        return Home(self._home).current()

    def _loader(self, *, union: bool) -> Callable[[], Generation]:
        limits = self.limits
        bounds = {
            "memory_bytes": limits.memory_bytes,
            "answer_bytes": limits.answer_bytes,
            "nesting": limits.nesting,
            "in_memory_quads": self._in_memory_quads,
        }
        order = {"do": "zygote", "home": str(self._home.absolute()), "union": union, "bounds": bounds}
        return partial(start_generation, self._nursery, order, workers=limits.workers, load_seconds=limits.load_seconds)


def _encoded(text: str, *, most: int) -> bytes:
    try:
        body = text.encode()
    except UnicodeEncodeError as error:
        raise Malformed("it holds half a surrogate pair, which is no character") from error
    if len(body) > most:
        raise LimitExceeded(f"it is longer than {most} bytes: ask for less at once", limit="size of the query")
    return body
