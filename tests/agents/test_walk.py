"""The walk of section 4.1 of the paper, played by roles that answer from a table."""

import json
import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath

import pyoxigraph as ox
import pytest

from agents.budget import Budget
from agents.errors import EndpointFailed, NoTopic
from agents.roles import Answer, Overlay, Path, Question
from agents.trace import Event
from agents.walk import Strategy, WalkResult, WalkSettings, walk
from kg.errors import StoreError
from kg.store import EmbeddedStore, Row
from sparql.graph import topic_entities
from tests.fakes import EX, FakeRoles, little_graph, route

QUESTION = Question("Where to?", topic="root")
DIAMOND = "root>a root>b a>c b>c c>d"
LOOP = "root>a a>b b>c c>a c>root"


def go(
    edges: str,
    roles: FakeRoles | None = None,
    *,
    question: Question = QUESTION,
    topics: Sequence[str] = ("root",),
    **how: object,
) -> tuple[WalkResult, list[Event]]:
    """The result of a walk over a little graph, and its events."""
    events: list[Event] = []
    settings = WalkSettings(**{"paths": 100, **how})  # type: ignore[arg-type]
    players = roles or FakeRoles()
    result = walk(
        little_graph(edges, topics=topics), players.policy, question, settings=settings, observe=events.append
    )
    return result, events


def routes(result: WalkResult) -> list[str]:
    return [route(scored.path) for scored in result.paths]


def frontiers(events: Sequence[Event]) -> list[list[str]]:
    """The open entities of each round."""
    opened: list[list[str]] = []
    for event in events:
        if event.kind == "round":
            frontier = event.data["frontier"]
            assert isinstance(frontier, list)
            opened.append([str(iri).removeprefix(EX) for iri in frontier])
    return opened


# -- the algorithm


def test_each_round_opens_what_it_added() -> None:
    result, events = go("root>a root>b a>c b>d d>e")
    assert frontiers(events) == [["root"], ["a", "b"], ["c", "d"], ["e"]]
    assert routes(result) == ["root>a>c", "root>b>d>e"]
    assert (result.rounds, result.retrieved, result.stopped) == (4, 2, "")


def test_only_what_the_expander_chose_is_added() -> None:
    result, events = go("root>a root>b a>c b>d", FakeRoles({"root": ["b"], "b": []}))
    assert frontiers(events) == [["root"], ["b"]]
    assert routes(result) == ["root>b"]


def test_nothing_chosen_leaves_the_topic_alone() -> None:
    result, _ = go("root>a", FakeRoles({"root": []}))
    assert routes(result) == ["root"]
    assert result.retrieved == 1


def test_a_topic_without_neighbours_asks_no_expander() -> None:
    roles = FakeRoles()
    result, _ = go("other>a", roles)
    assert routes(result) == ["root"]
    assert [role for role, _ in roles.asked] == ["summarizer"]


def test_what_suffices_is_closed_and_the_others_go_on() -> None:
    roles = FakeRoles(sufficient=["a"])
    result, events = go("root>a root>b a>c b>d", roles)
    assert frontiers(events) == [["root"], ["b"], ["d"]]
    assert routes(result) == ["root>a", "root>b>d"]
    assert [scored.sufficient for scored in result.paths] == [True, False]
    assert "root>a" not in roles.places("expander")


def test_the_root_is_expanded_and_never_validated() -> None:
    roles = FakeRoles(sufficient=["root", "a"])
    result, events = go("root>a", roles)
    assert roles.asked == [("expander", "root"), ("validator", "root>a"), ("summarizer", "Where to?")]
    assert (routes(result), result.rounds) == (["root>a"], 1)
    assert frontiers(events) == [["root"]]


def test_each_entity_is_validated_once_and_expanded_once() -> None:
    roles = FakeRoles()
    go("root>a root>b a>b b>a a>c b>c c>a c>root c>d", roles)
    for role, others in (("validator", ["d"]), ("expander", ["root"])):  # d has no neighbours to choose from
        leaves = [place.rpartition(">")[2] for place in roles.places(role)]
        assert sorted(leaves) == ["a", "b", "c", *others]


