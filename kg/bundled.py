"""The data set that comes with Scoutfly, and how it gets into an empty home."""

import time
from pathlib import Path

from kg.errors import StoreLocked
from kg.home import Home
from kg.importer import Progress
from kg.importing import content_hash, import_path, pick, silent
from kg.report import ImportReport
from kg.vocabulary import has_current_ontology, recorded_hash, refresh_ontology
from ontology.terms import source_graph

FOLDER = Path(__file__).parent / "mhw"
NAME = "bundled-mhw"
"""No name that a file or folder of the user would have by chance: sources of one name replace each other."""
_PATIENCE_S = 60.0
"""How long an empty home waits for another process to fill it."""


def ensure_bundled(home: Home, *, progress: Progress = silent) -> ImportReport | None:
    """Fill an empty home with the bundled graph and the ontology, and bring an older copy of either up to date.

    A home that holds other graphs and not this one is left without it. Does nothing, and gives None, where nothing is
    to be done. Raises GraphError.
    """
    if home.current() is None:
        progress(f"{home.path} is empty: loading the bundled graph")
    elif _is_outdated(home):
        progress("the bundled graph has changed since it was loaded: loading it again")
    else:
        if not has_current_ontology(home):
            progress("the ontology has changed since it was loaded: loading it again")
            with home.write() as draft:
                refresh_ontology(draft)
        return None
    return _load(home, progress)


def _load(home: Home, progress: Progress) -> ImportReport | None:
    """Import the bundled graph; where another process is writing, wait for it, since it may be doing the same."""
    deadline = time.monotonic() + _PATIENCE_S
    waiting = False
    while True:
        try:
            return import_path(home, FOLDER, name=NAME, progress=progress)
        except StoreLocked as error:
            if time.monotonic() > deadline:
                raise
            if not waiting:
                progress(f"{error}; waiting for it")
            waiting = True
            time.sleep(0.2)
        if home.current() is not None and not _is_outdated(home):
            return None


def holds_bundled(home: Home) -> bool:
    """Whether the bundled graph is in the home, of this or an older version."""
    return _recorded(home) is not None


def _recorded(home: Home) -> str | None:
    if home.current() is None:
        return None
    with home.snapshot() as snapshot:
        return recorded_hash(snapshot, source_graph(NAME))


def _is_outdated(home: Home) -> bool:
    recorded = _recorded(home)
    return recorded is not None and recorded != content_hash(pick(FOLDER).files(FOLDER), FOLDER)
