"""
Uploads on their way into the graph: received, read as a trial, and imported on a second word.

    HOME/uploads/<id>/files/      what was sent
    HOME/uploads/<id>/source/     the same, unpacked
    HOME/uploads/<id>/state.json  how far it is; replaced atomically
    HOME/uploads/lock             held while one of them is read
    HOME/uploads/<id>/lock        held by the thread that waits for the process that reads

The state is on disk, so that it outlives the server; a run that its server did not see the end of is told as broken
off. Reading is for web.importing.worker, one upload at a time.
"""

import contextlib
import fcntl
import json
import logging
import os
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from kg.home import Home
from kg.json_files import read_object
from web.errors import ImportBusy, NoSuchImport, WorkFailed
from web.importing.limits import ImportLimits
from web.importing.worker import FILES, SOURCE
from web.processes import run_apart

_LOG = logging.getLogger(__name__)
_ID_BYTES = 16
_POLL_S = 0.05
_TOLD_S = 0.5
_GLANCE_S = 0.3
_OTHER_RUNS = "another import is running: wait until it has ended, and try again"
_IS_READ = "this upload is being read already"
Phase = Literal["received", "checking", "checked", "importing", "done", "failed"]
RUNNING: tuple[Phase, ...] = ("checking", "importing")


@dataclass(frozen=True, slots=True)
class Upload:
    """
    One upload. ``report`` is that of kg.report, as JSON; ``message`` says what went wrong, or why it has to wait.

    ``created`` is in seconds since the epoch; ``before`` is the phase that a run goes back to which comes to nothing.
    """

    id: str
    name: str
    base: str = ""
    strict: bool = False
    files: list[str] = field(default_factory=list)
    size: int = 0
    phase: Phase = "received"
    progress: str = ""
    message: str = ""
    report: dict[str, object] | None = None
    created: float = 0.0
    before: Phase = "received"

    @property
    def running(self) -> bool:
        """Whether a process is reading it."""
        return self.phase in RUNNING

    @property
    def told(self) -> str:
        """The message as a sentence; a file's name that it begins with stays as it is."""
        said = self.message.rstrip(".")
        first = said[:1] if "." in said.partition(" ")[0] else said[:1].upper()
        return f"{first}{said[1:]}." if said else ""


