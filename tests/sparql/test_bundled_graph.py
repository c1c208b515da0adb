"""The bundled graph is as large as the paper's, uses its whole catalogue and copies no question."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import openpyxl
import pyoxigraph as ox
import pytest

from eval.routes import RouteMap
from kg.store import EmbeddedStore
from ontology import terms
from retrieval.lexicon import words
from sparql.graph import Entity, all_entities, neighbourhood, topic_entities

PREFIXES = "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in terms.PREFIXES.items())
USED = "FILTER EXISTS { ?s ?relation ?o }"
COPIED_WORDS = 8
SHORTEST, LONGEST = 25, 80


def count(store: EmbeddedStore, pattern: str) -> int:
    (row,) = store.select(f"{PREFIXES} SELECT (COUNT(DISTINCT *) AS ?n) WHERE {{ {pattern} }}")
    term = row["n"]
    assert isinstance(term, ox.Literal)
    return int(term.value)


@pytest.fixture(scope="module")
def entities(bundled_store: EmbeddedStore) -> list[Entity]:
    return all_entities(bundled_store)


def of_class(entities: list[Entity], name: str) -> list[Entity]:
    return [entity for entity in entities if terms.term(f"mhw:{name}") in entity.types]


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("sf:TopicEntity", 22),
        ("mhw:Monster", 22),
        ("mhw:AttackAction", 265),
        ("mhw:AttackPhase", 20),
        ("mhw:Element", 9),
        ("mhw:Weapon", 10),
        ("mhw:Prop", 6),
        ("mhw:AttackEffect", 9),
    ],
)
def test_entities_of_each_class(bundled_store: EmbeddedStore, kind: str, number: int) -> None:
    assert count(bundled_store, f"?entity a {kind}") == number


@pytest.mark.parametrize(
    ("kind", "pattern", "number"),
    [
        ("base", "?relation sf:baseRelation ?relation", 16),
        ("conditioned", "?relation sf:baseRelation ?base ; sf:condition ?c FILTER(?base != ?relation)", 142),
        ("any", "?relation sf:baseRelation ?base", 158),
    ],
)
def test_relations_and_that_each_is_used(bundled_store: EmbeddedStore, kind: str, pattern: str, number: int) -> None:
    assert count(bundled_store, pattern) == number
    assert count(bundled_store, f"{pattern} {USED}") == number


def test_every_entity_stands_at_an_end_of_a_relation(bundled_store: EmbeddedStore) -> None:
    """Save weapons: none of the 22 monsters gives material for those of water and paralysis."""
    kinds = "VALUES ?kind { mhw:Monster mhw:AttackAction mhw:AttackPhase mhw:Element mhw:Prop mhw:AttackEffect }"
    ends = "{ ?e ?r ?o . ?r sf:baseRelation ?b } UNION { ?s ?r ?e . ?r sf:baseRelation ?b }"
    assert count(bundled_store, f"{kinds} ?e a ?kind FILTER NOT EXISTS {{ {ends} }}") == 0


def test_every_entity_has_one_label_and_one_class_of_its_own(entities: list[Entity]) -> None:
    assert [entity.iri.value for entity in entities if not entity.label.strip()] == []
    extra = {terms.TOPIC_ENTITY}
    assert [entity.label for entity in entities if len(set(entity.types) - extra) != 1] == []


def test_every_attack_is_reached_from_a_topic(bundled_store: EmbeddedStore, entities: list[Entity]) -> None:
    topics = topic_entities(bundled_store)
    reached = {topic.iri for topic in topics}
    frontier = [topic.iri for topic in topics]
    while frontier:
        tails = {edge.tail.iri for edges in neighbourhood(bundled_store, frontier).values() for edge in edges}
        frontier = sorted(tails - reached, key=lambda iri: iri.value)
        reached |= tails
    assert [entity.label for entity in of_class(entities, "AttackAction") if entity.iri not in reached] == []


def test_every_attack_has_a_caption_by_a_person_of_a_readable_length(entities: list[Entity]) -> None:
    lengths = {
        entity.iri.value: [len(caption.text.split()) for caption in entity.captions if caption.model is None]
        for entity in of_class(entities, "AttackAction")
    }
    assert {iri: n for iri, n in lengths.items() if not n or not all(SHORTEST <= x <= LONGEST for x in n)} == {}


def test_no_two_attacks_have_one_caption(entities: list[Entity]) -> None:
    texts = [caption.text for entity in entities for caption in entity.captions]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("kind", ["AttackPhase", "AttackEffect", "Monster"])
def test_contexts_where_nothing_is_shown(entities: list[Entity], kind: str) -> None:
    assert [entity.label for entity in of_class(entities, kind) if not any(map(str.strip, entity.contexts))] == []


def test_every_edge_of_the_annotated_routes_is_there(bundled_store: EmbeddedStore, benchmark_folder: Path) -> None:
    with (benchmark_folder / "route_edges.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["topic_entity"], row["head"], row["tail"]) for row in csv.DictReader(file)]
    assert len(rows) > 200
    assert {topic for topic, _, _ in rows} == {topic.label for topic in topic_entities(bundled_store)}
    routes = RouteMap(bundled_store)
    edges = {topic: [(head, tail) for other, head, tail in rows if other == topic] for topic, _, _ in rows}
    missing = [
        (topic, head, tail)
        for topic, head, tail in rows
        if all(routes.map([*way, tail]).problem for way in ways(edges[topic], (topic,), head))
    ]
    assert missing == []


def ways(edges: Sequence[tuple[str, str]], start: tuple[str, ...], goal: str) -> Iterator[tuple[str, ...]]:
    """The routes of names from the end of ``start`` to ``goal``: the file lists edges, and names belong to routes."""
    if start[-1] == goal:
        yield start
    for head, tail in edges:
        if head == start[-1] and tail not in start:
            yield from ways(edges, (*start, tail), goal)


def runs(text: str) -> Iterator[tuple[str, ...]]:
    said = words(text)
    yield from (tuple(said[start : start + COPIED_WORDS]) for start in range(len(said) - COPIED_WORDS + 1))


def test_no_text_shares_a_run_of_words_with_what_a_question_shows(
    entities: list[Entity], benchmark_folder: Path
) -> None:
    book = openpyxl.load_workbook(benchmark_folder / "question_list.xlsx", read_only=True)
    rows = list(book.worksheets[0].iter_rows(values_only=True))
    book.close()
    column = rows[0].index("Perception")
    shown = {
        run: number
        for number, row in enumerate(rows[1:], 2)
        for name in [str(row[4])]
        for run in runs(re.sub(r"\{\}", name, str(row[column] or "")))
    }
    assert len(shown) > 1000
    copied = [
        (entity.label, " ".join(run), shown[run])
        for entity in entities
        for text in (*(caption.text for caption in entity.captions), *entity.contexts)
        for run in runs(text)
        if run in shown
    ]
    assert copied == []
