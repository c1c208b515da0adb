"""One generation of the graph with its idle workers."""

import contextlib
import threading
from collections.abc import Mapping

from sparql.errors import Busy, CannotGuard
from sparql.guard.processes import Child, Lost, Nursery, Orders

_ATTEMPTS = 2


class Generation:
    """
    The zygote of one generation, and workers forked from it.

    Whoever asks it enters first and leaves last; once it is retired, it ends when the last one has left.
    """

    def __init__(self, zygote: Child, *, load_seconds: float) -> None:
        """Wait until it is loaded. Raises CannotGuard, Lost."""
        self._zygote = zygote
        self._orders = Orders(zygote.connection)
        try:
            said = self._orders.first_message(timeout_s=load_seconds)
        except TimeoutError as error:
            raise CannotGuard(f"the graph was not loaded within {load_seconds:g} s") from error
        if "error" in said:
            raise CannotGuard(str(said["error"]))
        self.number = int(str(said["number"]))
        self.quads = int(str(said["quads"]))
        self.in_memory = bool(said["in_memory"])
        self._turn = threading.Lock()
        self._idle: list[Child] = []
        self._inside = 0
        self._retired = False

    def enter(self) -> bool:
        """Be counted as one who asks; False where it is too late."""
        with self._turn:
            if self._retired:
                return False
            self._inside += 1
            return True

    def leave(self) -> None:
        """Be counted no more."""
        with self._turn:
            self._inside -= 1
            over = self._retired and self._inside == 0
        if over:
            self._end()

    def retire(self) -> None:
        """Take no one in any more, and end when nobody is inside."""
        with self._turn:
            over = not self._retired and self._inside == 0
            self._retired = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()
        if over:
            self._end()

    def abandon(self) -> None:
        """Retire, and end those who are inside, too."""
        self.retire()
        self._orders.hang_up()

    def take(self) -> Child:
        """A worker for the caller alone. Raises Lost."""
        with self._turn:
            if self._idle:
                return self._idle.pop()
        return self._fork()

    def give_back(self, worker: Child) -> None:
        """A worker that has answered and may be asked again."""
        with self._turn:
            if not self._retired:
                self._idle.append(worker)
                return
        worker.end()

    def replace(self) -> None:
        """Fork a worker ahead of need; where that fails, the next to take one finds out."""
        with contextlib.suppress(Lost, Busy):
            self.give_back(self._fork())

    def is_lost(self) -> bool:
        """Whether the zygote has ended by itself."""
        return self._zygote.has_ended()

    def _fork(self) -> Child:
        return Child(self._orders, {"do": "worker"})

    def _end(self) -> None:
        self._orders.hang_up()
        self._zygote.end()


def start_generation(nursery: Nursery, order: Mapping[str, object], *, workers: int, load_seconds: float) -> Generation:
    """The current generation, loaded by a new zygote, with idle workers. Raises CannotGuard, Busy."""
    for _ in range(_ATTEMPTS):
        orders = nursery.orders()
        try:
            zygote = Child(orders, order)
        except Lost:
            nursery.replace(orders)
            continue
        try:
            generation = Generation(zygote, load_seconds=load_seconds)
        except Lost:
            zygote.end()
            continue
        except CannotGuard:
            zygote.end()
            raise
        for _ in range(workers):
            generation.replace()
        return generation
    raise CannotGuard("the process that holds the graph ends again and again: is there enough memory?")