class Uploads:
    """The uploads of one home."""

    def __init__(self, home: Home, limits: ImportLimits) -> None:
        self._home, self._limits = home, limits
        self._folder = home.path / "uploads"

    @contextlib.contextmanager
    def receiving(self) -> Iterator[Path]:
        """
        A new folder for files; it goes away again where the block raises or keeps nothing (see :meth:`keep`).

        Raises ImportBusy where too many wait already.
        """
        self.clean_up()
        if len(self.all()) >= self._limits.pending and not self._make_room():
            raise ImportBusy("too many uploads wait to be imported: import or discard one of them first")
        folder = self._folder / secrets.token_hex(_ID_BYTES)
        (folder / FILES).mkdir(parents=True, mode=0o700)
        try:
            yield folder
        finally:
            if not (folder / "state.json").exists():
                shutil.rmtree(folder, ignore_errors=True)

    def keep(self, folder: Path, *, name: str, base: str, strict: bool) -> Upload:
        """Take the files in a folder for an upload of this name."""
        files = sorted((folder / FILES).iterdir())
        size = sum(path.stat().st_size for path in files)
        upload = Upload(folder.name, name, base, strict, [path.name for path in files], size, created=time.time())
        self._write(upload)
        return upload

    def get(self, upload_id: str) -> Upload:
        """Raises NoSuchImport."""
        path = self._path(upload_id)
        try:
            values = read_object(path / "state.json")
            upload = Upload(**{one.name: values[one.name] for one in fields(Upload) if one.name in values})
        except (OSError, ValueError, TypeError) as error:
            raise NoSuchImport("there is no such upload, or no longer: uploads are kept for a day") from error
        if upload.running and not _is_locked(path / "lock"):
            upload = replace(upload, phase=upload.before, message="It was broken off: the server stopped.")
        return upload

    def all(self) -> list[Upload]:
        """The uploads that are there, newest first."""
        found = []
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            with contextlib.suppress(NoSuchImport):
                found.append(self.get(path.name))
        return sorted(found, key=lambda upload: upload.created, reverse=True)

    def start(self, upload_id: str, *, publish: bool, patience_s: float = 0.0) -> Upload:
        """
        Begin to read an upload, as a trial or in earnest, and come back at once.

        Raises NoSuchImport, and ImportBusy where another one is being read for longer than ``patience_s``.
        """
        self.get(upload_id)
        locks = [_turn(self._folder / "lock", _OTHER_RUNS, patience_s=patience_s)]
        try:
            # Whoever looks whether it is locked holds it for a moment.
            locks.append(_turn(self._path(upload_id) / "lock", _IS_READ, patience_s=_GLANCE_S))
        except BaseException:
            os.close(locks[0])
            raise
        upload = self.get(upload_id)
        phase: Phase = "importing" if publish else "checking"
        started = replace(upload, phase=phase, before=upload.phase, progress="", message="")
        self._write(started)
        threading.Thread(target=self._run, args=(started, publish, locks), daemon=True).start()
        return started

    def note(self, upload_id: str, message: str) -> None:
        """Say of an upload why it waits. Raises NoSuchImport."""
        self._write(replace(self.get(upload_id), message=message))

    def wait(self, upload_id: str, *, seconds: float) -> Upload:
        """The upload when it is not being read any more, or after so many seconds as it is. Raises NoSuchImport."""
        end = time.monotonic() + seconds
        lock = self._path(upload_id) / "lock"
        # Its own lock is let go of last: then another upload can be read.
        while ((upload := self.get(upload_id)).running or _is_locked(lock)) and time.monotonic() < end:
            time.sleep(_POLL_S)
        return upload

    def discard(self, upload_id: str) -> None:
        """Forget an upload that is not being read. Raises NoSuchImport, ImportBusy."""
        if self.get(upload_id).running:
            raise ImportBusy("this upload is being read: wait until that has ended")
        shutil.rmtree(self._path(upload_id), ignore_errors=True)

    def clean_up(self) -> None:
        """Remove what is older than it may be, and folders of requests that were broken off."""
        oldest = time.time() - self._limits.kept_s
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            with contextlib.suppress(OSError):
                if path.is_dir() and path.stat().st_mtime < oldest and not _is_locked(path / "lock"):
                    shutil.rmtree(path, ignore_errors=True)

    def _make_room(self) -> bool:
        """Forget the oldest upload that is done with."""
        finished = [upload for upload in self.all() if upload.phase in ("done", "failed")]
        if finished:
            shutil.rmtree(self._path(finished[-1].id), ignore_errors=True)
        return bool(finished)

    def _path(self, upload_id: str) -> Path:
        if len(upload_id) != 2 * _ID_BYTES or not upload_id.isalnum() or not upload_id.isascii():
            raise NoSuchImport("there is no such upload")
        return self._folder / upload_id

    def _run(self, upload: Upload, publish: bool, locks: list[int]) -> None:
        try:
            ended = self._read(upload, publish)
            if ended.phase == "done" or (ended.phase == "failed" and publish):
                for place in (FILES, SOURCE):
                    shutil.rmtree(self._path(upload.id) / place, ignore_errors=True)
            self._write(ended)
        except Exception:
            _LOG.exception("the upload %s broke off", upload.id)
            self._write(replace(upload, phase="failed", message="It broke off; why stands in the server's log."))
        finally:
            for lock in locks:
                os.close(lock)

    def _read(self, upload: Upload, publish: bool) -> Upload:
        told = time.monotonic()

        def tell(line: str) -> None:
            nonlocal told
            if time.monotonic() - told > _TOLD_S:
                told = time.monotonic()
                self._write(replace(upload, progress=line))

        job = {
            "home": str(self._home.path.resolve()),
            "folder": str(self._path(upload.id).resolve()),
            "name": upload.name,
            "base": upload.base,
            "strict": upload.strict,
            "publish": publish,
            "limits": asdict(self._limits),
        }
        try:
            answer = run_apart("web.importing.worker", job, bounds=self._limits.bounds, told=tell)
        except WorkFailed as error:
            return replace(upload, phase="failed", message=f"The upload could not be read: {error}.")
        report = answer.get("report")
        held = report if isinstance(report, dict) else None
        if "busy" in answer:
            return replace(upload, phase=upload.before, message=str(answer["busy"]))
        if "failed" in answer:
            return replace(upload, phase="failed", message=str(answer["failed"]), report=held)
        return replace(upload, phase="done" if publish else "checked", report=held)

    def _write(self, upload: Upload) -> None:
        path = self._path(upload.id) / "state.json"
        temporary = path.with_suffix(f".{threading.get_ident()}.tmp")
        temporary.write_text(json.dumps(asdict(upload), ensure_ascii=False), encoding="utf-8")
        temporary.replace(path)


def _turn(path: Path, else_said: str, *, patience_s: float) -> int:
    """A lock, waited for. Raises ImportBusy."""
    end = time.monotonic() + patience_s
    while True:
        try:
            return _lock(path, else_said)
        except ImportBusy:
            if time.monotonic() >= end:
                raise
        time.sleep(_POLL_S)


def _lock(path: Path, else_said: str) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise ImportBusy(else_said) from error
    return handle


def _is_locked(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
