"""Runs on disk: one folder a question answered, with its trace and its result.

``<runs>/<id>/trace.jsonl`` is written as the walk goes; ``result.json`` appears whole when it is done; ``status.json``
says in which state it is (see agents.run_status). An id is a time and a random part, so that two processes never share
one.
"""

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from agents.errors import RunNotFound
from agents.run_status import RunStatus, read_status, status_of_result
from kg.json_files import Damaged, parse_object, read_text

_ID = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}")
_STAMP = len("20260101T000000Z")


class RunFolder:
    """The folder in which a home keeps its runs."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def new(self) -> tuple[str, Path]:
        """The id and the folder of a new run."""
        run_id = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
        folder = self._root / run_id
        folder.mkdir(parents=True)
        return run_id, folder

    def save(self, run_id: str, result: dict[str, object]) -> None:
        """Writes the result, whole or not at all."""
        _write(self._folder(run_id) / "result.json", result)

    def save_asked(self, run_id: str, asked: dict[str, object]) -> None:
        """Writes what was asked, and how it is walked, which is known before there is a result."""
        _write(self._folder(run_id) / "asked.json", asked)

    def asked(self, run_id: str) -> dict[str, object]:
        """What was asked in a run that may have no result; a part of what :meth:`load` gives.

        Raises RunNotFound.
        """
        return self._load(run_id, "asked.json", missing=f"what was asked in run {run_id} was not kept")

    def load(self, run_id: str) -> dict[str, object]:
        """The result of a finished run.

        Raises RunNotFound.
        """
        return self._load(run_id, "result.json", missing=f"there is no finished run {run_id}")

    def trace(self, run_id: str) -> list[dict[str, object]]:
        """The events of a run, in order; a last line that a killed process left half written is left out.

        Raises RunNotFound.
        """
        text = self._read(run_id, "trace.jsonl", missing=f"there is no run {run_id}")
        # Not splitlines(): JSON leaves some of the line ends of Unicode (U+2028, U+0085) inside its strings.
        whole, _, _ = text.rpartition("\n")
        return [self._parsed(run_id, line) for line in whole.split("\n") if line]

    def status(self, run_id: str) -> RunStatus:
        """A run in short, whatever state it is in. Raises RunNotFound."""
        folder = self.folder(run_id)
        status = read_status(folder)
        if status is not None:
            return status
        if self.has_result(run_id):
            return status_of_result(self.load(run_id))
        return RunStatus("unfinished")

    def has_result(self, run_id: str) -> bool:
        """Whether a run has a result, be it readable or not. Raises RunNotFound for what is no id."""
        return _is_there(self._folder(run_id) / "result.json")

    def has_trace(self, run_id: str) -> bool:
        """Whether a run has a trace, be it readable or not. Raises RunNotFound for what is no id."""
        return _is_there(self._folder(run_id) / "trace.jsonl")

    def pictures_bytes(self) -> int:
        """How many bytes the pictures of all runs take."""
        return sum(_size(path) for path in self._root.glob("*/image-*"))

    def free_bytes(self) -> int:
        """How many bytes are free where runs are kept."""
        place = next(path for path in (self._root, *self._root.absolute().parents) if path.exists())
        return shutil.disk_usage(place).free

    def folder(self, run_id: str) -> Path:
        """Where a run is kept. Raises RunNotFound where there is no such run."""
        folder = self._folder(run_id)
        if not folder.is_dir():
            raise RunNotFound(f"there is no run {run_id}")
        return folder

    def all_ids(self) -> list[str]:
        """The ids of all runs, whatever became of them, newest first."""
        found = self._root.iterdir() if self._root.is_dir() else ()
        stamped = [(path.name[:_STAMP], _changed(path), path.name) for path in found if _ID.fullmatch(path.name)]
        return [name for _, _, name in sorted(stamped, reverse=True)]

    def ids(self) -> Iterator[str]:
        """The ids of the finished runs, newest first."""
        found = self._root.glob("*/result.json") if self._root.is_dir() else []
        finished = [path for path in found if _ID.fullmatch(path.parent.name)]
        # An id holds whole seconds; of two runs of one second the one that was done later is the newer.
        finished.sort(key=lambda path: (path.parent.name[:_STAMP], _changed(path)), reverse=True)
        yield from (path.parent.name for path in finished)

    def _load(self, run_id: str, name: str, *, missing: str) -> dict[str, object]:
        return self._parsed(run_id, self._read(run_id, name, missing=missing))

    def _parsed(self, run_id: str, text: str) -> dict[str, object]:
        try:
            return parse_object(text)
        except Damaged as error:
            raise self._damaged(run_id) from error

    def _read(self, run_id: str, name: str, *, missing: str) -> str:
        try:
            return read_text(self._folder(run_id) / name)
        except FileNotFoundError as error:
            raise RunNotFound(missing) from error
        except Damaged as error:
            raise self._damaged(run_id) from error

    def _damaged(self, run_id: str) -> RunNotFound:
        return RunNotFound(f"run {run_id} is damaged: delete its folder")

    def _folder(self, run_id: str) -> Path:
        if not _ID.fullmatch(run_id):
            raise RunNotFound(f"{run_id!r} is no run id")
        return self._root / run_id


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder that may not be looked into
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _changed(path: Path) -> int:
    """When something last changed there; 0 where it has just gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _write(target: Path, content: dict[str, object]) -> None:
    draft = target.with_suffix(".part")
    # Half a surrogate pair, which some models write, has no UTF-8: it is written as JSON's own escape.
    with draft.open("w", encoding="utf-8", errors="backslashreplace") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(target)
