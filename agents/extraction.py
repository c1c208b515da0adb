"""Finds the JSON in what a model wrote: whole, in a code fence, with prose around it, or slightly broken.

Tolerant on purpose: whether what was found is an answer is decided by the strict schema that comes after.
"""

import json
import re
from collections.abc import Iterator

import json_repair

_FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_DECODER = json.JSONDecoder()


def find_json(text: str, *, cut_off: bool = False) -> list[object]:
    """The JSON objects in ``text``, or else its one array, in order, equal ones once; mended where none is complete.

    Where the answer was ``cut_off``, nothing is mended: completing half a list would make up an answer.

    >>> find_json('Sure!\\n```json\\n{"choices": [2]}\\n```\\nHope this helps.')
    [{'choices': [2]}]
    >>> find_json("{'choices': [1, 2,]} is my answer")
    [{'choices': [1, 2]}]
    >>> find_json('{"choices": [1, 2', cut_off=True)
    []
    >>> find_json("Bite [angry]; Tail Spin [angry]")
    []
    """
    bodies = [unfence(text), text.strip()]
    for body in bodies:
        found = _complete(body)
        if found:
            return found
    if cut_off:
        return []
    return next((found for body in bodies if (found := _mended(body))), [])


def unfence(text: str) -> str:
    """The text inside the first code fence, or the whole where there is none."""
    match = _FENCE.search(text)
    return match[1].strip() if match else text.strip()


def _complete(body: str) -> list[object]:
    """Objects win over arrays. Of arrays only a lone one counts: brackets also stand in prose and in names."""
    found = list(_scan(body))
    objects = [item for item in found if isinstance(item, dict)]
    if objects:
        return [item for index, item in enumerate(objects) if item not in objects[:index]]
    return found if len(found) == 1 else []


def _scan(body: str) -> Iterator[object]:
    """Every outermost object and array that parses as it stands."""
    end = 0
    for start in re.finditer(r"[{\[]", body):
        if start.start() < end:
            continue
        try:
            found, end = _DECODER.raw_decode(body, start.start())
        except ValueError:
            continue
        except RecursionError:  # brackets a thousand deep are no answer
            return
        yield found


def _mended(body: str) -> list[object]:
    """What json_repair makes of the text from its first brace on; of an array only where the whole answer is one."""
    whole_array = body.startswith("[") and body.endswith("]")
    start = 0 if whole_array else body.find("{")
    if start < 0:
        return []
    try:
        found = json_repair.loads(body[start:])
    except ValueError:  # nested too deeply
        return []
    if isinstance(found, list) and not whole_array:
        found = next((item for item in found if isinstance(item, dict)), None)
    return [found] if isinstance(found, (dict, list)) and found else []