def test_a_loop_ends() -> None:
    result, events = go(LOOP)
    assert frontiers(events) == [["root"], ["a"], ["b"], ["c"]]
    assert routes(result) == ["root>a>b>c"]


def test_what_a_path_has_been_through_is_not_offered_again() -> None:
    _, events = go(LOOP)
    (last,) = [event for event in events if event.kind == "expanded" and event.data["entity"] == EX + "c"]
    assert (last.data["chosen"], last.data["rejected"]) == ([], [])


def test_what_one_of_two_paths_has_been_through_is_offered() -> None:
    """From c, a is a loop on the path through a, and new on the one through b."""
    result, events = go("root>a root>b a>c b>c c>a")
    (last,) = [event for event in events if event.kind == "expanded" and event.data["entity"] == EX + "c"]
    assert [edge["label"] for edge in last.data["chosen"]] == ["a"]  # type: ignore[attr-defined]
    assert routes(result) == ["root>a>c", "root>b>c>a"]
    assert frontiers(events) == [["root"], ["a", "b"], ["c"]]


def test_an_entity_that_leads_to_itself_ends() -> None:
    result, _ = go("root>root root>a a>a")
    assert routes(result) == ["root>a"]


def test_a_diamond_gives_two_paths() -> None:
    result, events = go(DIAMOND)
    assert routes(result) == ["root>a>c>d", "root>b>c>d"]
    assert frontiers(events) == [["root"], ["a", "b"], ["c"], ["d"]]


def test_an_entity_found_from_two_sides_in_one_round_is_open_in_the_next() -> None:
    """The paper's second case of a loop: e is in several N(e), and has not been explored."""
    _, events = go("root>a root>b a>c b>c c>d")
    assert ["c"] in frontiers(events)


def test_an_entity_that_was_open_is_not_opened_again() -> None:
    """The paper's first case of a loop: b is in O_t, and a leads to it."""
    result, events = go("root>a root>b a>b b>c")
    assert frontiers(events) == [["root"], ["a", "b"], ["c"]]
    assert routes(result) == ["root>b>c", "root>a>b>c"]


def test_parallel_edges_are_two_paths_to_one_entity() -> None:
    roles = FakeRoles()
    result, _ = go("root>a root-wet>a a>b", roles)
    assert routes(result) == ["root>a>b", "root>a>b"]
    assert [scored.path.edges[0].conditions for scored in result.paths] == [(), ("wet",)]
    assert roles.places("validator") == ["root>a", "root>a>b"]


def _reference(
    follow: Mapping[str, Sequence[str]], sufficient: Sequence[str]
) -> tuple[list[set[str]], set[str], set[tuple[str, str]]]:
    """Equations 5 to 10, as sets: the frontiers, E' and V'."""
    entities, links, frontier = {"root"}, set[tuple[str, str]](), {"root"} - set(sufficient)
    rounds = []
    while frontier:
        rounds.append(frontier)
        new_links = {(e, n) for e in frontier for n in follow[e]}
        grown = entities | {n for _, n in new_links}
        frontier, entities, links = (grown - entities) - set(sufficient), grown, links | new_links
    return rounds, entities, links


def _simple_paths(links: set[tuple[str, str]], path: tuple[str, ...] = ("root",)) -> Iterator[str]:
    tails = sorted(tail for head, tail in links if head == path[-1] and tail not in path)
    if not tails:
        yield ">".join(path)
    for tail in tails:
        yield from _simple_paths(links, (*path, tail))


