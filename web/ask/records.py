"""
The result of a run as it stands on disk, checked, as far as the page shows it.

Runs outlive versions, and anything may have happened to a file, so what is read is validated here (its trace in
``web.ask.events``) and nowhere else. What the records mean is said in ``agents.report``, which writes them.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.errors import RunNotFound
from agents.runs import RunFolder
from web.errors import RunUnreadable

PICTURE = re.compile(r"image-[1-9]\.(png|jpg|webp|gif)")
"""How the pictures of a question are called in the folder of its run."""


class Record(BaseModel):
    """What is read from disk; what this version does not know is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class CaptionRecord(Record):
    """What an entity's media show, in words; ``model`` is None where a person wrote them."""

    text: str
    model: str | None = None


class EntityRecord(Record):
    """An entity of a kept route; ``types`` and ``media`` are IRIs."""

    iri: str
    label: str
    types: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    captions: tuple[CaptionRecord, ...] = ()
    media: tuple[str, ...] = ()


class EdgeRecord(Record):
    """A step of a kept route; ``conditions`` are the texts to show, ``condition`` the label of the relation's own."""

    relation: str
    base_label: str
    condition: str | None = None
    conditions: tuple[str, ...] = ()
    information: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def fact_iris(self) -> list[str]:
        """The facts that can be linked to: those with an IRI, which is written as N-Triples has it."""
        return [fact[1:-1] for fact in self.facts if fact.startswith("<") and fact.endswith(">")]


class MediaRecord(Record):
    """A media item that the answer stands on; ``url`` is as the graph gives it."""

    iri: str
    label: str = ""
    url: str = ""
    types: tuple[str, ...] = ()
    format: str = ""
    captions: tuple[CaptionRecord, ...] = ()
    entity: str = ""
    entity_label: str = ""
    evidence: bool = False
    score: float = 0.0

    @property
    def web_url(self) -> str:
        """The address to link to; "" where it is none of the web's."""
        return self.url if self.url.lower().startswith(("http://", "https://")) else ""


class RouteRecord(Record):
    """A kept route: ``entities`` are one more than ``edges``."""

    entities: tuple[EntityRecord, ...] = Field(min_length=1)
    edges: tuple[EdgeRecord, ...]
    score: float = 0.0
    sufficient: bool = False
    text: str = ""

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        if len(self.entities) != len(self.edges) + 1:
            raise ValueError("a route has one entity more than edges")
        return self

    @property
    def steps(self) -> tuple[tuple[EdgeRecord, EntityRecord], ...]:
        """Each edge with the entity that it leads to."""
        return tuple(zip(self.edges, self.entities[1:], strict=True))


class QuestionRecord(Record):
    """What was asked."""

    text: str
    topic: str = ""
    extra: str = ""
    caption: str = ""
    images: tuple[str, ...] = ()


class SettingsRecord(Record):
    """How it was walked; a bound that is None did not hold."""

    strategy: str = "bfs"
    paths: int = 5
    depth: int | None = 6
    enough: int | None = None
    calls: int | None = 200
    tokens: int | None = None
    seconds: float | None = None


class CostRecord(Record):
    """What it cost; ``seconds`` is wall time."""

    calls: int = 0
    calls_by_role: Mapping[str, int] = Field(default_factory=dict)
    models: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: int = 0
    unusable: int = 0
    seconds: float = 0.0


class AskedRecord(Record):
    """What was asked in a run, whatever became of it."""

    run: str
    question: QuestionRecord
    policy: Mapping[str, str] = Field(default_factory=dict)
    settings: SettingsRecord = SettingsRecord()

    @property
    def time(self) -> datetime | None:
        """When the walk began, as the run's id says."""
        return run_time(self.run)

    @property
    def pictures(self) -> list[str]:
        """The names of the pictures that were kept with the run."""
        names = [image.replace("\\", "/").rsplit("/", 1)[-1] for image in self.question.images]
        return [name for name in names if PICTURE.fullmatch(name)]


class RunRecord(AskedRecord):
    """One question answered."""

    topic: EntityRecord
    answer: str
    paths: tuple[RouteRecord, ...]
    retrieved: int = 0
    rounds: int = 0
    stopped: str = ""
    unanswered: str = ""
    queries: tuple[str, ...] = ()
    media: tuple[MediaRecord, ...] = ()
    captions_made: Mapping[str, str] = Field(default_factory=dict)
    cost: CostRecord = CostRecord()


def load_result(runs: RunFolder, run_id: str) -> dict[str, object]:
    """The result of a finished run as it stands. Raises agents.errors.RunNotFound, RunUnreadable."""
    with explained(f"run {run_id}"):
        return runs.load(run_id)


def load_trace(runs: RunFolder, run_id: str) -> list[dict[str, object]]:
    """The trace of a run as it stands. Raises agents.errors.RunNotFound, RunUnreadable."""
    with explained(f"the trace of run {run_id}"):
        return runs.trace(run_id)


def read_run(runs: RunFolder, run_id: str) -> RunRecord:
    """The result of a finished run. Raises agents.errors.RunNotFound, RunUnreadable."""
    with explained(f"run {run_id}"):
        return RunRecord.model_validate(runs.load(run_id))


def read_asked(runs: RunFolder, run_id: str) -> AskedRecord:
    """What was asked in a run, as far as it is known. Raises agents.errors.RunNotFound, RunUnreadable."""
    question = runs.status(run_id).question
    try:
        with explained(f"run {run_id}"):
            return AskedRecord.model_validate(runs.asked(run_id))
    except RunNotFound:
        return AskedRecord(run=run_id, question=QuestionRecord(text=question))


def run_time(run_id: str) -> datetime | None:
    """The time in a run's id, in UTC.

    >>> run_time("20260102T030405Z-0a1b2c3d").isoformat()
    '2026-01-02T03:04:05+00:00'
    """
    match = re.match(r"\d{8}T\d{6}Z", run_id)
    try:
        return datetime.strptime(match[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Says in a line of our own why ``what`` cannot be read."""
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RunUnreadable(f"{what} is damaged or of another version: {where}: {first['msg']}") from error
    except OSError as error:  # its own text names a place on the disk
        raise RunUnreadable(f"{what} cannot be read: {error.strerror or type(error).__name__}") from error
    except (ValueError, OverflowError, RecursionError) as error:
        raise RunUnreadable(f"{what} cannot be read: {' '.join(str(error).split())}") from error
