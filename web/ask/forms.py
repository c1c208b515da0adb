"""The ask form: what was typed, as it was typed, and the question and settings that it means."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from agents.budget import Budget
from agents.roles import Question
from agents.walk import Strategy, WalkSettings
from web.ask.records import RunRecord
from web.errors import BadForm
from web.examples import Example

STRATEGIES = {"bfs": "breadth first", "dfs": "depth first"}
MAX_PATHS = 20
BOUNDS = {"question": 2000, "topic": 500, "extra": 4000, "caption": 4000}
"""The most characters that each text may have."""
_NAMES = {"question": "question", "topic": "topic", "extra": "extra information", "caption": "caption"}
WALK_SECONDS = 240.0
"""A walk that a page waits for gives its best routes before the browser gives up waiting, which is after 300 s."""


@dataclass(frozen=True, slots=True)
class AskForm:
    """The texts of the form; ``topic`` is an IRI or a label, "" lets the policy choose."""

    question: str = ""
    topic: str = ""
    extra: str = ""
    caption: str = ""
    policy: str = ""
    strategy: str = "bfs"
    paths: str = "5"

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Self:
        """The form as it was sent; a field that was not sent keeps its default."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: _tidied(values[name]) for name in names if name in values})

    @classmethod
    def from_example(cls, example: Example) -> Self:
        """The form filled in with an example."""
        return cls(example.question, example.topic, example.extra, example.caption)

    @classmethod
    def from_run(cls, run: RunRecord) -> Self:
        """The form as it was for a run, to ask again."""
        asked = run.question
        return cls(
            asked.text,
            asked.topic,
            asked.extra,
            asked.caption,
            run.policy.get("name", ""),
            run.settings.strategy,
            str(run.settings.paths),
        )

    def check(self, *, policies: tuple[str, ...], missing: Mapping[str, str] | None = None) -> None:
        """Raises BadForm at the first field that will not do; ``missing`` as in agents.engine.Engine."""
        if not self.question:
            raise BadForm("question", "Write a question.")
        for name, bound in BOUNDS.items():
            length = len(getattr(self, name))
            if length > bound:
                raise BadForm(name, f"The {_NAMES[name]} has {length:,} characters; {bound:,} are the most.")
        if missing and self.policy in missing:
            raise BadForm("policy", f"There is no {self.policy} policy here: {missing[self.policy]}.")
        if self.policy not in policies:
            raise BadForm("policy", f"There is no policy called {self.policy!r}: choose {' or '.join(policies)}.")
        if self.strategy not in STRATEGIES:
            raise BadForm("strategy", f"There is no strategy called {self.strategy!r}: choose bfs or dfs.")
        if not re.fullmatch(r"[0-9]{1,3}", self.paths) or not 1 <= int(self.paths) <= MAX_PATHS:
            raise BadForm("paths", f"The number of routes to keep is a whole number from 1 to {MAX_PATHS}.")

    def to_question(self) -> Question:
        """What is asked."""
        return Question(text=self.question, topic=self.topic, extra=self.extra, caption=self.caption)

    def to_settings(self) -> WalkSettings:
        """How to walk; for a form that :meth:`check` passes."""
        strategy: Strategy = "dfs" if self.strategy == "dfs" else "bfs"
        return WalkSettings(strategy=strategy, paths=int(self.paths), budget=Budget(seconds=WALK_SECONDS))


def _tidied(text: str) -> str:
    """One form of each character, line ends as LF, no other control characters, nothing around it."""
    unified = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(char for char in unified if char in "\n\t" or unicodedata.category(char) != "Cc").strip()