@pytest.mark.parametrize("seed", range(40))
def test_the_frontier_arithmetic_of_the_paper(seed: int) -> None:
    """On random trees with links across: O(t+1) = E'(t+1) \\ E'(t) less what suffices; K as in (6), (7)."""
    chance = random.Random(seed)
    names = ["root", *(f"n{number:02}" for number in range(chance.randint(1, 12)))]
    links = {(chance.choice(names[:place]), names[place]) for place in range(1, len(names))}
    # Only forward links, so that no offer is cut by what its path has been through: loops have tests of their own.
    links |= {
        (one, other) for one in names for other in names if one < other and chance.random() < 0.15 and other != "root"
    }
    follow = {name: [tail for head, tail in sorted(links) if head == name and chance.random() < 0.8] for name in names}
    sufficient = [name for name in names[1:] if chance.random() < 0.2]
    edges = " ".join(f"{head}>{tail}" for head, tail in sorted(links))
    result, events = go(edges, FakeRoles(follow, sufficient), budget=Budget(depth=None), paths=10_000)
    rounds, entities, chosen = _reference(follow, sufficient)
    assert [set(frontier) for frontier in frontiers(events)] == rounds
    assert sorted(routes(result)) == sorted(_simple_paths(chosen))
    assert {name for path in routes(result) for name in path.split(">")} <= entities


def test_scores_of_the_expander_come_with_the_paths() -> None:
    result, _ = go("root>a a>b root>c", FakeRoles(scores={"a": 0.5, "b": -1.0, "c": 2.0}))
    assert {route(s.path): s.scores for s in result.paths} == {"root>a>b": (0.5, -1.0), "root>c": (2.0,)}


def test_at_most_so_many_paths_are_kept_and_all_are_counted() -> None:
    result, _ = go("root>a root>b root>c", paths=2)
    assert routes(result) == ["root>a", "root>b"]
    assert result.retrieved == 3
    assert result.answer == "root>a, root>b"


def test_a_dense_graph_has_an_end() -> None:
    """Every pair of 14 entities is linked: 13! paths, of which each entity's own is given."""
    names = ["root", *(f"n{number:02}" for number in range(13))]
    result, _ = go(" ".join(f"{one}>{other}" for one in names for other in names if one != other))
    assert routes(result) == [f"root>{name}" for name in names[1:]]
    assert result.retrieved == 13


# -- breadth and depth first


WIDE = "root>a root>b a>c a>d b>e c>f"


def test_breadth_first_takes_a_whole_frontier_a_round() -> None:
    roles = FakeRoles()
    result, events = go(WIDE, roles)
    assert roles.places("expander") == ["root", "root>a", "root>b", "root>a>c"]
    assert frontiers(events) == [["root"], ["a", "b"], ["c", "d", "e"], ["f"]]
    assert result.rounds == 4


def test_depth_first_takes_one_entity_a_round_and_the_newest_before_the_others() -> None:
    roles = FakeRoles()
    result, events = go(WIDE, roles, strategy="dfs")
    assert frontiers(events) == [["root"], ["a"], ["c"], ["f"], ["d"], ["b"], ["e"]]
    assert roles.places("expander") == ["root", "root>a", "root>a>c", "root>b"]
    assert result.rounds == 7


def test_both_find_the_same_paths() -> None:
    wide, deep = (go(WIDE, strategy=strategy)[0] for strategy in ("bfs", "dfs"))
    assert set(routes(wide)) == set(routes(deep)) == {"root>a>c>f", "root>a>d", "root>b>e"}


def test_depth_first_validates_each_entity_as_it_is_added() -> None:
    roles = FakeRoles()
    go("root>a root>b a>c", roles, strategy="dfs")
    assert roles.places("validator") == ["root>a", "root>b", "root>a>c"]


# -- queries


class Counting(EmbeddedStore):
    """A store that counts the queries about neighbours."""

    def __init__(self, inner: EmbeddedStore) -> None:
        self._inner = inner
        self.asked: list[str] = []

    def select(self, query: str) -> list[Row]:
        self.asked.append(query)
        return self._inner.select(query)


