"""Loads the prompts, one Markdown file a role, and fills them in.

A file has a heading and a remark for people, then ``## System`` and ``## User`` sections, and ``## Rule: name``
sections of which those asked for are put in the place of ``$rules``. As in all Markdown, a line break inside a
paragraph is a space (small models answer differently by it). Variables are written ``$name``; one that is missing, and
one that the text does not have, are errors. Values are put in as they are: a dollar sign in them means nothing.
"""

import hashlib
import re
import string
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from agents.chat import Message
from agents.errors import PromptError

_SECTION = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_RULE = "Rule: "


@dataclass(frozen=True, slots=True)
class Prompt:
    """One role's prompt; ``sha256`` is that of its file, hex."""

    name: str
    system: str
    user: str
    rules: Mapping[str, str]
    sha256: str

    def render(
        self, variables: Mapping[str, str], *, rules: Sequence[str] = (), images: Sequence[Path] = ()
    ) -> list[Message]:
        """The messages to send, with the rules named, in that order. Raises PromptError."""
        unknown = [rule for rule in rules if rule not in self.rules]
        if unknown:
            raise PromptError(f"prompt {self.name} has no rule {unknown[0]!r}: it has {sorted(self.rules)}")
        ruled = "\n\n".join(self.rules[rule] for rule in rules)
        system, user = (_reflow(text.replace("$rules", ruled)) for text in (self.system, self.user))
        self._check(_identifiers(system) | _identifiers(user), set(variables))
        filled = [string.Template(text).substitute(variables) for text in (system, user)]
        return [
            *([Message("system", filled[0])] if filled[0] else []),
            Message("user", filled[1], tuple(images)),
        ]

    def _check(self, wanted: Collection[str], given: Collection[str]) -> None:
        missing, extra = sorted(set(wanted) - set(given)), sorted(set(given) - set(wanted))
        if missing or extra:
            raise PromptError(
                f"prompt {self.name}: missing variables {missing}, variables that it does not have {extra}"
            )


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt in ``prompts/<name>.md``. Raises PromptError."""
    file = resources.files("agents").joinpath("prompts", f"{name}.md")
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise PromptError(f"there is no prompt {name!r}") from error
    return parse_prompt(name, text)


def parse_prompt(name: str, text: str) -> Prompt:
    """The prompt that ``text`` holds. Raises PromptError where a section or a variable is not well formed."""
    pieces = _SECTION.split(text)
    sections = {title: body.strip() for title, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    rules = {title.removeprefix(_RULE): body for title, body in sections.items() if title.startswith(_RULE)}
    strange = [title for title in sections if title not in {"System", "User"} and not title.startswith(_RULE)]
    if strange or not sections.get("User"):
        raise PromptError(f"prompt {name} needs a section ## User, and may have ## System and ## Rule: name: {strange}")
    for body in sections.values():
        if not string.Template(body).is_valid():
            raise PromptError(f"prompt {name} has a dollar sign that begins no variable: write $$ for the sign itself")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(name, sections.get("System", ""), sections["User"], rules, digest)


def _reflow(text: str) -> str:
    """The paragraphs, each on one line, with an empty line between them."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _identifiers(text: str) -> set[str]:
    return set(string.Template(text).get_identifiers())
