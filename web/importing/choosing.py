"""Finds the source in what was uploaded: the folder or the file that an importer understands."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from kg.errors import ImportFailed
from kg.importers import IMPORTERS
from kg.importers.cells import read_sheet
from kg.importers.mmkg_layout import NODE_COLUMNS, RELATION_COLUMNS
from kg.rdf_files import SUFFIXES, is_rdf

_MAX_NAME = 80
_SHOWN = 8
_ZIP = b"PK\x03\x04"
_TABLES = {".csv", ".tsv", ".tab", ".txt"}
READ_KINDS = (
    "RDF (.ttl, .nt, .nq, .trig, .rdf, .owl, .jsonld, each also with .gz), tables of triples (.csv, .tsv), MH-MMKG "
    "workbooks (Node.xlsx and Relations.xlsx), and zip archives of a folder of these"
)


def safe_name(name: str) -> str:
    """
    A file's name as it may stand in a folder of ours: no path, no control characters, not hidden, not too long.

    >>> safe_name("../../etc/passwd"), safe_name("C:\\\\a\\\\caf\\u00e9.ttl.gz"), safe_name("\\x00.."), safe_name(".x")
    ('passwd', 'café.ttl.gz', 'upload', 'x')
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    kept = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C").strip(" .~$")
    stem, dot, suffix = kept.partition(".")
    short = f"{stem[:_MAX_NAME]}{dot}{suffix[-_MAX_NAME:]}"
    return short if re.search(r"\w", stem) else f"upload{dot}{suffix[-_MAX_NAME:]}" if suffix else "upload"


def is_archive(path: Path) -> bool:
    """Whether a file is a zip archive to be unpacked; a workbook is one, too, and is not."""
    with path.open("rb") as stream:
        return path.suffix.lower() != ".xlsx" and stream.read(len(_ZIP)) == _ZIP and not is_rdf(path)


def refuse_empty(paths: Iterable[Path]) -> None:
    """Raises ImportFailed where a file holds nothing."""
    for path in paths:
        if path.stat().st_size == 0:
            raise ImportFailed(f"{path.name} is empty: it has 0 bytes")


def find_source(folder: Path) -> Path:
    """
    What to import out of a folder: itself, the one folder in it, or the one file in it.

    Raises ImportFailed, saying what is there.
    """
    while True:
        entries = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "~")))
        _name_workbooks(entries)
        if any(importer.recognises(folder) for importer in IMPORTERS):
            return folder
        files = [path for path in entries if path.is_file()]
        folders = [path for path in entries if path.is_dir()]
        if len(folders) == 1 and not files:
            folder = folders[0]
            continue
        readable = [path for path in files if is_rdf(path) or any(one.recognises(path) for one in IMPORTERS)]
        if len(readable) == 1:
            return readable[0]
        if len(files) == 1 and not folders:
            return _only_file(files[0])
        raise ImportFailed(_several(folder, files, folders, readable))


def _only_file(path: Path) -> Path:
    """A file that nothing recognises: said better here than by the importers, where we know better."""
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        raise ImportFailed(
            f"{path.name} is neither a sheet of nodes ({', '.join(NODE_COLUMNS)}) nor of relations "
            f"({', '.join(RELATION_COLUMNS)}): call it Node.xlsx or Relations.xlsx, or save triples as CSV"
        )
    if suffix not in _TABLES and suffix not in SUFFIXES:
        raise ImportFailed(f"{path.name} has no ending that tells what it is; these are read: {READ_KINDS}")
    return path


def _several(folder: Path, files: Sequence[Path], folders: Sequence[Path], readable: Sequence[Path]) -> str:
    if len(readable) > 1:
        names = ", ".join(path.name for path in readable[:_SHOWN])
        return f"there are {len(readable)} sources ({names}): import one at a time, each under its own name"
    found = ", ".join([*(f"{path.name}/" for path in folders), *(path.name for path in files)][:_SHOWN])
    return f"nothing in {folder.name} can be imported (it holds {found or 'no files'}); these are read: {READ_KINDS}"


def _name_workbooks(entries: list[Path]) -> None:
    """Give a workbook of relations or nodes the name by which the importer knows it, going by its first row."""
    names = {path.name.casefold() for path in entries}
    books = [path for path in entries if path.suffix.lower() == ".xlsx" and path.is_file()]
    known = {"node.xlsx", "nodes.xlsx", "relation.xlsx", "relations.xlsx"}
    if names & known or not 1 <= len(books) <= 2:
        return
    for path in books:
        name = _role(path)
        target = path.with_name(name) if name else None
        if target is not None and not target.exists():
            path.rename(target)
            entries[entries.index(path)] = target


def _role(path: Path) -> str | None:
    """Raises ImportFailed where the file is no workbook."""
    try:
        rows = read_sheet(path, len(RELATION_COLUMNS)).rows
    except ImportFailed as error:
        raise ImportFailed(f"{path.name}: {error}") from error
    header = [cell.strip().casefold() for cell in rows[0].cells] if rows else []
    if {"head", "tail"} <= set(header):
        return "Relations.xlsx"
    return "Node.xlsx" if header and "name" in header[0] else None