@pytest.mark.parametrize("strategy", ["bfs", "dfs"])
def test_one_query_a_round_whatever_its_width(strategy: Strategy) -> None:
    store = Counting(little_graph(" ".join(f"root>n{n} n{n}>m{n}" for n in range(20))))
    topic = topic_entities(store)[0].iri.value
    store.asked.clear()
    result = walk(store, FakeRoles().policy, Question("?", topic), settings=WalkSettings(strategy, budget=Budget()))
    assert store.asked[1:] == list(result.queries)  # the first finds the topic by its name
    assert len(result.queries) == result.rounds == (3 if strategy == "bfs" else 41)


def test_a_store_that_fails_ends_the_walk() -> None:
    class Failing(Counting):
        def select(self, query: str) -> list[Row]:
            if len(self.asked) == 2:
                raise StoreError("the disk is gone")
            return super().select(query)

    with pytest.raises(StoreError, match="the disk is gone"):
        walk(Failing(little_graph("root>a a>b")), FakeRoles().policy, QUESTION)


# -- topic and perception


def test_the_topic_is_chosen_where_it_is_not_named() -> None:
    roles = FakeRoles(topic="b")
    result, events = go("a>x b>y", roles, question=Question("Where to?"), topics=["a", "b"])
    assert (result.topic.label, routes(result)) == ("b", ["b>y"])
    assert roles.asked[0] == ("topic_selector", "Where to?")
    assert events[0].kind == "topic"
    assert events[0].data == {"topic": EX + "b", "label": "b", "types": ["https://w3id.org/scoutfly/ns#TopicEntity"]}
    assert [call.role for call in events[0].calls] == ["topic_selector"]


def test_a_topic_that_is_named_is_not_chosen() -> None:
    roles = FakeRoles(topic="b")
    result, _ = go("a>x b>y", roles, question=Question("Where to?", topic="A"), topics=["a", "b"])
    assert result.topic.label == "a"
    assert roles.places("topic_selector") == []


def test_any_entity_may_be_named_as_the_topic() -> None:
    result, _ = go("root>a a>b", question=Question("?", topic="http://example.org/a"))
    assert routes(result) == ["a>b"]


def test_no_topic_that_fits_is_said_and_what_was_asked_is_told() -> None:
    events: list[Event] = []
    with pytest.raises(NoTopic, match="name the one to start from"):
        walk(little_graph("root>a"), FakeRoles(topic="none").policy, Question("?"), observe=events.append)
    assert [(event.kind, len(event.calls)) for event in events] == [("topic", 1)]


def test_a_graph_without_topics_asks_nobody() -> None:
    roles = FakeRoles()
    with pytest.raises(NoTopic, match="this graph declares no topic entities: name the entity to start from"):
        go("a>b", roles, question=Question("?"), topics=[])
    assert roles.asked == []


@pytest.mark.parametrize(
    ("question", "perceived"),
    [
        (Question("?", "root"), False),
        (Question("?", "root", images=(FilePath("a.png"),)), True),
        (Question("?", "root", caption="A tree.", images=(FilePath("a.png"),)), False),
        (Question("?", "root", caption="A tree."), False),
    ],
)
def test_media_are_perceived_where_nobody_has_said_what_they_show(question: Question, perceived: bool) -> None:
    roles = FakeRoles()
    result, events = go("root>a", roles, question=question)
    assert (("perceiver", "?") in roles.asked) == perceived
    assert result.question.caption == ("what is seen" if perceived else question.caption)
    assert (events[0].kind == "perceived") == perceived


# -- budgets


def test_the_depth_limit_says_so_and_gives_what_was_found() -> None:
    result, events = go("root>a a>b b>c root>x", budget=Budget(depth=2))
    assert routes(result) == ["root>x", "root>a>b"]
    assert frontiers(events) == [["root"], ["a", "x"]]
    assert result.stopped == "depth limit of 2 edges reached"
    assert result.answer == "root>x, root>a>b"


