"""The pages of the vocabulary: made once for each state of its files, kept in the home, or in memory without one."""

import hashlib
import json
import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from kg.json_files import read_object
from web.ontology.documents import DOCUMENTS, Document, term_page
from web.processes import Bounds, run_apart

_LOG = logging.getLogger(__name__)
_BOUNDS = Bounds(memory_bytes=4 << 30, seconds=120)
_WRITER = Path(__file__).with_name("writer.py")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the table of contents: its anchor, its title, and (anchor, title) of its terms."""

    anchor: str
    title: str
    terms: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Described:
    """One document as HTML, without the page around it."""

    html: str
    contents: tuple[Section, ...]


class Documentation:
    """Describes the documents; ``folder`` is where pages are kept, None keeps them in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known: dict[str, Described] = {}

    def of(self, document: Document) -> Described:
        """
        The document as HTML; the first to ask waits two seconds for it.

        Raises WorkFailed where pyLODE cannot make it.
        """
        key = _key(document)
        with self._lock:
            if key not in self._known:
                self._known[key] = self._read(document, key) or self._make(document, key)
            return self._known[key]

    def _read(self, document: Document, key: str) -> Described | None:
        if self._folder is None:
            return None
        try:
            return _described(read_object(self._path(document, key)))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _make(self, document: Document, key: str) -> Described:
        others = [iri for other in DOCUMENTS if other != document for iri in other.terms]
        # Relative addresses, so that the pages are right wherever the site is mounted.
        elsewhere = {iri: (term_page(iri) or iri).removeprefix("/ontology/") for iri in others}
        job = {"path": str(document.path.resolve()), "anchors": dict(document.terms), "elsewhere": elsewhere}
        answer = run_apart("web.ontology.writer", job, bounds=_BOUNDS, told=_LOG.debug)
        if self._folder is not None:
            self._keep(self._path(document, key), answer)
        return _described(answer)

    def _path(self, document: Document, key: str) -> Path:
        return (self._folder or Path()) / f"{document.name}-{key}.json"

    def _keep(self, path: Path, answer: Mapping[str, object]) -> None:
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for older in path.parent.glob(f"{path.name.partition('-')[0]}-*.json"):
                older.unlink(missing_ok=True)
            temporary.write_text(json.dumps(answer), encoding="utf-8")
            temporary.replace(path)
        except OSError as error:  # a home that cannot be written to
            _LOG.info("the documentation of the vocabulary is made anew at the next start: %s", error)


def _key(document: Document) -> str:
    """Changes with the file, with pyLODE and with how we call it."""
    parts = (document.sha256, version("pylode"), hashlib.sha256(_WRITER.read_bytes()).hexdigest())
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:24]


def _described(values: Mapping[str, object]) -> Described:
    contents = values["contents"]
    if not isinstance(contents, list):
        raise TypeError("the table of contents is no list")
    sections = (Section(anchor, title, tuple((a, t) for a, t in terms)) for anchor, title, terms in contents)
    return Described(str(values["html"]), tuple(sections))
