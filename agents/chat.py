"""What a chat model is asked and what it answers, whichever backend serves it.

Knows no backend and no prompt. What every backend must do alike stands here too: taking thoughts out of an answer and
refusing one that holds nothing.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from agents.errors import AnswerCutOff, EmptyAnswer

JsonSchema = Mapping[str, object]
DEFAULT_MAX_TOKENS = 1024

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection"
_THOUGHT = re.compile(rf"<({_TAGS})>.*?</\1>", re.IGNORECASE | re.DOTALL)
_THOUGHT_ENDS = re.compile(rf"^.*</({_TAGS})>", re.IGNORECASE | re.DOTALL)
_THOUGHT_BEGINS = re.compile(rf"^\s*<({_TAGS})>.*$", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; ``images`` are files, shown before the text."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer and its cost.

    ``text`` is free of thoughts; ``finish_reason`` is the backend's ("stop", "length", ...); tokens are as the backend
    reports them, over all attempts; ``seconds`` is wall time with all waiting; ``model`` is the name that the backend
    gives. A ``cached`` reply keeps the tokens that it once cost, and its ``seconds`` are those of the look-up.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cached: bool = False
    model: str = ""

    @property
    def cut_off(self) -> bool:
        """True where the token limit ended the answer."""
        return self.finish_reason == "length"


class ChatModel(Protocol):
    """A model that answers a conversation. Safe to use from several threads."""

    @property
    def identity(self) -> str:
        """Which model it is and where it runs: what tells its answers from another's in a cache and a trace."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        temperature: float = 0.0,
        repeat: int = 0,
    ) -> Reply:
        """The answer to the last of ``messages``.

        ``schema`` is the JSON schema that the answer should follow; a backend that cannot hold the model to it puts it
        in the prompt, so the answer may still differ. ``repeat`` tells apart samples of the same question.
        Raises ChatError.
        """


def strip_thoughts(text: str) -> str:
    """The answer without what the model thought aloud.

    >>> strip_thoughts("<think>Bite or Roar?</think>\\n2")
    '2'
    >>> strip_thoughts("the template opened the thought</think> 2")
    '2'
    >>> strip_thoughts("<think>never finished")
    ''
    """
    text = _THOUGHT.sub("", text)
    text = _THOUGHT_ENDS.sub("", text)
    return _THOUGHT_BEGINS.sub("", text).strip()


def check_reply(reply: Reply) -> Reply:
    """The reply, if it has any text. Raises AnswerCutOff or EmptyAnswer."""
    if reply.text:
        return reply
    if reply.cut_off:
        raise AnswerCutOff(
            f"{reply.model} spent its token limit ({reply.completion_tokens} tokens) before it gave an answer, as "
            "thinking models do: allow more tokens an answer",
            reply=reply,
        )
    raise EmptyAnswer(f"{reply.model} gave an empty answer", reply=reply)


def schema_instruction(schema: JsonSchema) -> str:
    """How to ask for an answer by ``schema`` in words, for a backend that cannot hold a model to it."""
    return f"Answer with one JSON object that follows this JSON schema, and nothing else:\n{json.dumps(schema)}"


def with_instruction(messages: Sequence[Message], schema: JsonSchema) -> list[Message]:
    """The conversation with the schema described at its end."""
    last = messages[-1]
    return [*messages[:-1], Message(last.role, f"{last.text}\n\n{schema_instruction(schema)}", last.images)]
