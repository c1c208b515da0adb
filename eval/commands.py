"""The commands of this package: ``bench walk``."""

import json
import sys
from pathlib import Path

import click

from agents.app import App, ModelOptions
from agents.commands import model_options, walk_options
from agents.walk import WalkSettings
from eval.bench import Record, Setting, record_to_json, run_bench, summarise
from eval.errors import EvaluationError
from eval.media_commands import bench_media
from eval.questions import read_questions

_COLUMNS = (
    ("path_precision", "precision"),
    ("path_recall", "recall"),
    ("edge_precision", "edge P"),
    ("edge_recall", "edge R"),
    ("prefix_precision", "prefix P"),
    ("prefix_recall", "prefix R"),
    ("topic_accuracy", "topic"),
    ("paths", "paths"),
    ("calls", "calls"),
    ("seconds", "seconds"),
)

_SHOWN = 10
"""Rows with one kind of trouble that the table names before it counts."""


@click.group()
def bench() -> None:
    """Measure on a list of questions."""


@bench.command("walk")
@click.option(
    "--questions",
    "question_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The question list of the MH Benchmark: its authors' workbook.",
)
@click.option(
    "--setting",
    type=click.Choice(["perceptive"]),
    default="perceptive",
    show_default=True,
    help="What stands for the media: a person's description of them.",
)
@click.option("--without-name", is_flag=True, help="Hide the topic's name (the paper's Table 17).")
@click.option("--without-extra", is_flag=True, help="Hide the extra information (the paper's Table 17).")
@click.option("--limit", type=click.IntRange(1), help="Only the first N questions.")
@click.option("--keep-runs", is_flag=True, help="Keep each walk with its trace in the home's runs.")
@click.option("--json", "as_json", is_flag=True, help="Every record and the means, for programs.")
@walk_options
@model_options
@click.pass_obj
def bench_walk(
    app: App,
    *,
    question_file: Path,
    setting: str,
    without_name: bool,
    without_extra: bool,
    limit: int | None,
    keep_runs: bool,
    as_json: bool,
    policy: str,
    settings: WalkSettings,
    models: ModelOptions,
) -> None:
    """Walk each question and hold the paths against the annotated ones (the paper's section 8.2).

    The table has means over all questions and over each of the six sub-tasks (I to VI): precision and recall of whole
    paths, of their edges (edge P, R) and of how far they agree from the topic on (prefix P, R); the share of right
    topics; paths kept, calls of the policy and seconds a question.
    """
    questions = read_questions(question_file)[:limit]
    engine = app.engine(models, with_sample=False)  # its words would weigh on the answers to other questions
    with click.progressbar(length=len(questions), label="Walking", file=sys.stderr) as bar:
        records = run_bench(
            engine,
            questions,
            policy=policy,
            settings=settings,
            setting=Setting(with_name=not without_name, with_extra=not without_extra),
            told=lambda _: bar.update(1),
            keep_runs=keep_runs,
        )
    summary = summarise(records) | {"setting": setting, "policy": policy, "questions": question_file.name}
    if as_json:
        click.echo(
            json.dumps(summary | {"records": [record_to_json(r) for r in records]}, ensure_ascii=False, indent=1)
        )
    else:
        click.echo(_table(summary, records))
    if records and all(record.problem for record in records):
        raise EvaluationError(f"no question could be walked: {records[0].problem}")


def _table(summary: dict[str, object], records: list[Record]) -> str:
    rows = [["", "n", *(title for _, title in _COLUMNS)], ["all", str(summary["n"]), *_cells(summary["all"])]]
    by_subtask = summary["by_subtask"]
    if isinstance(by_subtask, dict):
        rows += [[name, str(means["n"]), *_cells(means)] for name, means in by_subtask.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    failed = [f"row {r.question.row}: not walked: {r.problem}" for r in records if r.problem]
    unmapped = [
        f"row {r.question.row}: not in the graph: {' > '.join(route.names)}: {route.problem}"
        for r in records
        for route in r.unmapped
    ]
    lines += [*_first(failed), *_first(unmapped)]
    return "\n".join(lines)


def _first(lines: list[str]) -> list[str]:
    left = len(lines) - _SHOWN
    return lines[:_SHOWN] + ([f"... and {left} more such rows (--json lists them)"] if left > 0 else [])


def _cells(means: object) -> list[str]:
    return [f"{means[key]:.4f}" for key, _ in _COLUMNS] if isinstance(means, dict) else []


bench.add_command(bench_media)

COMMANDS = (bench,)
