"""The trace of a walk: every step as it happens, to whoever observes, and as JSON lines on disk."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TextIO

from agents.roles import Call


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a walk.

    ``kind`` is perceived, topic, round, expanded, validated, selected or answered; ``data`` is JSON-able; ``seconds``
    is time since the walk began.
    """

    kind: str
    seconds: float
    data: Mapping[str, object] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()

    def to_json(self) -> str:
        """The event on one line."""
        record = {"kind": self.kind, "seconds": round(self.seconds, 6), **self.data}
        if self.calls:
            record["calls"] = [asdict(call) for call in self.calls]
        return json.dumps(record, ensure_ascii=False)


Observer = Callable[[Event], None]


def ignore(event: Event) -> None:
    """The observer that is told and does nothing."""
    del event


class TraceFile:
    """Writes events to a JSONL file, each flushed as it comes, the whole synced at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> "TraceFile":
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Half a surrogate pair, which some models write, has no UTF-8: it is written as JSON's own escape.
        self._file = self._path.open("w", encoding="utf-8", errors="backslashreplace")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def __call__(self, event: Event) -> None:
        if self._file is None:
            raise ValueError("a TraceFile writes inside its with block only")
        self._file.write(event.to_json() + "\n")
        self._file.flush()
