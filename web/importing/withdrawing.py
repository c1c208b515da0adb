"""Takes a source back out of the graph, with the media files that came with it."""

import shutil

from kg.home import Home
from kg.media_roots import MediaRoots
from kg.sources import recorded, withdraw
from web.errors import NoSuchSource


def withdraw_source(home: Home, slug: str) -> None:
    """
    Remove all that a source brought; relations that other sources use stay in the catalogue.

    Raises NoSuchSource, kg.errors.StoreLocked and StoreError; the graph is then as it was.
    """
    with home.snapshot() as snapshot:
        if slug not in {source.slug for source in recorded(snapshot)}:
            raise NoSuchSource(f"there is no source called {slug!r}")
    with home.write() as draft:
        withdraw(draft, slug)
    roots = MediaRoots(home.path)
    root = roots.read().get(slug)
    roots.record(slug, None)
    # Only what an upload brought: a folder of the user's, imported from the command line, is not ours to remove.
    if root is not None and root.resolve().is_relative_to((home.path / "media").resolve()):
        shutil.rmtree(root, ignore_errors=True)
