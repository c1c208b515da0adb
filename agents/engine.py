"""Answers questions over one graph: the policy, the walk, and the run that is kept of it.

What the command line, the web page and the benchmark all ask; built by the composition root.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from agents.errors import NoQuestion
from agents.report import result_to_json
from agents.roles import Policy, Question
from agents.runs import RunFolder
from agents.trace import Event, Observer, TraceFile, ignore
from agents.walk import WalkResult, WalkSettings, walk
from kg.store import Store

PolicyMaker = Callable[[str], Policy]
"""Gives the policy of a name ("builtin", "llm"); raises agents.errors.AgentError where it cannot be had."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The graph to walk, the policies that can be had, and where runs are kept.

    ``missing`` are policies that cannot be had as things are set, with what would have to be done, in a few words.
    """

    store: Store
    policy: PolicyMaker
    policies: tuple[str, ...]
    runs: RunFolder
    missing: Mapping[str, str] = field(default_factory=dict)

    def ask(
        self,
        question: Question,
        *,
        policy: str = "builtin",
        settings: WalkSettings | None = None,
        observe: Observer = ignore,
        keep: bool = True,
    ) -> tuple[str, WalkResult]:
        """Walks the graph for ``question``; returns the run's id ("" where it is not kept) and the result.

        ``observe`` sees every event as it happens. Raises NoQuestion where the text is blank, and what
        :func:`agents.walk.walk` raises.
        """
        if not any(char.isprintable() and not char.isspace() for char in question.text):
            raise NoQuestion("the question is empty: write what you want to know")
        player = self.policy(policy)
        settings = settings or WalkSettings()
        run_id, folder = self.runs.new() if keep else ("", Path())
        with TraceFile(folder / "trace.jsonl") if keep else nullcontext(ignore) as trace:
            result = walk(self.store, player, question, settings=settings, observe=_both(trace, observe))
        if keep:
            how = {
                "policy": {"name": player.name, **player.settings},
                "settings": {"strategy": settings.strategy, "paths": settings.paths},
            }
            self.runs.save(run_id, {"run": run_id, **how, **result_to_json(result)})
        return run_id, result


def _both(first: Observer, second: Observer) -> Observer:
    def observe(event: Event) -> None:
        first(event)
        second(event)

    return observe
