"""Walks every question of a list and scores the paths: the retrieval half of Table 3 (Pre., Rec.), without a judge.

A question that cannot be walked (no topic, an endpoint that fails) is recorded with its problem and scores 0: nothing
disappears from the means. It knows nothing of how answers are judged.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from agents.engine import Engine
from agents.errors import AgentError, MissingKey, ModelsMissing, SettingsError
from agents.report import cost, path_to_text
from agents.walk import WalkResult, WalkSettings
from eval.measures import Consistency, Route, edge_consistency, path_consistency, prefix_consistency
from eval.questions import SUBTASKS, BenchQuestion
from eval.routes import MappedRoute, RouteMap

GRAINS = {"path": path_consistency, "edge": edge_consistency, "prefix": prefix_consistency}
_ZERO = Consistency(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the walk is shown of a question: the human caption always (Perceptive, Table 2), name and extra as said
    (Table 17).
    """

    with_name: bool = True
    with_extra: bool = True


@dataclass(frozen=True, slots=True)
class Record:
    """One question walked and scored.

    ``unmapped`` are annotated routes that the graph does not have, with the reason; they count as missed. ``problem``
    says why there is no result ("" when there is one).
    """

    question: BenchQuestion
    scores: dict[str, Consistency]
    topic_right: bool
    paths: tuple[str, ...]
    unmapped: tuple[MappedRoute, ...]
    calls: int
    unusable: int
    seconds: float
    answer: str
    run: str
    problem: str = ""


def run_bench(
    engine: Engine,
    questions: Iterable[BenchQuestion],
    *,
    policy: str,
    settings: WalkSettings,
    setting: Setting,
    told: Callable[[Record], None] = lambda _: None,
    keep_runs: bool = False,
) -> list[Record]:
    """A record for each question, in order; ``told`` sees each as it is done.

    Raises SettingsError, MissingKey or ModelsMissing where no question could be walked at all, and
    kg.errors.StoreError.
    """
    routes = RouteMap(engine.store)
    records = []
    for question in questions:
        annotated = [routes.map(route) for route in question.routes]
        record = _walk_one(
            engine, question, annotated, policy=policy, settings=settings, setting=setting, keep=keep_runs
        )
        records.append(record)
        told(record)
    return records


def summarise(records: Sequence[Record]) -> dict[str, object]:
    """Means over all records, in all and by sub-task."""
    by_subtask = {name: [record for record in records if record.question.subtask == name] for name in SUBTASKS}
    return {
        "n": len(records),
        "all": _means(records),
        "by_subtask": {name: {"n": len(some), **_means(some)} for name, some in by_subtask.items() if some},
        "failed": [{"row": r.question.row, "problem": r.problem} for r in records if r.problem],
        "unmapped": [
            {"row": r.question.row, "route": " > ".join(route.names), "problem": route.problem}
            for r in records
            for route in r.unmapped
        ],
    }


def record_to_json(record: Record) -> dict[str, object]:
    """A record as a program reads it."""
    return {
        "row": record.question.row,
        "file": record.question.file,
        "subtask": record.question.subtask,
        "topic": record.question.topic,
        "scores": {grain: {"precision": c.precision, "recall": c.recall} for grain, c in record.scores.items()},
        "topic_right": record.topic_right,
        "annotated": [" > ".join(route) for route in record.question.routes],
        "retrieved": list(record.paths),
        "unmapped": [{"route": " > ".join(route.names), "problem": route.problem} for route in record.unmapped],
        "answer": record.answer,
        "calls": record.calls,
        "unusable": record.unusable,
        "seconds": round(record.seconds, 6),
        "run": record.run,
        "problem": record.problem,
    }


def _walk_one(
    engine: Engine,
    question: BenchQuestion,
    annotated: Sequence[MappedRoute],
    *,
    policy: str,
    settings: WalkSettings,
    setting: Setting,
    keep: bool,
) -> Record:
    asked = question.perceptive(with_name=setting.with_name, with_extra=setting.with_extra)
    unmapped = tuple(route for route in annotated if route.problem)
    try:
        run, result = engine.ask(asked, policy=policy, settings=settings, keep=keep)
    except (SettingsError, MissingKey, ModelsMissing):
        raise
    except AgentError as error:
        none = dict.fromkeys(GRAINS, _ZERO)
        return Record(question, none, False, (), unmapped, 0, 0, 0.0, "", "", problem=str(error))
    spent = cost(result.calls)
    return Record(
        question=question,
        scores=_score(result, annotated),
        topic_right=any(route.iris[:1] == (result.topic.iri,) for route in annotated),
        paths=tuple(path_to_text(scored.path) for scored in result.paths),
        unmapped=unmapped,
        calls=len(result.calls),
        unusable=int(str(spent["unusable"])),
        seconds=result.seconds,
        answer=result.answer,
        run=run,
    )


def _score(result: WalkResult, annotated: Sequence[MappedRoute]) -> dict[str, Consistency]:
    retrieved: list[Route] = [tuple(entity.iri for entity in scored.path.entities) for scored in result.paths]
    wanted: set[Route] = {route.iris for route in annotated if not route.problem}
    # A route that does not map keeps its place among the annotated ones, so that it counts as missed.
    missing = {route.names for route in annotated if route.problem}
    share = len(wanted) / (len(wanted) + len(missing)) if wanted else 0.0
    scores = {}
    for grain, measure in GRAINS.items():
        found = measure(retrieved, wanted)
        scores[grain] = Consistency(found.precision, found.recall * share)
    return scores


def _means(records: Sequence[Record]) -> dict[str, float]:
    columns: dict[str, list[float]] = {
        f"{grain}_{side}": [getattr(record.scores[grain], side) for record in records]
        for grain in GRAINS
        for side in ("precision", "recall")
    }
    columns["topic_accuracy"] = [float(record.topic_right) for record in records]
    columns["paths"] = [float(len(record.paths)) for record in records]
    columns["calls"] = [float(record.calls) for record in records]
    columns["unusable_calls"] = [float(record.unusable) for record in records]
    columns["seconds"] = [record.seconds for record in records]
    return {name: round(fmean(values), 4) if values else 0.0 for name, values in columns.items()}