@pytest.mark.parametrize(("depth", "expected"), [(0, ["root"]), (1, ["root>a"]), (None, ["root>a>b>c"])])
def test_depth_counts_edges_from_the_topic(depth: int | None, expected: list[str]) -> None:
    assert routes(go("root>a a>b b>c", budget=Budget(depth=depth))[0]) == expected


def test_a_walk_that_ends_above_the_depth_limit_was_not_cut_off() -> None:
    assert go("root>a", budget=Budget(depth=2))[0].stopped == ""
    assert go("root>a a>b", FakeRoles(sufficient=["b"]), budget=Budget(depth=2))[0].stopped == ""


def test_enough_sufficient_paths_end_the_walk() -> None:
    roles = FakeRoles(sufficient=["a", "b", "y"])
    result, _ = go("root>a root>b root>x x>y y>z", roles, budget=Budget(paths=2))
    assert result.stopped == "limit of 2 paths reached"
    assert routes(result) == ["root>a", "root>b", "root>x"]
    assert "root>x" not in roles.places("expander")


BUSHY = "root>a root>b root>c a>d b>e c>f d>g e>h f>i"


@pytest.mark.parametrize("limit", range(2, 20))
def test_the_calls_limit_is_never_passed_and_leaves_one_for_the_answer(limit: int) -> None:
    roles = FakeRoles()
    result, _ = go(BUSHY, roles, budget=Budget(calls=limit))
    assert len(result.calls) <= limit
    assert roles.asked[-1][0] == "summarizer"
    assert result.stopped == f"limit of {limit} calls reached"
    assert routes(result)
    assert result.answer == ", ".join(routes(result))


def test_paths_found_before_the_limit_come_back_though_nobody_validated_them() -> None:
    roles = FakeRoles()
    result, _ = go(BUSHY, roles, budget=Budget(calls=3))  # the root's expansion, the answer; not 3 validations
    assert roles.places("validator") == []
    assert routes(result) == ["root>a", "root>b", "root>c"]
    assert [scored.sufficient for scored in result.paths] == [False] * 3


def test_a_budget_that_suffices_is_no_reason_to_stop() -> None:
    result, _ = go(BUSHY, budget=Budget(calls=200, tokens=1000, seconds=600, paths=100))
    assert result.stopped == ""
    assert len(routes(result)) == 3


def test_the_token_limit_stops_before_the_next_half_of_a_round() -> None:
    roles = FakeRoles()
    result, _ = go(BUSHY, roles, budget=Budget(tokens=5))  # five tokens a call
    assert roles.asked == [("expander", "root"), ("summarizer", "Where to?")]
    assert result.stopped == "limit of 5 tokens reached"
    assert routes(result) == ["root>a", "root>b", "root>c"]


def test_no_time_at_all_gives_the_topic_and_the_reason() -> None:
    roles = FakeRoles()
    result, _ = go(BUSHY, roles, budget=Budget(seconds=0))
    assert roles.asked == [("summarizer", "Where to?")]
    assert (result.stopped, routes(result)) == ("time limit of 0 s reached", ["root"])


def test_no_call_of_a_round_begins_after_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real, passed = time.perf_counter, [0.0]
    monkeypatch.setattr("agents.budget.time.perf_counter", lambda: real() + passed[0])

    def tarry(role: str, place: str) -> None:
        passed[0] += 1000.0 * (place == "root>a")

    roles = FakeRoles(before=tarry)
    result, events = go(BUSHY, roles, budget=Budget(seconds=500), concurrency=1)
    assert roles.places("validator") == ["root>a"]
    assert [event.data["path"] for event in events if event.kind == "validated"] == [["root", "a"]]
    assert result.stopped == "time limit of 500 s reached"
    assert routes(result) == ["root>a", "root>b", "root>c"]


# -- captions made on the way


