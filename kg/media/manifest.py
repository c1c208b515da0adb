"""
What is to be added to a graph as media: the rows of a manifest, or the files of a folder.

A manifest is a CSV file with a header, or JSON Lines, with the columns ``file`` (a path below the manifest's folder; a
folder of pictures is an image sequence) and ``entity`` (an IRI or a label) or ``subject``, ``predicate`` and ``object``
(a triple of the graph), and, where known, ``modality``, ``caption``, ``licence`` (an IRI) and ``creator``. In a folder,
a file or a sub-folder is called as the entity that it shows is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.errors import ImportFailed
from kg.importers.media import natural_key
from kg.importers.records import read_records

COLUMNS = ("file", "entity", "subject", "predicate", "object", "modality", "caption", "licence", "creator")
MANIFESTS = (".csv", ".jsonl")


@dataclass(frozen=True, slots=True)
class MediaRow:
    """One file or folder of pictures, and what it shows; ``number`` is its row, the header of a CSV file being 1."""

    number: int
    file: str
    entity: str = ""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    modality: str = ""
    caption: str = ""
    licence: str = ""
    creator: str = ""


def read_rows(path: Path) -> Iterator[MediaRow]:
    """The rows of a manifest, or of a folder. Raises ImportFailed where it is neither."""
    if path.is_dir():
        yield from _of_folder(path)
        return
    if path.suffix.lower() not in MANIFESTS:
        raise ImportFailed(f"{path.name} is no folder and no manifest: {' or '.join(MANIFESTS)}")
    records = read_records(path)
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ImportFailed(f"{path.name} holds no rows with names: {', '.join(COLUMNS)}")
    unknown = sorted({str(key) for record in records for key in record} - set(COLUMNS))
    if unknown:
        raise ImportFailed(f"{path.name}: {unknown[0]!r} is no column of a manifest: there are {', '.join(COLUMNS)}")
    first = 2 if path.suffix.lower() == ".csv" else 1
    for number, record in enumerate(records, first):
        said = {key: str(value).strip() for key, value in record.items() if value is not None}
        yield MediaRow(number, said.pop("file", ""), **said)


def _of_folder(folder: Path) -> Iterator[MediaRow]:
    """A row for each file, and for each sub-folder that holds nothing but files numbered one after the other."""
    number = 0
    for path in sorted(folder.iterdir(), key=lambda path: natural_key(path.name)):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            files = [file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")]
            if len(files) > 1 and all(file.stem[-1:].isdigit() for file in files):
                number += 1
                yield MediaRow(number, path.name, entity=path.name)
                continue
            for file in sorted(files, key=lambda file: natural_key(file.name)):
                number += 1
                yield MediaRow(number, f"{path.name}/{file.name}", entity=path.name)
        elif path.is_file():
            number += 1
            yield MediaRow(number, path.name, entity=path.stem.replace("_", " "))
