"""Asks a model one thing for a role: sends the prompt, reads the answer, and lets the model mend it once.

An answer that cannot be read is told back to the model, with the reason, one time. What cannot be read then is a
problem on the call: it is counted, and it is no answer.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from agents.chat import DEFAULT_MAX_TOKENS, ChatModel, JsonSchema, Message, Reply
from agents.errors import UnusableAnswer
from agents.parsing import Parsed
from agents.prompts import Prompt, load_prompt
from agents.roles import Call
from agents.surrogates import mend

T = TypeVar("T")
Reader = Callable[[Reply], Parsed[T]]
_SHOWN_AGAIN = 2000
"""Characters of an unusable answer that are sent back with the reason."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn: ``max_tokens`` bounds each, ``repeat`` tells apart runs of the same questions."""

    max_tokens: int = DEFAULT_MAX_TOKENS
    temperature: float = 0.0
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Asker:
    """One role's model and prompt."""

    role: str
    model: ChatModel
    prompt: Prompt
    sampling: Sampling = Sampling()

    def ask(
        self, messages: Sequence[Message], read: Reader[T], *, schema: JsonSchema | None = None
    ) -> tuple[T | None, tuple[Call, ...]]:
        """What ``read`` makes of the answer, or None, and the calls made.

        Raises ChatError where the model could not be asked at all; an unusable answer is a problem on its call.
        """
        first, reply, call = self._once(messages, read, schema)
        if not first.problem or reply is None:
            return first.value, (call,)
        second, _, second_call = self._once(_told(messages, reply, first.problem), read, schema)
        if second.value is not None:
            note = f"used in part: {second.problem}" if second.problem else ""
            return second.value, (call, replace(second_call, problem="", note=note))
        if first.value is not None:
            note = f"{second.problem}; of the answer before, what could be was used"
            return first.value, (call, replace(second_call, problem="", note=note))
        return None, (call, second_call)

    def _once(
        self, messages: Sequence[Message], read: Reader[T], schema: JsonSchema | None
    ) -> tuple[Parsed[T], Reply | None, Call]:
        messages = [replace(message, text=mend(message.text)) for message in messages]
        asked = hashlib.sha256("\x00".join(f"{m.role}\x00{m.text}" for m in messages).encode()).hexdigest()
        sampling = self.sampling
        try:
            reply = self.model.complete(
                messages,
                schema=schema,
                max_tokens=sampling.max_tokens,
                temperature=sampling.temperature,
                repeat=sampling.repeat,
            )
        except UnusableAnswer as error:
            cost = error.reply or Reply("")
            return Parsed(None, str(error)), None, self._call(asked, cost, problem=str(error))
        reply = replace(reply, text=mend(reply.text))
        parsed = read(reply)
        return parsed, reply, self._call(asked, reply, problem=parsed.problem)

    def _call(self, asked: str, reply: Reply, *, problem: str) -> Call:
        return Call(
            role=self.role,
            model=reply.model or self.model.identity,
            prompt_sha256=asked,
            answer=reply.text,
            problem=problem,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            seconds=reply.seconds,
            cached=reply.cached,
        )


def is_lost(calls: Sequence[Call]) -> bool:
    """Whether the decision that these calls were made for was lost: the last of them could not be used."""
    return bool(calls) and bool(calls[-1].problem)


def noted(calls: tuple[Call, ...], note: str) -> tuple[Call, ...]:
    """The calls, the last with ``note`` added."""
    if not note or not calls:
        return calls
    last = calls[-1]
    return (*calls[:-1], replace(last, note="; ".join(filter(None, (last.note, note)))))


def _told(messages: Sequence[Message], reply: Reply, problem: str) -> list[Message]:
    """The conversation with the unusable answer and what is wrong with it."""
    mend = load_prompt("repair").render({"problem": problem.rstrip(".")})
    return [*messages, Message("assistant", reply.text[:_SHOWN_AGAIN]), *mend]
