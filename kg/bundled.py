"""The data set that comes with Scoutfly, and how it gets into an empty home."""

from pathlib import Path

from kg.home import Home
from kg.importer import Progress
from kg.importing import content_hash, import_path, pick, silent
from kg.report import ImportReport
from kg.vocabulary import has_current_ontology, recorded_hash, refresh_ontology
from ontology.terms import source_graph

FOLDER = Path(__file__).parent / "mhw"
NAME = "bundled-mhw"
"""No name that a file or folder of the user would have by chance: sources of one name replace each other."""


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
    return import_path(home, FOLDER, name=NAME, progress=progress)


def _is_outdated(home: Home) -> bool:
    with home.snapshot() as snapshot:
        recorded = recorded_hash(snapshot, source_graph(NAME))
    return recorded is not None and recorded != content_hash(pick(FOLDER).files(FOLDER), FOLDER)
