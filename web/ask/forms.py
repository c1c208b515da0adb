"""The ask form: what was typed, as it was typed, and the question and settings that it means."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from agents.budget import Budget
from agents.roles import Question
from agents.walk import Strategy, WalkSettings
from web.ask.records import AskedRecord
from web.errors import BadForm
from web.examples import Example

STRATEGIES = {"bfs": "breadth first", "dfs": "depth first"}
BOUNDS = {"question": 2000, "topic": 500, "extra": 4000, "caption": 4000}
"""The most characters that each text may have."""
_CONCURRENCY = 8
"""Calls of a round at once: fewer than on the command line, since several walks share a server and its models."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the form: what it is called there, the most that this server allows, and what it is at first."""

    name: str
    most: int
    first: str

    @property
    def is_optional(self) -> bool:
        """Whether the field may be left empty: then only the other bounds hold."""
        return not self.first


NUMBERS = {
    "paths": Number("Routes to keep, at most", 20, "5"),
    "depth": Number("Depth, in steps from the topic", 12, "6"),
    "calls": Number("Calls of models", 500, "200"),
    "seconds": Number("Seconds", 900, "240"),
    "tokens": Number("Tokens, in and out", 1_000_000, ""),
    "enough": Number("Stop at this many sufficient routes", 50, ""),
}
_NAMES = {"question": "question", "topic": "topic", "extra": "extra information", "caption": "caption"}


@dataclass(frozen=True, slots=True)
class AskForm:
    """The texts of the form, numbers as they were typed; ``topic`` is an IRI or a label, "" lets the policy choose."""

    question: str = ""
    topic: str = ""
    extra: str = ""
    caption: str = ""
    policy: str = ""
    strategy: str = "bfs"
    paths: str = NUMBERS["paths"].first
    depth: str = NUMBERS["depth"].first
    calls: str = NUMBERS["calls"].first
    seconds: str = NUMBERS["seconds"].first
    tokens: str = NUMBERS["tokens"].first
    enough: str = NUMBERS["enough"].first

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
    def from_run(cls, run: AskedRecord) -> Self:
        """The form as it was for a run, to ask again."""
        asked, settings = run.question, run.settings
        budget = {name: getattr(settings, name) for name in NUMBERS}
        return cls(
            asked.text,
            asked.topic,
            asked.extra,
            asked.caption,
            run.policy.get("name", ""),
            settings.strategy,
            **{name: f"{value:g}" if value is not None else "" for name, value in budget.items()},
        )

    def number(self, name: str) -> int | None:
        """A number of the form; None where it was left empty. For a form that :meth:`check` passes."""
        typed: str = getattr(self, name)
        return int(typed) if typed else None

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
        for name, number in NUMBERS.items():
            _check_number(name, number, getattr(self, name))

    def to_question(self) -> Question:
        """What is asked."""
        return Question(text=self.question, topic=self.topic, extra=self.extra, caption=self.caption)

    def to_settings(self) -> WalkSettings:
        """How to walk; for a form that :meth:`check` passes."""
        strategy: Strategy = "dfs" if self.strategy == "dfs" else "bfs"
        budget = Budget(
            depth=self.number("depth"),
            paths=self.number("enough"),
            calls=self.number("calls"),
            tokens=self.number("tokens"),
            seconds=self.number("seconds"),
        )
        return WalkSettings(strategy, self.number("paths") or 1, budget, _CONCURRENCY)


def _check_number(name: str, number: Number, typed: str) -> None:
    if number.is_optional and not typed:
        return
    if not re.fullmatch(r"[0-9]{1,7}", typed) or not 1 <= int(typed) <= number.most:
        left_out = ", or nothing" if number.is_optional else ""
        said = number.name.split(",")[0]
        raise BadForm(name, f"{said}: write a whole number from 1 to {number.most:,}{left_out}.")


def _tidied(text: str) -> str:
    """One form of each character, line ends as LF, no other control characters, nothing around it."""
    unified = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(char for char in unified if char in "\n\t" or unicodedata.category(char) != "Cc").strip()
