"""
Records out of JSON, JSON Lines and CSV, and texts made of their fields.

A path names what is iterated: steps with dots between them, ``*`` for each member of a list or each value of an object
(``*.attacks.*`` are the attacks of all units of a list). A template is a text with fields in braces: ``{name}`` of the
record, ``{.}`` the record itself where it is a text or a number, ``{#}`` its key or its number in its list from 1, and
``{^name}`` or ``{^^name}`` a field of the object that holds it, or of the one that holds that.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.errors import BadTerm, ImportFailed

MOST_BYTES = 1 << 30
_FIELD = re.compile(r"\{(\^*)([^{}]+)\}")
Value = object
"""What JSON can hold."""


@dataclass(frozen=True, slots=True)
class Record:
    """One value with its key or number, and the records that hold it, the nearest first."""

    value: Value
    key: str
    holders: tuple["Record", ...] = ()

    @property
    def place(self) -> str:
        """Where it stands: ``Drake Arbiter/attacks/2``, from the outermost record in."""
        return "/".join(record.key for record in (*reversed(self.holders), self) if record.key)


def read_records(path: Path) -> Value:
    """The content of a file as one value: a list of objects for JSON Lines and CSV. Raises ImportFailed."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ImportFailed(f"{path.name} is larger than {MOST_BYTES >> 30} GiB")
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".csv":
            return list(csv.DictReader(text.splitlines(keepends=True), strict=True))
        if path.suffix.lower() == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except (OSError, ValueError, RecursionError, csv.Error) as error:
        raise ImportFailed(f"{path.name} cannot be read: {' '.join(str(error).split())}") from error


def iterate(value: Value, path: str) -> Iterator[Record]:
    """The records that ``path`` leads to; what it does not lead to is no record. "" is the whole value."""
    found = [Record(value, "")]
    for step in filter(None, path.split(".")):
        found = [inner for record in found for inner in _inside(record, step)]
    yield from found


def fill(template: str, record: Record, encode: Callable[[str], str] = str) -> str:
    """
    The text of a template, each field through ``encode``; a field that is not there, or is null, is "".

    Raises BadTerm for a field that holds a list or an object.
    """
    return _FIELD.sub(lambda match: encode(_text(record, len(match[1]), match[2])), template).strip()


def fields(template: str) -> list[str]:
    """
    The fields of a template.

    >>> fields("unit/{^id}/{name}")
    ['^id', 'name']
    """
    return [f"{match[1]}{match[2]}" for match in _FIELD.finditer(template)]


def lookup(record: Record, levels: int, name: str) -> Value:
    """A field of the record, or of the ``levels``-th object that holds it; None where there is none."""
    if levels:
        objects = [holder for holder in record.holders if isinstance(holder.value, dict) and holder.key != ""]
        if len(objects) < levels:
            return None
        return lookup(objects[levels - 1], 0, name)
    if name == ".":
        return record.value
    if name == "#":
        return record.key
    return record.value.get(name) if isinstance(record.value, dict) else None


def _text(record: Record, levels: int, name: str) -> str:
    value = lookup(record, levels, name)
    if isinstance(value, (list, dict)):
        raise BadTerm(f"{name} is a {'list' if isinstance(value, list) else 'record'}, not a text")
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _inside(record: Record, step: str) -> Iterator[Record]:
    holders = (record, *record.holders)
    value = record.value
    if step != "*":
        if isinstance(value, dict) and step in value:
            yield Record(value[step], step, holders)
        return
    if isinstance(value, list):
        for number, member in enumerate(value, 1):
            yield Record(member, str(number), holders)
    elif isinstance(value, dict):
        for key, member in value.items():
            yield Record(member, str(key), holders)