def test_a_caption_is_used_later_in_the_same_question() -> None:
    roles = FakeRoles(captions={"a": "a red door"})
    result, _ = go("root>a root>b a>c", roles)
    told = {(role, place): captions for role, place, captions in roles.overlays}
    assert told["validator", "root>a"] == {}
    assert told["expander", "root>a"] == {"a": "a red door"}
    assert told["validator", "root>a>c"] == {"a": "a red door"}
    assert told["summarizer", "Where to?"] == {"a": "a red door"}
    assert {iri.value: text for iri, text in result.overlay.items()} == {EX + "a": "a red door"}


def test_a_caption_never_reaches_the_next_question_or_the_graph() -> None:
    store = little_graph("root>a a>c")
    size = len(store)
    walk(store, FakeRoles(captions={"root": "seen", "a": "a red door"}).policy, QUESTION)
    roles = FakeRoles()
    walk(store, roles.policy, QUESTION)
    assert [captions for _, _, captions in roles.overlays if captions] == []
    assert len(store) == size


def test_no_caption_is_no_entry() -> None:
    assert go("root>a", FakeRoles(captions={"a": ""}))[0].overlay == {}


# -- concurrency


@pytest.mark.parametrize("role", ["expander", "validator"])
def test_the_calls_of_a_round_are_under_way_at_once(role: str) -> None:
    """Each of four calls waits for the other three: in sequence none would ever return."""
    barrier = threading.Barrier(4)

    def meet(asked: str, place: str) -> None:
        if asked == role and place.count(">") == 1:
            barrier.wait(timeout=20)

    result, _ = go("root>a root>b root>c root>d a>e b>f c>g d>h", FakeRoles(before=meet), concurrency=4)
    assert len(routes(result)) == 4


def test_no_more_calls_are_under_way_than_allowed() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def count(role: str, place: str) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.002)
        with lock:
            now -= 1

    go(" ".join(f"root>n{n}" for n in range(12)), FakeRoles(before=count), concurrency=3)
    assert 1 <= most <= 3


def test_who_answers_first_changes_nothing() -> None:
    """The first of each round is made to answer last."""
    edges = "root>a root>b root>c a>d b>d b>e c>f c>a"
    last: dict[str, threading.Event] = {role: threading.Event() for role in ("expander", "validator")}

    def hold(role: str, place: str) -> None:
        if place == "root>a":
            assert last[role].wait(timeout=20)
        elif place == "root>c":
            last[role].set()

    roles = FakeRoles(captions={"a": "x", "c": "y"}, before=hold)
    held, held_events = go(edges, roles, concurrency=3)
    plain, plain_events = go(edges, FakeRoles(captions={"a": "x", "c": "y"}), concurrency=1)
    assert routes(held) == routes(plain)
    assert held.calls == plain.calls
    assert [(event.kind, event.data) for event in held_events[:-1]] == [
        (event.kind, event.data) for event in plain_events[:-1]
    ]


# -- the trace


def test_the_events_of_a_walk_in_order() -> None:
    _, events = go("root>a a>b", FakeRoles(sufficient=["b"]))
    assert [event.kind for event in events] == [
        "topic",
        *("round", "expanded", "validated"),
        *("round", "expanded", "validated"),
        "selected",
        "answered",
    ]


@pytest.mark.parametrize("question", [QUESTION, Question("?", images=(FilePath("a.png"),))])
def test_every_call_is_in_the_trace_once_and_in_the_result(question: Question) -> None:
    roles = FakeRoles(sufficient=["c"])
    result, events = go(DIAMOND, roles, question=question)
    told = [call for event in events for call in event.calls]
    assert told == list(result.calls)
    assert sorted((call.role, call.answer) for call in told) == sorted(roles.asked)


