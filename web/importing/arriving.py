"""
What arrives with an upload: its files, streamed to disk, and the name and the base IRI that it is to have.

A request is bounded in bytes before it is read; a form's files go through the form parser, which keeps large ones on
disk, a body of its own is written as it comes.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from flask import Request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge

from kg.bundled import NAME
from kg.errors import BadTerm
from kg.iri import file_slug, parse_iri
from kg.rdf_files import plain_name
from web.errors import BadForm
from web.importing.choosing import safe_name
from web.importing.limits import ImportLimits

_CHUNK = 1 << 20
_MAX_NAME = 100
_MAX_BASE = 500
_BY_TYPE: Mapping[str, str] = {
    "text/turtle": ".ttl",
    "application/x-turtle": ".ttl",
    "application/trig": ".trig",
    "application/n-triples": ".nt",
    "application/n-quads": ".nq",
    "application/rdf+xml": ".rdf",
    "application/ld+json": ".jsonld",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/zip": ".zip",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
"""What a body without a file name is taken for."""


def save_files(files: Sequence[FileStorage], folder: Path, limits: ImportLimits) -> list[Path]:
    """Write the files of a form into a folder under safe names. Raises BadForm."""
    sent = [file for file in files if file.filename]
    if not sent:
        raise BadForm("files", "Choose a file to import.")
    if len(sent) > limits.files:
        raise BadForm(
            "files", f"There are {len(sent)} files; {limits.files} are the most. Pack them into a zip archive."
        )
    paths = []
    for file in sent:
        path = folder / safe_name(file.filename or "")
        if path.exists():
            raise BadForm("files", f"Two files are called {path.name}: pack the folders into a zip archive.")
        with path.open("xb") as target:
            shutil.copyfileobj(file.stream, target, _CHUNK)
        paths.append(path)
    return paths


def save_body(request: Request, folder: Path, *, file_name: str, limits: ImportLimits) -> Path:
    """Write the body of a request into a folder. Raises BadForm, RequestEntityTooLarge."""
    suffix = _BY_TYPE.get(request.mimetype, "")
    name = safe_name(file_name) if file_name else f"upload{suffix}"
    if not file_name and not suffix:
        raise BadForm("file", "Say what is sent: by its Content-Type (text/turtle), or by a name (?file=graph.ttl.gz).")
    path = folder / name
    with path.open("xb") as target:
        _copy(request.stream, target, limits.upload_bytes)
    return path


def checked_name(name: str, files: Sequence[Path]) -> str:
    """The name of the source: what was typed, else what its first file is called. Raises BadForm."""
    stem = Path(plain_name(files[0])).stem if files else ""
    chosen = " ".join(name.split()) or stem
    if len(chosen) > _MAX_NAME or not chosen.isprintable():
        raise BadForm("name", f"The name has more than {_MAX_NAME} characters, or some that cannot be seen.")
    try:
        slug = file_slug(chosen)
    except BadTerm as error:
        raise BadForm("name", "Give the source a name with a letter or a digit in it.") from error
    if slug == NAME:
        raise BadForm("name", f"The name {NAME} is that of the bundled graph, which would be replaced: choose another.")
    return chosen


def checked_base(base: str) -> str:
    """The base IRI, "" for the default. Raises BadForm."""
    text = base.strip()
    if not text:
        return ""
    if len(text) > _MAX_BASE:
        raise BadForm("base", f"The base IRI has more than {_MAX_BASE} characters.")
    try:
        iri = parse_iri(text).iri.value
    except BadTerm as error:
        raise BadForm("base", f"{text} is no absolute IRI, such as https://example.org/graph/.") from error
    if not iri.lower().startswith(("http://", "https://", "urn:")):
        raise BadForm("base", "The base IRI has to start with https://, http:// or urn:.")
    return iri


def free_space(folder: Path, needed: int) -> bool:
    """Whether the disk has room for so many bytes, and as many again for what is made of them."""
    while not folder.exists():
        folder = folder.parent
    space = os.statvfs(folder)
    return space.f_bavail * space.f_frsize > 3 * needed


def _copy(source: IO[bytes], target: IO[bytes], most: int) -> None:
    size = 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > most:
            raise RequestEntityTooLarge
        target.write(chunk)
