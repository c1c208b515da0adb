"""Reads ``dataset.toml``: what a folder of sub-graphs says of itself, so that the importer knows no domain.

It names the data set, the base IRI of its individuals, the namespace of its classes, and which table of a sub-graph's
file holds things of which class. It does not read the sub-graphs.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm, ImportFailed
from kg.iri import parse_iri
from kg.literals import language_tag, text_literal
from ontology import terms

FILE_NAME = "dataset.toml"

_TEXT_KEYS = ("title", "description", "licence", "creator", "language", "base_iri", "namespace")
_TABLE_KEYS = {"class", "topic", "shared"}


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a sub-graph's file: the class of its rows, and to whom their names belong.

    ``topic``: its one row is the file's topic entity. ``shared``: its rows belong to the data set; those of other
    tables belong to the file's topic entity.
    """

    name: str
    entity_class: ox.NamedNode
    topic: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """What ``dataset.toml`` says. ``closed``: a base relation that the catalogue does not hold is a bad row."""

    base_iri: str
    namespace: str
    tables: tuple[Table, ...]
    title: str = ""
    description: str = ""
    licence: str = ""
    creator: str = ""
    language: str | None = None
    closed: bool = False
    shared: tuple[Table, ...] = field(init=False)
    own: tuple[Table, ...] = field(init=False)
    topic: Table | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shared", tuple(t for t in self.tables if t.shared))
        object.__setattr__(self, "own", tuple(t for t in self.tables if not t.shared and not t.topic))
        object.__setattr__(self, "topic", next((t for t in self.tables if t.topic), None))

    def quads(self, graph: ox.NamedNode) -> Iterator[ox.Quad]:
        """What the data set says of itself, as statements about ``graph`` that stand in it."""
        for prefixed, text in (("dcterms:title", self.title), ("dcterms:description", self.description)):
            if text:
                yield ox.Quad(graph, terms.term(prefixed), text_literal(text, language=self.language), graph)
        if self.licence:
            yield ox.Quad(graph, terms.term("dcterms:license"), ox.NamedNode(self.licence), graph)
        if self.creator:
            yield ox.Quad(graph, terms.term("dcterms:creator"), text_literal(self.creator), graph)


def read_dataset(folder: Path) -> Dataset:
    """The data set that ``folder/dataset.toml`` describes. Raises ImportFailed, naming the key that is wrong."""
    path = folder / FILE_NAME
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        return _dataset(values)
    except OSError as error:
        raise ImportFailed(f"{path.name} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, BadTerm) as error:
        raise ImportFailed(f"{path.name}: {error}") from error


def _dataset(values: dict[str, object]) -> Dataset:
    unknown = set(values) - {*_TEXT_KEYS, "closed", "tables"}
    if unknown:
        raise BadTerm(f"unknown key {', '.join(sorted(unknown))}")
    texts = {key: _text(values, key) for key in _TEXT_KEYS}
    if not texts["base_iri"].endswith(("/", "#")):
        raise BadTerm("base_iri must be given and end in / or #")
    for key in ("base_iri", "licence"):
        if texts[key]:
            texts[key] = parse_iri(texts[key]).iri.value
    texts["namespace"] = texts["namespace"] or texts["base_iri"]
    language = texts.pop("language")
    return Dataset(
        tables=tuple(_tables(values.get("tables"), texts["namespace"])),
        closed=_flag(values, "closed"),
        language=language_tag(language) if language else None,
        **texts,
    )


def _tables(value: object, namespace: str) -> Iterator[Table]:
    if not isinstance(value, dict) or not value:
        raise BadTerm("[tables] must name at least one table and its class")
    topics = 0
    for name, said in value.items():
        if not isinstance(said, dict) or set(said) - _TABLE_KEYS:
            raise BadTerm(f"tables.{name} may hold {', '.join(sorted(_TABLE_KEYS))}")
        class_name = _text(said, "class")
        if not class_name:
            raise BadTerm(f"tables.{name} lacks its class")
        table = Table(
            name,
            parse_iri(class_name, base=namespace).iri if ":" in class_name else _within(namespace, class_name),
            topic=_flag(said, "topic"),
            shared=_flag(said, "shared"),
        )
        topics += table.topic
        if topics > 1 or (table.topic and table.shared):
            raise BadTerm("one table is the topic's, and it is not shared")
        yield table


def _within(namespace: str, class_name: str) -> ox.NamedNode:
    return parse_iri(namespace + class_name).iri


def _text(values: dict[str, object], key: str) -> str:
    value = values.get(key, "")
    if not isinstance(value, str):
        raise BadTerm(f"{key} must be a text")
    return value.strip()


def _flag(values: dict[str, object], key: str) -> bool:
    value = values.get(key, False)
    if not isinstance(value, bool):
        raise BadTerm(f"{key} must be true or false")
    return value
