"""A run from its beginning to its end: its folder, its state on disk, its trace, and what is kept of its result."""

import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from agents.budget import STOPPED, StopSignal, never
from agents.errors import WalkStopped
from agents.evidence import media_to_json, media_used
from agents.report import cost, question_to_json, result_to_json
from agents.roles import Call, Policy, Question
from agents.room import check_room
from agents.run_status import Occupation, RunStatus, first_line, is_stop_wanted, write_status
from agents.runs import RunFolder
from agents.trace import Event, Observer, TraceFile, ignore
from agents.walk import WalkResult, WalkSettings, walk
from kg.disk import is_full
from kg.errors import DiskFull
from kg.store import Store

_FULL = "the disk is full: the run cannot be kept"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that comes with a question: its bytes, and the ending of its name (``png``)."""

    content: bytes
    suffix: str


@dataclass(slots=True)
class StartedRun:
    """
    A run whose folder is there and says "running", until :meth:`walk` has walked it.

    ``evidence`` is what was found by media before (agents.media_report), JSON-able.
    """

    run_id: str
    folder: Path
    store: Store
    player: Policy
    question: Question
    settings: WalkSettings
    runs: RunFolder
    status: RunStatus
    occupation: Occupation
    evidence: Mapping[str, object] | None = None

    def walk(
        self, *, observe: Observer = ignore, stop: StopSignal = never, pool: ThreadPoolExecutor | None = None
    ) -> WalkResult:
        """Walks, keeps the result, and says on disk what became of it; to be called once.

        The walk ends early where ``stop`` or the run's folder says so; ``pool`` is agents.walk.walk's. Raises what that
        raises.
        """

        def is_stopped() -> bool:
            return stop() or is_stop_wanted(self.folder)

        spent = _Spent()
        try:
            with TraceFile(self.folder / "trace.jsonl") as trace:
                told = _all(trace, spent, observe)
                result = walk(
                    self.store,
                    self.player,
                    self.question,
                    settings=self.settings,
                    observe=told,
                    stop=is_stopped,
                    pool=pool,
                )
            self._keep(result)
        except WalkStopped:
            self._end(replace(self._so_far(spent), state="stopped"))
            raise
        except Exception as error:
            problem = " ".join(str(error).split()) or type(error).__name__
            self._end(replace(self._so_far(spent), state="failed", problem=problem))
            raise
        except BaseException:  # Ctrl-C
            self._end(replace(self._so_far(spent), state="stopped", problem="interrupted"))
            raise
        finally:
            self.occupation.close()
        return result

    def abandon(self, problem: str) -> None:
        """Says that the run will not be walked, and why."""
        self._end(replace(self.status, state="failed", problem=problem))
        self.occupation.close()

    def _keep(self, result: WalkResult) -> None:
        asked = _asked(self.folder, self.player, self.question, self.settings, self.evidence)
        media = media_to_json(media_used(self.store, result))
        question = {"question": _question(result.question, self.folder)}
        self.runs.save(self.run_id, {**asked, **result_to_json(result), **question, "media": media})
        self._end(
            replace(
                self._so_far(_Spent(list(result.calls), result.topic.label, result.seconds)),
                state="stopped" if result.stopped == STOPPED else "finished",
                answer=first_line(result.answer),
                routes=len(result.paths),
            )
        )

    def _so_far(self, spent: "_Spent") -> RunStatus:
        costs = cost(spent.calls)
        return replace(
            self.status,
            topic=spent.topic or self.status.topic,
            models=tuple(sorted({call.model for call in spent.calls if call.model})),
            calls=len(spent.calls),
            tokens=int(str(costs["prompt_tokens"])) + int(str(costs["completion_tokens"])),
            seconds=round(spent.seconds, 6),
        )

    def _end(self, status: RunStatus) -> None:
        write_status(self.folder, status)


def start_run(
    store: Store,
    player: Policy,
    question: Question,
    settings: WalkSettings,
    *,
    runs: RunFolder,
    pictures: Sequence[Picture] = (),
    evidence: Mapping[str, object] | None = None,
) -> StartedRun:
    """A new run, which says on disk that it is under way.

    Raises agents.errors.PicturesFull, kg.errors.DiskFull; then nothing is kept.
    """
    check_room(runs, sum(len(picture.content) for picture in pictures))
    try:
        run_id, folder = runs.new()
    except OSError as error:
        if is_full(error):
            raise DiskFull(_FULL) from error
        raise
    occupation = None
    try:
        occupation = Occupation(folder)
        kept = [_write(folder, number, picture) for number, picture in enumerate(pictures, 1)]
        question = replace(question, images=(*question.images, *kept))
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        status = RunStatus("running", question.text, question.topic, player.name, started=started)
        runs.save_asked(run_id, _asked(folder, player, question, settings, evidence))
        write_status(folder, status)
    except BaseException as error:
        if occupation is not None:
            occupation.close()
        shutil.rmtree(folder, ignore_errors=True)
        if is_full(error):
            raise DiskFull(_FULL) from error
        raise
    return StartedRun(run_id, folder, store, player, question, settings, runs, status, occupation, evidence)


@dataclass(slots=True)
class _Spent:
    """What events say of the cost, and where the walk started."""

    calls: list[Call]
    topic: str = ""
    seconds: float = 0.0

    def __init__(self, calls: list[Call] | None = None, topic: str = "", seconds: float = 0.0) -> None:
        self.calls, self.topic, self.seconds = calls or [], topic, seconds

    def __call__(self, event: Event) -> None:
        self.calls.extend(event.calls)
        self.seconds = event.seconds
        if event.kind == "topic":
            self.topic = str(event.data.get("label", ""))


def _all(*observers: Observer) -> Observer:
    def observe(event: Event) -> None:
        for observer in observers:
            observer(event)

    return observe


def _write(folder: Path, number: int, picture: Picture) -> Path:
    path = folder / f"image-{number}.{picture.suffix}"
    path.write_bytes(picture.content)
    return path


def _asked(
    folder: Path,
    player: Policy,
    question: Question,
    settings: WalkSettings,
    evidence: Mapping[str, object] | None,
) -> dict[str, object]:
    found = {"evidence": dict(evidence)} if evidence else {}
    return found | {
        "run": folder.name,
        "policy": {"name": player.name, **player.settings},
        "settings": _settings(settings),
        "question": _question(question, folder),
    }


def _question(question: Question, folder: Path) -> dict[str, object]:
    """The question; pictures that are the run's own by their names alone: where a server keeps them is its business."""
    images = [image.name if image.parent == folder else str(image) for image in question.images]
    return question_to_json(question) | {"images": images}


def _settings(settings: WalkSettings) -> dict[str, object]:
    budget = settings.budget
    return {
        "strategy": settings.strategy,
        "paths": settings.paths,
        "depth": budget.depth,
        "enough": budget.paths,
        "calls": budget.calls,
        "tokens": budget.tokens,
        "seconds": budget.seconds,
    }
