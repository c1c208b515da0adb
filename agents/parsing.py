"""Reads what a model answered: tolerant in finding the answer, strict in what it takes for one.

What cannot be read for certain is never guessed at: it comes back with the reason, in words that the model can be told.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from agents.extraction import find_json, unfence
from agents.matching import Matches, Offer, Option, Unclear, is_heading
from agents.topic import normalise

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_NUMBER_KEYS = ("number", "index", "id", "no", "choice", "option")
_NAME_KEYS = ("name", "label", "entity", "neighbor", "neighbour")
_CHOICE_KEYS = (
    *("choices", "choice", "answer", "answers", "response", "result", "results", "selected", "selection", "topic"),
    *("neighbors", "neighbours", "entities", "options", "numbers", "ids", "indices", "names", "relevant"),
    *_NUMBER_KEYS,
    *_NAME_KEYS,
)
_VERDICT_KEYS = ("answer", "verdict", "sufficient", "necessary", "enough", "response", "result", "decision")
_DESCRIPTION_KEYS = ("description", "caption", "observation")
_MARKER = re.compile(r"\b(?:answer|response|verdict)\b[^\w:]{0,4}(?:is)?[^\w:]{0,2}:\W{0,4}", re.IGNORECASE)
_BULLET = re.compile(r"\s*([-*•>]|\(?\d+[.):\]])\s")
_NEGATION = re.compile(r"\b(not|except|without|irrelevant|exclude\w*|reject\w*|unlikely)\b|n't\b", re.IGNORECASE)
_VERDICT_WORD = re.compile(
    r"\W*(yes|no|true|false)\b[ \t]*(?:\Z|\n|[^\w\s])[\W_]*(?!(?:yes|no)\b\W*\Z)(.*)", re.IGNORECASE | re.DOTALL
)
_YES = frozenset({"yes", "true", "y", "sufficient", "enough", "necessary"})
_NO = frozenset(
    {"no", "false", "n", "insufficient", "not sufficient", "not enough", "not necessary", "unnecessary", "not yet"}
)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T_co]):
    """What was read: ``value`` is None where nothing can be used; ``problem`` is "" where all of it could be."""

    value: T_co | None
    problem: str = ""


class ChoicesAnswer(BaseModel):
    """The numbers chosen. Validated with ``context={"count": n}``: numbers are 1 to n, each once."""

    model_config = ConfigDict(strict=True, extra="forbid")
    choices: list[Annotated[int, Field(ge=1)]]

    @field_validator("choices")
    @classmethod
    def _on_offer(cls, choices: list[int], info: ValidationInfo) -> list[int]:
        count = (info.context or {}).get("count", 0)
        if len(set(choices)) != len(choices) or any(choice > count for choice in choices):
            raise ValueError(f"numbers are 1 to {count}, each once")
        return choices


class VerdictAnswer(BaseModel):
    """Yes or no, and where pictures were shown, what they show."""

    model_config = ConfigDict(strict=True, extra="forbid")
    answer: Literal["yes", "no"]
    description: str = ""

    @property
    def yes(self) -> bool:
        """Whether the answer is yes."""
        return self.answer == "yes"


def choices_schema(count: int) -> dict[str, object]:
    """The JSON schema of an answer that picks any of ``count`` options, in keywords that all endpoints know."""
    numbers = {"type": "integer", "enum": list(range(1, count + 1))}
    return _object({"choices": {"type": "array", "items": numbers}})


def choice_schema(count: int) -> dict[str, object]:
    """The JSON schema of an answer that picks one of ``count`` numbered options, or 0 for none."""
    return _object({"choice": {"type": "integer", "enum": list(range(count + 1))}})


def verdict_schema(*, thought: str, described: bool) -> dict[str, object]:
    """The JSON schema of a yes or no, after a short thought under the key ``thought``, so that it can draw on it.

    Where pictures were shown, a description of them comes before both.
    """
    text = {"type": "string"}
    verdict = {thought: text, "answer": {"type": "string", "enum": ["yes", "no"]}}
    return _object({"description": text, **verdict} if described else verdict)


def parse_choices(text: str, options: Sequence[Option], *, cut_off: bool = False) -> Parsed[tuple[int, ...]]:
    """The indices (from 0) of the options that the answer picks, in its order, each once; none is a fine answer.

    Where some of what it names is not on offer, the rest is the value and the problem lists them.
    """
    offer = Offer(options)
    try:
        matches = _choices(text, offer, cut_off=cut_off)
        chosen = ChoicesAnswer.model_validate(
            {"choices": [index + 1 for index in matches.indices]}, context={"count": len(offer)}
        )
    except (Unclear, ValidationError) as error:
        return Parsed(None, str(error))
    indices = tuple(number - 1 for number in chosen.choices)
    if not matches.rejected:
        return Parsed(indices)
    quoted = ", ".join(f'"{item[:60]}"' for item in matches.rejected[:5])
    return Parsed(indices or None, f"not among the options: {quoted}; they are numbered 1 to {len(offer)}")


def parse_choice(text: str, options: Sequence[Option], *, cut_off: bool = False) -> Parsed[tuple[int, ...]]:
    """As :func:`parse_choices`, for an answer that may pick one option at most."""
    parsed = parse_choices(text, options, cut_off=cut_off)
    if not parsed.value:
        return parsed
    if len({options[index].key for index in parsed.value}) > 1:
        return Parsed(None, "choose one option only")
    return Parsed(parsed.value[:1], parsed.problem)


def parse_verdict(text: str, *, cut_off: bool = False) -> Parsed[VerdictAnswer]:
    """The yes or no of an answer, with its description where it has one."""
    try:
        return Parsed(VerdictAnswer.model_validate(_verdict(text, cut_off=cut_off)))
    except (Unclear, ValidationError) as error:
        problem = str(error) if isinstance(error, Unclear) else "the description is not text"
        return Parsed(None, problem)


def _choices(text: str, offer: Offer, *, cut_off: bool) -> Matches:
    found = find_json(text, cut_off=cut_off)
    if found and not isinstance(found[0], dict):
        plain = offer.find(text)  # the brackets may belong to a name
        if plain is not None:
            return plain
    if found:
        return _only([_read(partial(_from_json, item, offer)) for item in found], "several different answers")
    if cut_off:
        raise Unclear("the answer was cut off before it was complete: answer in fewer words")
    return _from_text(unfence(text), offer)


def _from_json(found: object, offer: Offer) -> Matches:
    """The options that a JSON value names. Raises Unclear."""
    if isinstance(found, bool):
        raise Unclear("true and false name no option: answer with numbers")
    if found is None:
        return Matches()
    if isinstance(found, (int, float)):
        return offer.number(found)
    if isinstance(found, str):
        return offer.item(found) if found.strip() else Matches(rejected=("(blank)",))
    if isinstance(found, list):
        matches = Matches()
        for item in found:
            matches += _from_json(item, offer)
        return matches
    if isinstance(found, dict):
        return _from_object(found, offer)
    raise Unclear("that is no choice")


def _from_object(found: Mapping[str, object], offer: Offer) -> Matches:
    """An object may be the whole answer, under whatever key, or one option by number and name."""
    number = next((found[key] for key in _NUMBER_KEYS if key in found), None)
    name = next((found[key] for key in _NAME_KEYS if isinstance(found.get(key), str)), None)
    if number is not None and name is not None and not isinstance(number, list):
        return _from_json(f"{number}. {name}" if isinstance(name, str) and name.strip() else number, offer)
    if found and all(isinstance(value, bool) for value in found.values()):
        return _from_json([key for key, value in found.items() if value], offer)
    if found and all(re.fullmatch(r"\d{1,9}", key) for key in found):
        return _from_json([{"number": int(key), "name": value} for key, value in found.items()], offer)
    keys = {key.casefold(): key for key in found}
    known = next((keys[key] for key in _CHOICE_KEYS if key in keys), None)
    if known is None:
        lists = [key for key, value in found.items() if isinstance(value, list)]
        known = lists[0] if len(lists) == 1 else next(iter(found)) if len(found) == 1 else None
    if known is None:
        raise Unclear('the JSON object has no "choices"')
    return _from_json(found[known], offer)


def _from_text(text: str, offer: Offer) -> Matches:
    """The options that plain text names: all of it, what follows "Answer:", its list, or its first or last line."""
    for part in (text, *_marked(text)):
        whole = offer.find(part)
        if whole is not None:
            return whole
    lines = [line for line in text.splitlines() if not is_heading(line)]
    listed = [line for line in lines if _BULLET.match(line)]
    for some in (lines, [] if _NEGATION.search(text) else listed):
        each = [offer.find(line.strip(" \t-*•>")) for line in some]
        if each and all(match is not None for match in each):
            return sum((match for match in each if match), Matches())
    each = [offer.find(line) for line in lines]
    if not each or (each[0] is None and (each[-1] is None or _NEGATION.search(text))):
        raise Unclear("no option can be made out in the answer")
    return _only([match for match in each if match is not None], "the lines of the answer choose differently")


def _marked(text: str) -> list[str]:
    """What follows each of the last few "Answer:", and the first line of it, the last first."""
    after = [text[match.end() :] for match in reversed(list(_MARKER.finditer(text))[-3:])]
    return [part for rest in after for part in (rest, rest.partition("\n")[0])]


def _verdict(text: str, *, cut_off: bool) -> dict[str, object]:
    objects = [item for item in find_json(text, cut_off=cut_off) if isinstance(item, dict)]
    if objects:
        return _only([_read(partial(_verdict_object, item)) for item in objects], "several different answers")
    body = unfence(text)
    last = body.rpartition("\n")[2]
    told = [_spoken(part) for part in (body, *_marked(body), *([last] if normalise(last) in _YES | _NO else []))]
    found = [verdict for verdict in told if verdict is not None]
    if not found:
        raise Unclear("the answer says neither yes nor no")
    _only([verdict["answer"] for verdict in found], "the answer says both yes and no")
    return found[0]


def _verdict_object(found: Mapping[str, object]) -> dict[str, object]:
    keys = {key.casefold(): key for key in found}
    told = next((found[keys[key]] for key in _VERDICT_KEYS if key in keys), None)
    if told is None and len(found) == 1:
        told = next(iter(found.values()))
    spoken = _spoken(str(told)) if isinstance(told, (str, bool)) else None
    if spoken is None:
        raise Unclear('"answer" is neither yes nor no')
    described = next((found[keys[key]] for key in _DESCRIPTION_KEYS if key in keys), "")
    return {**spoken, "description": described or spoken["description"]}


def _spoken(text: str) -> dict[str, object] | None:
    """A text that is a verdict, or begins with one that stands by itself: ``Yes``, ``**No**, because``."""
    whole = normalise(text)
    if whole in _YES | _NO:
        return {"answer": "yes" if whole in _YES else "no", "description": ""}
    match = _VERDICT_WORD.fullmatch(text.strip())
    if not match:
        return None
    return {"answer": "yes" if match[1].casefold() in _YES else "no", "description": match[2].strip()}


def _read(read: Callable[[], T]) -> T | Unclear:
    try:
        return read()
    except Unclear as error:
        return error


def _only(found: Sequence[T | Unclear], otherwise: str) -> T:
    """The one answer among those found. Raises Unclear where there is none, or there are different ones."""
    answers = [item for item in found if not isinstance(item, Unclear)]
    if not answers:
        raise next(item for item in found if isinstance(item, Unclear))
    if any(answer != answers[0] for answer in answers):
        raise Unclear(f"{otherwise}: give one")
    return answers[0]


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
