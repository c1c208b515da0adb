"""The built-in policy on the benchmark's own questions, where they are beside the checkout (Perceptive, Table 3)."""

from pathlib import Path

import pytest

from agents.builtin.policy import build_builtin_policy
from agents.domain import load_domain
from agents.engine import Engine
from agents.runs import RunFolder
from agents.walk import WalkSettings
from eval.bench import Record, Setting, run_bench, summarise
from eval.questions import read_questions
from eval.routes import RouteMap
from kg.bundled import FOLDER
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder

LEAST_PRECISION, LEAST_RECALL = 0.45, 0.60


@pytest.fixture(scope="module")
def records(bundled_store: EmbeddedStore, benchmark_folder: Path) -> list[Record]:
    policy = build_builtin_policy(bundled_store, WordLlamaEncoder(), load_domain(FOLDER / "domain.toml"))
    engine = Engine(bundled_store, lambda _: policy, ("builtin",), RunFolder(Path("never")))
    questions = read_questions(benchmark_folder / "question_list.xlsx")
    return run_bench(engine, questions, policy="builtin", settings=WalkSettings(), setting=Setting())


def test_every_route_maps(bundled_store: EmbeddedStore, benchmark_folder: Path) -> None:
    routes = RouteMap(bundled_store)
    questions = read_questions(benchmark_folder / "question_list.xlsx")
    mapped = [routes.map(route) for question in questions for route in question.routes]
    assert [(route.names, route.problem) for route in mapped if route.problem] == []


def test_every_question_is_walked_from_its_topic(records: list[Record]) -> None:
    assert len(records) == 135
    assert [(record.question.row, record.problem) for record in records if record.problem] == []
    assert all(record.topic_right for record in records)


def test_precision_and_recall_are_those_aimed_at(records: list[Record]) -> None:
    means = summarise(records)["all"]
    assert isinstance(means, dict)
    assert means["path_precision"] >= LEAST_PRECISION
    assert means["path_recall"] >= LEAST_RECALL
    assert means["prefix_precision"] >= means["path_precision"]
    assert means["prefix_recall"] >= means["path_recall"]


def test_no_question_shows_all_there_is(records: list[Record]) -> None:
    """Recall is not bought with many paths."""
    assert all(1 <= len(record.paths) <= 5 for record in records)
    assert sum(len(record.paths) for record in records) / len(records) < 2.5
