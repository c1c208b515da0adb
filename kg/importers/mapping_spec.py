"""
Reads a mapping: the TOML file that says what the records of a JSON or CSV source are in the graph.

It is data: which records are entities of which class, what they are called, which of their fields lead to other
entities by which relation under which condition, and where their media files are. Templates and paths are those of
kg.importers.records. An unknown key is an error that names its place and what could stand there.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, TypeVar, get_args

from kg.errors import ImportFailed

T = TypeVar("T")
MediaKind = Literal["file", "sequence"]


@dataclass(frozen=True, slots=True)
class MediaRule:
    """
    Files of an entity: ``each`` leads from the record to their paths below the media folder, ``file`` is a template of
    one path. A ``sequence`` is one item whose keyframes are the files, in their order; a ``file`` each is an item.
    """

    each: str = ""
    file: str = "{.}"
    kind: MediaKind = "file"
    licence: str = ""
    creator: str = ""


@dataclass(frozen=True, slots=True)
class EntityRule:
    """
    Records that are entities: one each of those that ``each`` leads to in ``file``.

    ``shared`` are words that many records say and that are one entity; without it a second record with an IRI is told.
    """

    file: str
    iri: str
    label: str
    class_label: str
    each: str = "*"
    topic: bool = False
    shared: bool = False
    alternatives: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    media: tuple[MediaRule, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationRule:
    """
    Records that are triples: ``head`` and ``tail`` are templates of entities' IRIs, ``relation`` and ``condition`` of
    labels; ``evidence`` are files in which one can see or hear that they hold.

    ``above`` and ``below`` take only records that are numbers beyond a bound, ``where`` only those whose field is one
    of some values.
    """

    file: str
    head: str
    relation: str
    tail: str
    each: str = "*"
    condition: str = ""
    information: str = ""
    evidence: tuple[MediaRule, ...] = ()
    above: float | None = None
    below: float | None = None
    where: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class GraphMapping:
    """A whole mapping; ``class_comments`` describe its classes by their labels."""

    entities: tuple[EntityRule, ...]
    relations: tuple[RelationRule, ...]
    title: str = ""
    description: str = ""
    licence: str = ""
    creator: str = ""
    language: str | None = None
    class_comments: Mapping[str, str] | None = None


_TOP = {"title", "description", "licence", "creator", "language", "classes", "entity", "relation"}
_RENAMED = {"class": "class_label", "alt": "alternatives", "context": "contexts", "caption": "captions"}


def read_mapping(path: Path) -> GraphMapping:
    """Raises ImportFailed, naming the file and the place."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ImportFailed(f"the mapping {path.name} cannot be read: {' '.join(str(error).split())}") from error
    where = f"the mapping {path.name}"
    _refuse_unknown(said, _TOP, where)
    entities = [
        _with_media(EntityRule, one, "media", f"{where}, [[entity]] {number}")
        for number, one in _tables(said, "entity", where)
    ]
    relations = [
        _with_media(RelationRule, one, "evidence", f"{where}, [[relation]] {number}")
        for number, one in _tables(said, "relation", where)
    ]
    if not entities:
        raise ImportFailed(f"{where} has no [[entity]]: say which records are entities")
    texts = {
        key: _checked(str, said.get(key, ""), f"{where}, {key}")
        for key in ("title", "description", "licence", "creator")
    }
    comments = _checked(dict, said.get("classes", {}), f"{where}, [classes]")
    return GraphMapping(
        tuple(entities), tuple(relations), **texts, language=said.get("language"), class_comments=comments
    )


def _with_media(kind: type[T], said: Mapping[str, object], key: str, where: str) -> T:
    media = tuple(_made(MediaRule, one, f"{where}, {key} {number}") for number, one in _tables(said, key, where))
    for rule in media:
        if rule.kind not in get_args(MediaKind):
            raise ImportFailed(f"{where}: kind = {rule.kind!r} is none of {', '.join(get_args(MediaKind))}")
    return _made(kind, {**said, key: media}, where)


def _tables(said: Mapping[str, object], key: str, where: str) -> list[tuple[int, Mapping[str, object]]]:
    found = said.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ImportFailed(f"{where}: write [[{key}]], a table for each")
    return list(enumerate(found, 1))


def _made(kind: type[T], said: Mapping[str, object], where: str) -> T:
    """The dataclass ``kind`` of a table whose keys are its fields. Raises ImportFailed."""
    allowed = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]  # all kinds are dataclasses
    back = {new: old for old, new in _RENAMED.items()}
    named = {_RENAMED.get(key, key) if key in _RENAMED else key: value for key, value in said.items()}
    _refuse_unknown(said, {back.get(name, name) for name in allowed}, where)
    values: dict[str, object] = {}
    for name, value in named.items():
        shown = back.get(name, name)
        if name in ("alternatives", "contexts", "captions"):
            value = tuple(_checked(str, one, f"{where}, {shown}") for one in _checked(list, value, f"{where}, {shown}"))  # noqa: PLW2901
        elif name in ("above", "below"):
            value = float(_checked((int, float), value, f"{where}, {shown}"))  # noqa: PLW2901
        elif name in ("topic", "shared"):
            _checked(bool, value, f"{where}, {shown}")
        elif name == "where":
            _checked(dict, value, f"{where}, {shown}")
        elif name not in ("media", "evidence"):
            _checked(str, value, f"{where}, {shown}")
        values[name] = value
    try:
        return kind(**values)
    except TypeError as error:
        missing = str(error).rpartition(":")[2].strip()
        for name, shown in back.items():
            missing = missing.replace(f"'{name}'", f"'{shown}'")
        raise ImportFailed(f"{where}: {missing} is missing") from error


def _refuse_unknown(said: Mapping[str, object], allowed: set[str], where: str) -> None:
    unknown = sorted(set(said) - allowed)
    if unknown:
        raise ImportFailed(
            f"{where}: {unknown[0]!r} is no key of a mapping here: there are {', '.join(sorted(allowed))}"
        )


def _checked(kind: type[T] | tuple[type, ...], value: object, where: str) -> T:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ImportFailed(f"{where}: {value!r} is of the wrong kind")
    return value  # type: ignore[return-value]