def test_events_are_json_and_say_what_was_offered_chosen_and_asked() -> None:
    roles = FakeRoles({"root": ["a"]}, captions={"a": "a red door"}, scores={"a": 0.25})
    result, events = go("root-wet>a root>b", roles)
    lines = [json.loads(event.to_json()) for event in events]
    (expanded,) = [line for line in lines if line["kind"] == "expanded" and line["entity"] == EX + "root"]
    assert expanded["chosen"] == [
        {
            "iri": EX + "a",
            "label": "a",
            "relation": EX + "leads-wet",
            "relation_label": "leads-wet",
            "base": EX + "leads",
            "base_label": "leads to",
            "condition": "wet",
            "conditions": ["wet"],
            "types": [],
            "score": 0.25,
        }
    ]
    assert [edge["label"] for edge in expanded["rejected"]] == ["b"]
    assert expanded["calls"][0]["role"] == "expander"
    (first, *_) = [line for line in lines if line["kind"] == "round"]
    assert (first["number"], first["frontier"], first["sparql"]) == (1, [EX + "root"], result.queries[0])
    validated = [line for line in lines if line["kind"] == "validated"]
    assert validated[0]["path"] == ["root", "a"]
    assert validated[0]["caption"] == "a red door"
    assert lines[-1]["answer"] == result.answer


def test_time_goes_forward_in_the_trace() -> None:
    _, events = go(DIAMOND)
    times = [event.seconds for event in events]
    assert times == sorted(times)
    assert times[0] >= 0


# -- roles that fail


@pytest.mark.parametrize("role", ["perceiver", "topic_selector", "expander", "validator", "summarizer"])
def test_what_a_role_raises_ends_the_walk_and_nothing_is_left_running(role: str) -> None:
    def fail(asked: str, place: str) -> None:
        if asked == role and not (role == "validator" and place == "root"):
            raise EndpointFailed(f"no answer for {place}")

    before = threading.active_count()
    roles = FakeRoles(before=fail)
    with pytest.raises(EndpointFailed, match="no answer for"):
        go("root>a root>b a>c", roles, question=Question("?", images=(FilePath("a.png"),)), concurrency=2)
    assert threading.active_count() == before


def test_after_a_failure_no_further_call_of_the_round_begins() -> None:
    def fail(asked: str, place: str) -> None:
        if asked == "validator" and place == "root>a":
            raise EndpointFailed("no answer")
        time.sleep(0.2)

    roles = FakeRoles(before=fail)
    with pytest.raises(EndpointFailed):
        go(" ".join(f"root>{name}" for name in "abcdefgh"), roles, concurrency=1)
    # The one thread may have begun the next call before the failure is seen; it does not go through them all.
    assert len(roles.places("validator")) <= 4


def test_the_walk_of_one_question_leaves_nothing_behind_for_the_next() -> None:
    store, roles = little_graph(DIAMOND), FakeRoles(sufficient=["c"])
    one, two = (walk(store, roles.policy, QUESTION, settings=WalkSettings()) for _ in range(2))
    assert (one.paths, one.calls, one.queries, one.answer) == (two.paths, two.calls, two.queries, two.answer)


def test_a_topic_s_iri_may_hold_any_script() -> None:
    head, tail = ox.NamedNode("http://example.org/茶"), ox.NamedNode("http://example.org/caf%C3%A9")
    leads, base = ox.NamedNode(EX + "leads"), ox.NamedNode("https://w3id.org/scoutfly/ns#baseRelation")
    store = EmbeddedStore.from_quads([ox.Quad(head, leads, tail), ox.Quad(leads, base, leads)])
    result = walk(store, FakeRoles().policy, Question("?", topic=head.value))
    assert routes(result) == ["茶>caf%C3%A9"]


def test_half_a_surrogate_pair_from_a_role_or_a_shell_is_mended() -> None:
    class Seeing(FakeRoles):
        def summarize(self, question: Question, paths: Sequence[Path], overlay: Overlay) -> Answer:
            return Answer("the answer \ud83d", self._call("summarizer", question.text, overlay))

    result, events = go(
        "root>a", Seeing(captions={"a": "a red \ud83d door"}), question=Question("Where \udcff to?", "root")
    )
    assert list(result.overlay.values()) == ["a red \ufffd door"]
    assert (result.answer, result.question.text) == ("the answer \ufffd", "Where \ufffd to?")
    assert all(event.to_json().encode() for event in events)
