"""The data sets that come with Scoutfly, and how they get into an empty home: the graph, and a sample with media."""

import time
from dataclasses import dataclass
from pathlib import Path

from kg.errors import StoreLocked
from kg.home import Home
from kg.importer import Progress
from kg.importing import content_hash, import_path, pick, silent
from kg.media_roots import MediaRoots
from kg.rdf_files import RdfFile
from kg.report import ImportReport
from kg.vocabulary import has_current_ontology, recorded_hash, refresh_ontology
from ontology.terms import source_graph

FOLDER = Path(__file__).parent / "mhw"
NAME = "bundled-mhw"
"""No name that a file or folder of the user would have by chance: sources of one name replace each other."""
SAMPLE_FOLDER = Path(__file__).parent / "sample"
SAMPLE_NAME = "sample"
_PATIENCE_S = 60.0
"""How long an empty home waits for another process to fill it."""


@dataclass(frozen=True, slots=True)
class _DataSet:
    """One of the data sets: where it is, and how it is imported."""

    name: str
    path: Path
    base_iri: str | None = None
    media_root: Path | None = None

    def is_outdated(self, home: Home) -> bool:
        """Whether the home holds another version of it."""
        recorded = _recorded(home, self.name)
        return recorded is not None and recorded != self._hash()

    def _hash(self) -> str:
        """The hash that an import of the file or folder records."""
        if self.path.is_file():
            return RdfFile(self.path).examine().sha256
        return content_hash(pick(self.path).files(self.path), self.path)

    def load(self, home: Home, progress: Progress) -> ImportReport | None:
        """Import it; where another process is writing, wait for it: it may be doing the same."""
        deadline = time.monotonic() + _PATIENCE_S
        waiting = False
        while True:
            try:
                return import_path(
                    home,
                    self.path,
                    name=self.name,
                    base_iri=self.base_iri,
                    media_root=self.media_root,
                    progress=progress,
                )
            except StoreLocked as error:
                if time.monotonic() > deadline:
                    raise
                if not waiting:
                    progress(f"{error}; waiting for it")
                waiting = True
                time.sleep(0.2)
            if _recorded(home, self.name) is not None and not self.is_outdated(home):
                return None


_GRAPH = _DataSet(NAME, FOLDER)
_SAMPLE = _DataSet(
    SAMPLE_NAME, SAMPLE_FOLDER / "sample.ttl", "https://w3id.org/scoutfly/sample/id/", media_root=SAMPLE_FOLDER
)


def ensure_bundled(home: Home, *, progress: Progress = silent) -> ImportReport | None:
    """Fill an empty home with the bundled graph and the ontology, and bring an older copy of either up to date.

    A home that holds other graphs and not this one is left without it. Does nothing, and gives None, where nothing is
    to be done. Raises GraphError.
    """
    if home.current() is None:
        progress(f"{home.path} is empty: loading the bundled graph")
    elif _GRAPH.is_outdated(home):
        progress("the bundled graph has changed since it was loaded: loading it again")
    else:
        if not has_current_ontology(home):
            progress("the ontology has changed since it was loaded: loading it again")
            with home.write() as draft:
                refresh_ontology(draft)
        return None
    return _GRAPH.load(home, progress)


def ensure_sample(home: Home, *, progress: Progress = silent) -> ImportReport | None:
    """Put the sample with pictures and sounds beside the bundled graph, and bring an older copy of it up to date.

    A home without the bundled graph is left without the sample, and so is one where another source has its name.
    Does nothing, and gives None, where nothing is to be done. Raises GraphError.
    """
    if not holds_bundled(home):
        return None
    if _recorded(home, SAMPLE_NAME) is None:
        progress("loading the sample with pictures and sounds")
    elif not holds_sample(home):
        return None
    elif not _SAMPLE.is_outdated(home):
        MediaRoots(home.path).record(SAMPLE_NAME, SAMPLE_FOLDER)  # the code may have moved
        return None
    else:
        progress("the sample has changed since it was loaded: loading it again")
    return _SAMPLE.load(home, progress)


def holds_sample(home: Home) -> bool:
    """Whether the source of that name is ours: the files of a user's own lie elsewhere, or it has none."""
    root = MediaRoots(home.path).read().get(SAMPLE_NAME)
    return _recorded(home, SAMPLE_NAME) is not None and root is not None and root.parts[-2:] == SAMPLE_FOLDER.parts[-2:]


def holds_bundled(home: Home) -> bool:
    """Whether the bundled graph is in the home, of this or an older version."""
    return _recorded(home, NAME) is not None


def _recorded(home: Home, name: str) -> str | None:
    if home.current() is None:
        return None
    with home.snapshot() as snapshot:
        return recorded_hash(snapshot, source_graph(name))
