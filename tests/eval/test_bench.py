"""A pass over a list: every question has a record, and what fails counts as nothing found."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.engine import Engine
from agents.errors import EndpointUnreachable, MissingKey, ModelsMissing, SettingsError
from agents.roles import Policy
from agents.runs import RunFolder
from agents.walk import WalkSettings
from eval.bench import Record, Setting, record_to_json, run_bench, summarise
from eval.measures import Consistency
from eval.questions import BenchQuestion
from kg.errors import StoreError
from kg.store import EmbeddedStore, Row
from tests.fakes import FakeRoles

FOLLOW = {
    "Brewer": ["Brew Mode"],
    "Brew Mode": ["Pump Burst", "Slow Drip"],
    "Pump Burst": [],
    "Slow Drip": [],
    "Grand Brewer": [],
}
QUESTION = BenchQuestion(
    row=2,
    file="Brewer_1",
    topic="Brewer",
    text="What is{} doing?",
    extra="{} is hot.",
    perception="Brewer knocks.",
    routes=(("Brewer", "Brew Mode", "Pomp Burst"),),
    answer="Pump Burst",
    subtask="II",
)


def engine(store: EmbeddedStore, roles: FakeRoles, folder: Path = Path("never")) -> Engine:
    return Engine(store, lambda _: roles.policy, ("fake",), RunFolder(folder))


def run(
    store: EmbeddedStore, *questions: BenchQuestion, roles: FakeRoles | None = None, setting: Setting | None = None
) -> list[Record]:
    walking = engine(store, roles or FakeRoles(FOLLOW))
    return run_bench(walking, questions, policy="fake", settings=WalkSettings(), setting=setting or Setting())


def test_a_question_is_scored_at_every_grain(tiny_store: EmbeddedStore) -> None:
    """Retrieved: Brewer > Brew Mode > Pump Burst, and > Slow Drip; annotated: the first."""
    (record,) = run(tiny_store, QUESTION)
    assert record.scores == {
        "path": Consistency(1 / 2, 1.0),
        "edge": Consistency(2 / 3, 1.0),
        "prefix": Consistency((1 + 1 / 2) / 2, 1.0),
    }
    assert record.topic_right
    assert record.paths == (
        "Brewer -has working mode-> Brew Mode -has work step-> Pump Burst",
        "Brewer -has working mode-> Brew Mode -has work step-> Slow Drip",
    )
    assert (record.calls, record.unusable, record.run, record.problem) == (8, 0, "", "")


def test_a_route_that_does_not_map_is_reported_and_counts_as_missed(tiny_store: EmbeddedStore) -> None:
    routes = (*QUESTION.routes, ("Brewer", "Brew Mode", "Whistle"), ("Brewer", "Pump Burst"))
    (record,) = run(tiny_store, replace(QUESTION, routes=routes))
    assert record.scores["path"] == Consistency(1 / 2, pytest.approx(1 / 3))  # type: ignore[arg-type]
    assert [(" > ".join(route.names), route.problem) for route in record.unmapped] == [
        ("Brewer > Brew Mode > Whistle", "Brewer has nothing called 'Whistle'"),
        ("Brewer > Pump Burst", "no edge leads to 'Pump Burst' from what stands before it"),
    ]


def test_two_spellings_of_one_route_are_one_route(tiny_store: EmbeddedStore) -> None:
    routes = (*QUESTION.routes, ("Brewer", "Brew Mode", "Pump Burst"), ("Brewer", "Whistle"))
    (record,) = run(tiny_store, replace(QUESTION, routes=routes))
    assert record.scores["path"].recall == pytest.approx(1 / 2)


def test_no_route_that_maps_scores_nothing(tiny_store: EmbeddedStore) -> None:
    (record,) = run(tiny_store, replace(QUESTION, routes=(("Kettle", "Whistle"),)))
    assert set(record.scores.values()) == {Consistency(0.0, 0.0)}
    assert not record.topic_right


def test_a_topic_that_was_chosen_wrongly_is_wrong(tiny_store: EmbeddedStore) -> None:
    (record,) = run(
        tiny_store, QUESTION, roles=FakeRoles(FOLLOW, topic="Grand Brewer"), setting=Setting(with_name=False)
    )
    assert not record.topic_right
    assert record.scores["path"] == Consistency(0.0, 0.0)


def test_the_walk_is_shown_what_the_setting_says(tiny_store: EmbeddedStore) -> None:
    seen = []

    class Watching(FakeRoles):
        def summarize(self, question, paths, overlay):  # type: ignore[no-untyped-def]
            seen.append((question.text, question.topic, question.extra, question.caption))
            return FakeRoles.summarize(self, question, paths, overlay)

    for setting in (Setting(), Setting(with_name=False), Setting(with_extra=False)):
        run(tiny_store, QUESTION, roles=Watching(FOLLOW, topic="Brewer"), setting=setting)
    assert seen == [
        ("What is Brewer doing?", "Brewer", "Brewer is hot.", "Brewer knocks."),
        ("What is it doing?", "", "it is hot.", "it knocks."),
        ("What is Brewer doing?", "Brewer", "", "Brewer knocks."),
    ]


def failing(error: Exception, *, at: str) -> FakeRoles:
    def before(role: str, place: str) -> None:
        if at in place:
            raise error

    return FakeRoles(FOLLOW, before=before)


def test_a_question_that_fails_is_a_record_with_its_reason_and_nothing_found(tiny_store: EmbeddedStore) -> None:
    roles = failing(EndpointUnreachable("nothing answers at http://127.0.0.1:9"), at="Brewer>Brew Mode")
    other = replace(QUESTION, row=3, topic="Frother", routes=(("Frother",),), subtask="I")
    records = run(tiny_store, QUESTION, other, roles=roles)
    assert [record.problem for record in records] == ["nothing answers at http://127.0.0.1:9", ""]
    assert set(records[0].scores.values()) == {Consistency(0.0, 0.0)}
    summary = summarise(records)
    assert summary["n"] == 2
    assert summary["failed"] == [{"row": 2, "problem": "nothing answers at http://127.0.0.1:9"}]


def test_an_unknown_topic_is_a_failed_question(tiny_store: EmbeddedStore) -> None:
    (record,) = run(tiny_store, replace(QUESTION, topic="Kettle"))
    assert record.problem.startswith("no entity is called 'Kettle'")
    assert record.scores["path"] == Consistency(0.0, 0.0)


@pytest.mark.parametrize("error", [MissingKey("no key"), ModelsMissing("no torch"), SettingsError("no model")])
def test_what_would_fail_every_question_ends_the_pass(tiny_store: EmbeddedStore, error: Exception) -> None:
    with pytest.raises(type(error)):
        run(tiny_store, QUESTION, roles=failing(error, at="Brewer"))


def test_a_store_that_fails_ends_the_pass(tiny_store: EmbeddedStore) -> None:
    class Failing(EmbeddedStore):
        def __init__(self) -> None:
            """Wraps the small graph."""

        def select(self, query: str) -> list[Row]:
            if "brewer-brew" in query:
                raise StoreError("the disk is gone")
            return tiny_store.select(query)

    with pytest.raises(StoreError, match="the disk is gone"):
        run(Failing(), QUESTION)


def test_every_record_is_told_as_it_is_done_and_runs_are_kept_on_demand(
    tiny_store: EmbeddedStore, tmp_path: Path
) -> None:
    told: list[Record] = []
    walking = engine(tiny_store, FakeRoles(FOLLOW), tmp_path / "runs")
    records = run_bench(
        walking,
        [QUESTION, replace(QUESTION, row=3)],
        policy="fake",
        settings=WalkSettings(),
        setting=Setting(),
        told=told.append,
        keep_runs=True,
    )
    assert told == records
    assert {record.run for record in records} == set(walking.runs.ids())


def record(row: int, subtask: str, precision: float, recall: float, **more: object) -> Record:
    scores = {grain: Consistency(precision, recall) for grain in ("path", "edge", "prefix")}
    empty = Record(replace(QUESTION, row=row, subtask=subtask), scores, True, ("a",), (), 4, 1, 0.5, "", "")
    return replace(empty, **more)  # type: ignore[arg-type]


def test_the_means_are_over_all_questions_the_failed_ones_too() -> None:
    nothing = {"topic_right": False, "paths": (), "calls": 0, "unusable": 0, "seconds": 0.0, "problem": "no topic"}
    summary = summarise([record(2, "I", 1.0, 0.5), record(3, "I", 0.5, 1.0), record(4, "IV", 0.0, 0.0, **nothing)])
    assert summary["n"] == 3
    assert summary["all"] == {
        "path_precision": 0.5,
        "path_recall": 0.5,
        "edge_precision": 0.5,
        "edge_recall": 0.5,
        "prefix_precision": 0.5,
        "prefix_recall": 0.5,
        "topic_accuracy": 0.6667,
        "paths": 0.6667,
        "calls": 2.6667,
        "unusable_calls": 0.6667,
        "seconds": 0.3333,
    }
    by_subtask = summary["by_subtask"]
    assert isinstance(by_subtask, dict)
    assert list(by_subtask) == ["I", "IV"]
    assert (by_subtask["I"]["n"], by_subtask["I"]["path_precision"]) == (2, 0.75)
    assert (by_subtask["IV"]["n"], by_subtask["IV"]["path_recall"]) == (1, 0.0)
    assert summary["failed"] == [{"row": 4, "problem": "no topic"}]


def test_no_records_have_means_of_nothing() -> None:
    summary = summarise([])
    assert (summary["n"], summary["by_subtask"]) == (0, {})
    means = summary["all"]
    assert isinstance(means, dict)
    assert set(means.values()) == {0.0}


def test_a_record_in_json(tiny_store: EmbeddedStore) -> None:
    (found,) = run(tiny_store, replace(QUESTION, routes=(*QUESTION.routes, ("Brewer", "Whistle"))))
    said = json.loads(json.dumps(record_to_json(found)))
    assert (said["row"], said["file"], said["subtask"], said["topic"]) == (2, "Brewer_1", "II", "Brewer")
    assert said["scores"]["path"] == {"precision": 0.5, "recall": 0.5}
    assert said["annotated"] == ["Brewer > Brew Mode > Pomp Burst", "Brewer > Whistle"]
    assert said["unmapped"] == [{"route": "Brewer > Whistle", "problem": "Brewer has nothing called 'Whistle'"}]
    assert len(said["retrieved"]) == 2


def test_a_policy_is_asked_for_by_its_name(tiny_store: EmbeddedStore) -> None:
    wanted = []

    def policy(name: str) -> Policy:
        wanted.append(name)
        return FakeRoles(FOLLOW).policy

    walking = Engine(tiny_store, policy, ("fake",), RunFolder(Path("never")))
    run_bench(walking, [QUESTION], policy="other", settings=WalkSettings(), setting=Setting())
    assert wanted == ["other"]
