"""
Which entities belong to which topic, and by what two of one name are told apart.

An entity belongs to the topics that reach it along the edges without passing through another topic.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np

from kg.iri import last_part, namespace
from web.browse.table import GraphTable, Pairs, graph_table
from web.browse.words import fold
from web.site import View

MAX_STEPS = 1_000_000
"""Edges followed to find out what topics reach; in a graph that takes more, nothing is said to belong to a topic."""


def topic_pairs(view: View) -> Pairs:
    """Which things belong to which topics, as numbers of things: ``view.once(topic_pairs)``."""
    return reach(view.once(graph_table))


def notes(view: View) -> tuple[str, ...]:
    """What to say beside each thing's label, by number: ``view.once(notes)``."""
    return tell_apart(view.once(graph_table), view.once(topic_pairs))


def reach(table: GraphTable, *, max_steps: int = MAX_STEPS) -> Pairs:
    """Which things each topic reaches, itself among them; none where that takes more than ``max_steps``."""
    size = len(table.iris)
    order = np.argsort(table.heads, kind="stable")
    first = np.searchsorted(table.heads[order], np.arange(size + 1)).tolist()
    tails, is_topic = table.tails[order].tolist(), table.topics.tolist()
    things: list[int] = []
    values: list[int] = []
    steps = 0
    for topic in np.flatnonzero(table.topics).tolist():
        found, ahead = {topic}, deque([topic])
        while ahead and steps <= max_steps:
            head = ahead.popleft()
            following = tails[first[head] : first[head + 1]]
            steps += len(following)
            new = [tail for tail in dict.fromkeys(following) if tail not in found]
            found.update(new)
            ahead.extend(tail for tail in new if not is_topic[tail])
        if steps > max_steps:
            return Pairs.made([], [], count=size)
        things += sorted(found)
        values += [topic] * len(found)
    return Pairs.made(things, values, count=size)


def tell_apart(table: GraphTable, topics: Pairs) -> tuple[str, ...]:
    """
    What to say beside the label of each thing, "" where nobody else is called so.

    The topic that it belongs to, where it is one only and that tells it from the others; else the end of its IRI.
    """
    bearers: dict[str, list[int]] = {}
    for number in range(len(table.iris)):
        bearers.setdefault(fold(table.label(number)), []).append(number)
    homonyms = {number for numbers in bearers.values() if len(numbers) > 1 for number in numbers}
    of: dict[int, list[int]] = {number: [] for number in homonyms}
    for thing, topic in zip(topics.things.tolist(), topics.values.tolist(), strict=True):
        if thing in homonyms and topic != thing:
            of[thing].append(topic)
    said = [""] * len(table.iris)
    for numbers in bearers.values():
        if len(numbers) > 1:
            own = [table.label(of[number][0]) if len(of[number]) == 1 else "" for number in numbers]
            for number, note in zip(numbers, own, strict=True):
                said[number] = note if note and own.count(note) == 1 else _end(table.iris[number], note)
    return tuple(said)


def _end(iri: str, before: str) -> str:
    """The last two parts of an IRI, after the topic where there is one."""
    last = last_part(iri)
    near = last_part(namespace(iri)) if namespace(iri) else ""
    return ", ".join(part for part in (before, f"{near}/{last}" if near else last) if part)


def labels(table: GraphTable, said: Sequence[str], numbers: Sequence[int]) -> tuple[str, ...]:
    """Labels in a line of their own, each with what tells it apart."""
    return tuple(
        f"{table.label(number)} ({said[number]})" if said[number] else table.label(number) for number in numbers
    )
