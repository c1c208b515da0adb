"""Answers questions over one graph: the policy, the walk, and the run that is kept of it.

What the command line, the web page and the benchmark all ask; built by the composition root.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.budget import StopSignal, never
from agents.errors import NoQuestion
from agents.roles import Policy, Question
from agents.runs import RunFolder
from agents.started import Picture, StartedRun, start_run
from agents.trace import Observer, ignore
from agents.walk import WalkResult, WalkSettings, walk
from kg.store import Store

PolicyMaker = Callable[[str], Policy]
"""Gives the policy of a name ("builtin", "llm"); raises agents.errors.AgentError where it cannot be had."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The graph to walk, the policies that can be had, the default one first, and where runs are kept.

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
        stop: StopSignal = never,
        keep: bool = True,
        evidence: Mapping[str, object] | None = None,
    ) -> tuple[str, WalkResult]:
        """Walks the graph for ``question``; returns the run's id ("" where it is not kept) and the result.

        ``evidence`` is what was found by the question's media (agents.media_report), to be kept with the run.
        ``observe`` sees every event as it happens. Raises NoQuestion where the text is blank, and what
        :func:`agents.walk.walk` raises.
        """
        if keep:
            run = self.begin(question, policy=policy, settings=settings, evidence=evidence)
            return run.run_id, run.walk(observe=observe, stop=stop)
        _check(question)
        result = walk(self.store, self.policy(policy), question, settings=settings, observe=observe, stop=stop)
        return "", result

    def begin(
        self,
        question: Question,
        *,
        policy: str = "builtin",
        settings: WalkSettings | None = None,
        pictures: Sequence[Picture] = (),
        evidence: Mapping[str, object] | None = None,
    ) -> StartedRun:
        """A run that has its id and its folder, and is yet to be walked, in any one thread.

        ``pictures`` are kept with the run and shown to the policy after those of the question. Raises NoQuestion where
        the text is blank, and what the policy raises that cannot be had; then nothing is kept.
        """
        _check(question)
        player = self.policy(policy)
        return start_run(
            self.store,
            player,
            question,
            settings or WalkSettings(),
            runs=self.runs,
            pictures=pictures,
            evidence=evidence,
        )


def _check(question: Question) -> None:
    if not any(char.isprintable() and not char.isspace() for char in question.text):
        raise NoQuestion("the question is empty: write what you want to know")
