"""Where the media files of each source lie on this machine.

The graph holds paths below the folder of their source, the same wherever that folder lies; which folder it is stands
here, beside the generations, in ``HOME/media-roots.json`` (name of the source → absolute path). It is no part of the
graph and of no export. A source without an entry has no files here.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from kg.errors import StoreError
from kg.importers.media import MediaFolder
from kg.json_files import Damaged, read_object
from kg.media.errors import BadMedia

FILE_NAME = "media-roots.json"


@dataclass(frozen=True, slots=True)
class MediaRoots:
    """The folders of the sources in the home at ``home``."""

    home: Path

    def read(self) -> dict[str, Path]:
        """The folder of each source that has one. Raises StoreError where the file is damaged."""
        path = self.home / FILE_NAME
        try:
            held = read_object(path)
        except FileNotFoundError:
            return {}
        except Damaged as error:
            raise StoreError(f"{path} cannot be read: {error}") from error
        if not all(isinstance(root, str) for root in held.values()):
            raise StoreError(f"{path} is damaged: it should map names of sources to folders")
        return {slug: Path(root) for slug, root in held.items()}

    def record(self, slug: str, root: Path | None) -> None:
        """Say where the files of a source are; None: nowhere. Raises StoreError."""
        held = {known: str(folder) for known, folder in self.read().items()}
        wanted = held | {slug: str(root.resolve())} if root else {s: f for s, f in held.items() if s != slug}
        if wanted == held:
            return
        path = self.home / FILE_NAME
        temporary = path.with_name(f".{FILE_NAME}.tmp")
        try:
            temporary.write_text(json.dumps(wanted, indent=2, sort_keys=True, ensure_ascii=False), encoding="utf-8")
            temporary.replace(path)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error


def file_below(root: Path, relative: str) -> Path:
    """The file at a path below ``root``; a graph is a stranger's, so what leaves the folder is not touched.

    Raises kg.media.errors.BadMedia, saying why: an absolute path, one that leads out (by ``..`` or a link), one of
    a hidden file, or none of a file.
    """
    if any(part.startswith(".") and part not in (".", "..") for part in relative.replace("\\", "/").split("/")):
        raise BadMedia(f"{relative!r} is a hidden file")
    folder = root.resolve()
    found = MediaFolder(folder).find(relative, [folder]) if relative else None
    if found is None or not found.is_file():
        raise BadMedia(f"there is no file {relative!r} in the folder of the source")
    if any(part.startswith(".") for part in found.relative_to(folder).parts):
        raise BadMedia(f"{relative!r} is a link to a hidden file")
    return found
