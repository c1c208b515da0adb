"""
A search by media as it comes from a form or a program: its file within bounds, read in a child process, never kept.
"""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from agents.media_files import read_media
from agents.media_retrieval import Evidence, MediaRetriever, RetrievalSettings
from kg.media.errors import BadMedia
from kg.media.safely import Decoded, decode_safely
from retrieval.media_index import INDEXES, SOUND_RATE
from web.errors import BadForm
from web.site import Site

MOST_BYTES = 32 << 20
"""Of one file."""
MOST_FILES = 4
_CHUNK = 1 << 20


class Upload(Protocol):
    """A file of a form; its name is only asked whether there is one."""

    filename: str | None
    stream: IO[bytes]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for beside files: words, and a question that triplets are to help with; how it is looked for."""

    text: str = ""
    question: str = ""
    k: int = 5
    tau: float | None = None
    hops: int = 1
    grasp: bool = True

    @property
    def settings(self) -> RetrievalSettings:
        """As retrieval takes them."""
        far = dict.fromkeys(INDEXES, self.tau) if self.tau is not None else {}
        return RetrievalSettings(self.k, far, self.hops, grounding=self.grasp, filtering=self.grasp)


def search(site: Site, uploads: Iterable[Upload], wanted: Wanted) -> Evidence:
    """
    What is found. Raises BadForm, naming the field, where nothing can be looked for, and what retrieval raises.
    """
    given = [upload for upload in uploads if upload.filename]
    if len(given) > MOST_FILES:
        raise BadForm("files", f"At most {MOST_FILES} files can be looked for at once.")
    if bool(given) == bool(wanted.text.strip()):
        raise BadForm("files", "Choose a file to look for, or write some words, one of the two.")
    retriever = retriever_of(site)
    if not given:
        return retriever.retrieve_text(wanted.text, settings=wanted.settings)
    with tempfile.TemporaryDirectory(prefix="scoutfly-") as folder:
        paths = [_saved(upload, Path(folder), number) for number, upload in enumerate(given, 1)]
        query = read_media(paths, decoding=_decode)
    return retriever.retrieve(wanted.question, query, settings=wanted.settings)


def retriever_of(site: Site) -> MediaRetriever:
    """Of the graph as it is now. Raises BadForm where it lies elsewhere, whose media cannot be searched."""
    if site.retriever is None:
        raise BadForm("files", "The graph lies behind an endpoint elsewhere: its media cannot be searched here.")
    return site.retriever(site.view.engine.store)


def _decode(path: Path) -> Decoded:
    try:
        return decode_safely(path, rate=SOUND_RATE)
    except BadMedia as error:
        said = str(error).removeprefix(f"{path.name} ")
        raise BadForm("files", f"File {path.stem} {said}.") from error


def _saved(upload: Upload, folder: Path, number: int) -> Path:
    """The file under a name of ours. Raises BadForm where it is too large, or empty."""
    path, size = folder / f"{number}", 0
    with path.open("wb") as target:
        while chunk := upload.stream.read(_CHUNK):
            size += len(chunk)
            if size > MOST_BYTES:
                raise BadForm("files", f"File {number} is too large: {MOST_BYTES >> 20} MB are the most.")
            target.write(chunk)
    return path
