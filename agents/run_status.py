"""What a run says of itself in a line or two, and in which state it is: the small file that lists are made from.

``<runs>/<id>/status.json`` is written whole, when the run begins and when it ends. A process that dies cannot write its
end: while a run is under way its process holds a lock on ``<runs>/<id>/lock``, which the machine lets go of with the
process, so that a run which says "running" and is locked by nobody is unfinished. A file ``stop`` asks the run, in
whatever process it is, to end.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from kg.json_files import Damaged, read_object

State = Literal["running", "finished", "stopped", "failed", "unfinished"]
STATES: tuple[State, ...] = get_args(State)
_STATUS, _LOCK, _STOP = "status.json", "lock", "stop"
_MAX = 10**15
"""What is larger is no number of ours."""
_TEXTS = ("question", "topic", "policy", "started", "answer", "problem")


@dataclass(frozen=True, slots=True)
class RunStatus:
    """
    A run in short.

    ``answer`` is the first line of the answer, ``topic`` the label of where it started, ``problem`` why it failed,
    ``models`` who was asked, ``started`` an ISO 8601 time, ``routes`` how many were kept, ``seconds`` wall time. What
    is not known yet, or was not kept, is empty.
    """

    state: State
    question: str = ""
    topic: str = ""
    policy: str = ""
    models: tuple[str, ...] = ()
    started: str = ""
    answer: str = ""
    routes: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    problem: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state != "running"


class Occupation:
    """Marks a run's folder as one whose process lives, until it is closed or the process ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def close(self) -> None:
        """Lets go of the folder; the lock file goes too."""
        if self._lock >= 0:
            (self._folder / _LOCK).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = -1


def is_occupied(folder: Path) -> bool:
    """Whether a living process holds the folder."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def request_stop(folder: Path) -> None:
    """Asks the run in ``folder`` to end."""
    (folder / _STOP).touch()


def is_stop_wanted(folder: Path) -> bool:
    """Whether the run in ``folder`` was asked to end."""
    return (folder / _STOP).exists()


def write_status(folder: Path, status: RunStatus) -> None:
    """Writes the status, whole or not at all."""
    draft = folder / f"{_STATUS}.part"
    # Half a surrogate pair, which some models write, has no UTF-8: it is written as JSON's own escape.
    with draft.open("w", encoding="utf-8", errors="backslashreplace") as file:
        json.dump(asdict(status), file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / _STATUS)


def read_status(folder: Path) -> RunStatus | None:
    """The status of the run in ``folder``; None where the folder has none that can be read."""
    status = _read(folder)
    if status is None or status.state != "running" or is_occupied(folder):
        return status
    status = _read(folder)  # it may have ended in between
    if status is None or status.state != "running":
        return status
    return replace(status, state="unfinished")


def status_of_result(result: Mapping[str, object]) -> RunStatus:
    """
    The status of a run that left a result and no status of its own, as earlier versions did.

    >>> status_of_result({"question": {"text": "Why?"}, "answer": "Because.\\nSo.", "stopped": ""}).answer
    'Because.'
    """
    question, topic, policy, cost = (_table(result.get(name)) for name in ("question", "topic", "policy", "cost"))
    paths, models = result.get("paths"), cost.get("models")
    return RunStatus(
        state="stopped" if result.get("stopped") == "stopped" else "finished",
        question=str(question.get("text", "")),
        topic=str(topic.get("label", "")),
        policy=str(policy.get("name", "")),
        models=tuple(map(str, models)) if isinstance(models, list) else (),
        answer=first_line(str(result.get("answer", ""))),
        routes=len(paths) if isinstance(paths, list) else 0,
        calls=_whole(cost.get("calls")),
        tokens=_whole(cost.get("prompt_tokens")) + _whole(cost.get("completion_tokens")),
        seconds=_number(cost.get("seconds")),
    )


def first_line(text: str) -> str:
    """
    The first line of ``text`` that says something.

    >>> first_line("\\n  Slow Drip  \\nmore")
    'Slow Drip'
    """
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _read(folder: Path) -> RunStatus | None:
    try:
        said = read_object(folder / _STATUS)
    except (FileNotFoundError, Damaged):
        return None
    if said.get("state") not in STATES:
        return None
    models = said.get("models")
    return RunStatus(
        state=said["state"],
        **{name: str(said.get(name, "")) for name in _TEXTS},
        models=tuple(map(str, models)) if isinstance(models, list) else (),
        routes=_whole(said.get("routes")),
        calls=_whole(said.get("calls")),
        tokens=_whole(said.get("tokens")),
        seconds=_number(said.get("seconds")),
    )


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _whole(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value <= _MAX else 0


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and abs(value) <= _MAX else 0.0
