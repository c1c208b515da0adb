"""A data directory: immutable generations of an Oxigraph store, of which one is current.

    HOME/CURRENT             the number of the current generation; replaced atomically
    HOME/generations/<n>/    an Oxigraph store, never changed once CURRENT has named it
    HOME/generations/<n>.lock  shared lock of those who read it from disk
    HOME/write.lock          exclusive lock of the one who writes, with the process id inside

A write copies the current generation by hard links, changes the copy and then switches CURRENT, so a kill at any
moment leaves the graph as before or as after. Readers never wait for a writer. Knows nothing of what the graphs mean,
but for the two that no reader is given: closures and notes on sources are not asserted by anyone.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import pyoxigraph as ox

from kg.disk import is_full
from kg.draft import Draft
from kg.errors import DiskFull, HomeDamaged, StoreError, StoreLocked
from kg.store import EmbeddedStore
from ontology.terms import INFERRED_GRAPH, SOURCES_GRAPH

IN_MEMORY_QUADS = 1_000_000
"""Up to this many quads a reader gets a copy in memory: several times faster to ask, 10 µs a quad to make."""


class Snapshot:
    """The current generation, open for reading, graphs and all. Close it, or use it in a ``with`` statement.

    Its directory is not cleaned up while it is open. Iterators of ``store`` belong to the thread that asked.
    """

    def __init__(self, store: ox.Store, *, number: int, lock: int | None) -> None:
        self.store = store
        self.number = number
        self._lock = lock

    def asserted_graphs(self, *, without: Iterable[ox.NamedNode] = ()) -> list[ox.NamedNode]:
        """The named graphs that a source, the catalogue or the ontology states, sorted by IRI; but not ``without``."""
        hidden = {INFERRED_GRAPH, SOURCES_GRAPH, *without}
        graphs = [name for name in self.store.named_graphs() if isinstance(name, ox.NamedNode) and name not in hidden]
        return sorted(graphs, key=lambda name: name.value)

    def asserted_quads(self, *, without: Iterable[ox.NamedNode] = ()) -> Iterator[ox.Quad]:
        """The quads of those graphs and of the default graph."""
        yield from self.store.quads_for_pattern(None, None, None, ox.DefaultGraph())
        for graph in self.asserted_graphs(without=without):
            yield from self.store.quads_for_pattern(None, None, None, graph)

    def close(self) -> None:
        """Let go of the generation; the store must not be asked any more."""
        _release(self._lock)
        self._lock = None

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> "Snapshot":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Held:
    """A generation that is not cleaned up until this is closed; ``directory`` is None for an empty home."""

    def __init__(self, number: int, *, directory: Path | None, lock: int | None) -> None:
        self.number = number
        self.directory = directory
        self._lock = lock

    def close(self) -> None:
        """Let go of the generation."""
        _release(self._lock)
        self._lock = None

    def snapshot(self) -> Snapshot:
        """The generation, opened read-only, which holds it from here on. Raises StoreError."""
        if self.directory is None:
            return Snapshot(ox.Store(), number=0, lock=None)
        try:
            snapshot = Snapshot(ox.Store.read_only(str(self.directory)), number=self.number, lock=self._lock)
        except (OSError, RuntimeError) as error:  # the second is how pyoxigraph says that files are damaged
            self.close()
            said = " ".join(str(error).split())
            raise StoreError(f"{self.directory} cannot be opened: {said}") from error
        self._lock = None
        return snapshot


class Home:
    """The data directory at ``path``; it is made by the first write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pointer = path / "CURRENT"
        self._generations = path / "generations"
        self._seen: tuple[tuple[int, int, int], int] | None = None

    def current(self) -> int | None:
        """The number of the current generation; None for a home that nothing was written to. Raises HomeDamaged."""
        try:
            found = self._pointer.stat()
            stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
            seen = self._seen
            if seen is None or seen[0] != stamp:  # asked for before each query: one look at an unchanged file is enough
                seen = self._seen = (stamp, int(self._pointer.read_bytes()))
            return seen[1]
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise HomeDamaged(f"{self._pointer} cannot be read: {error}; is {self.path} a Scoutfly home?") from error

    def check(self) -> int | None:
        """What :meth:`current` gives, of a generation that is there. Raises HomeDamaged."""
        while True:
            number = self.current()
            if number is None or (self._generations / str(number)).is_dir():
                return number
            if number == self.current():  # else another one was published, and this one was cleaned up
                raise HomeDamaged(f"{self._pointer} names generation {number}, which is not there")

    def snapshot(self) -> Snapshot:
        """The current generation, opened read-only from disk; an empty store for an empty home. Raises StoreError."""
        return self.hold().snapshot()

    def hold(self) -> Held:
        """The current generation, not opened, but kept from being cleaned up. Raises StoreError."""
        while True:
            number = self.current()
            if number is None:
                return Held(0, directory=None, lock=None)
            lock = _shared_lock(self._generations / f"{number}.lock")
            directory = self._generations / str(number)
            if directory.is_dir():
                return Held(number, directory=directory, lock=lock)
            _release(lock)
            if number == self.current():
                raise HomeDamaged(f"{self.path / 'CURRENT'} names generation {number}, but {directory} is not there")

    def reader(self, *, in_memory_quads: int = IN_MEMORY_QUADS, without: Sequence[ox.NamedNode] = ()) -> EmbeddedStore:
        """The asserted graphs of the current generation but those ``without``, seen as one.

        A copy in memory where they are small enough, else the generation on disk, which then stays until this process
        ends. Raises StoreError.
        """
        snapshot = self.snapshot()
        if len(snapshot.store) <= in_memory_quads:
            with snapshot:
                return EmbeddedStore.from_quads(snapshot.asserted_quads(without=without))
        # A look-up in each graph costs half as much again as one in all of them, which would see what is hidden, too.
        graphs: list[ox.NamedNode | ox.DefaultGraph] = [ox.DefaultGraph(), *snapshot.asserted_graphs(without=without)]
        return EmbeddedStore(snapshot.store, graphs=graphs, kept_open=snapshot)

    @contextmanager
    def write(self, *, publish: bool = True) -> Iterator[Draft]:
        """A copy of the current generation to change; it becomes the current one when the block ends without error.

        Without ``publish`` it is thrown away even then: what a change would do is seen, and nothing is changed.
        Raises StoreLocked where another process writes, DiskFull where there is no room, StoreError where the disk
        refuses.
        """
        try:
            self._generations.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / "write.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            kind = DiskFull if is_full(error) else StoreError
            raise kind(f"{self.path} cannot be written to: {error}") from error
        try:
            _lock_for_writing(lock, self.path)
            self._clean_up()
            draft = self._draft()
            try:
                yield draft
                if publish:
                    self._publish(draft)
                else:
                    draft.discard()
            except BaseException:
                draft.discard()
                raise
        except (OSError, RuntimeError) as error:
            if is_full(error):
                raise DiskFull(f"writing to {self.path} failed, the disk is full: {error}") from error
            if isinstance(error, RuntimeError):
                raise
            raise StoreError(f"writing to {self.path} failed: {error}") from error
        finally:
            os.close(lock)

    def _draft(self) -> Draft:
        before = self.current()
        taken = [int(path.stem) for path in self._generations.iterdir() if path.stem.isdigit()]
        number = max([before or 0, *taken]) + 1
        source = None if before is None else self._generations / str(before)
        try:
            return Draft(self._generations / f"{number}.draft", before=source)
        except RuntimeError as error:
            if is_full(error):
                raise
            raise StoreError(f"{source} cannot be opened: {' '.join(str(error).split())}") from error

    def _publish(self, draft: Draft) -> None:
        draft_directory = draft.publishable()
        directory = draft_directory.with_suffix("")
        _sync_tree(draft_directory)
        draft_directory.rename(directory)
        _sync(self._generations)
        temporary = self.path / "CURRENT.tmp"
        temporary.write_text(f"{directory.name}\n", encoding="ascii")
        _sync(temporary)
        temporary.replace(self.path / "CURRENT")
        _sync(self.path)

    def _clean_up(self) -> None:
        """Remove generations that are old or half made, except those that a reader holds."""
        keep = self.current()
        for directory in self._generations.iterdir():
            if not directory.is_dir() or directory.name == str(keep):
                continue
            lock_file = self._generations / f"{directory.name}.lock"
            lock = os.open(lock_file, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(directory)
                lock_file.unlink()
            except BlockingIOError:
                continue
            finally:
                os.close(lock)


def _shared_lock(path: Path) -> int | None:
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        return None  # a home that cannot be written to has no writer that could clean up under the reader
    fcntl.flock(lock, fcntl.LOCK_SH)
    return lock


def _release(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def _lock_for_writing(lock: int, home: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
        raise StoreLocked(f"{home} is being written to by process {holder}: wait until it ends, or end it") from error
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_tree(directory: Path) -> None:
    for path in directory.iterdir():
        if path.stat().st_nlink == 1:  # a file with more links came from a generation that is on the disk already
            _sync(path)
    _sync(directory)
