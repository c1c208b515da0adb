"""
JSON files of our own as they are after years on a disk: whatever is wrong with one is told as one error.

A file may be cut off, of another version, or changed by hand. Beyond what JSON itself forbids, none is taken that is
nested so deeply that code which follows it would fail, and what JSON lets through but nothing can show is made
harmless: half a surrogate pair becomes U+FFFD, a number that is none (NaN, Infinity) or has too many digits becomes 0.
"""

import json
import math
from pathlib import Path
from typing import Any

MAX_DEPTH = 60
"""Lists and objects inside one another; ours nest less than ten."""
_MAX_DIGITS = 18


class Damaged(ValueError):
    """A file holds no JSON that can be used; the text says why in a few words, without the file's place."""


def read_object(path: Path) -> dict[str, Any]:
    """The object that a file holds. Raises FileNotFoundError where there is none, Damaged for all else."""
    return parse_object(read_text(path))


def read_text(path: Path) -> str:
    """The text of a file. Raises FileNotFoundError where there is none, Damaged for all else that is wrong."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError("there is no such file") from error
    except OSError as error:
        raise Damaged(error.strerror or type(error).__name__) from error
    except ValueError as error:
        raise Damaged("it is not UTF-8") from error


def parse_object(text: str) -> dict[str, Any]:
    """The object that a text holds. Raises Damaged."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise Damaged("it is no JSON object")
    return value


def parse_json(text: str) -> object:
    """
    What a text holds. Raises Damaged.

    >>> parse_json('{"seconds": NaN, "text": "cut \\\\ud83d off", "large": ' + 400 * "9" + "}")
    {'seconds': 0.0, 'text': 'cut \ufffd off', 'large': 0}
    """
    try:
        return _mended(json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_finite), MAX_DEPTH)
    except RecursionError as error:
        raise Damaged("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Damaged(f"it is no JSON: {error}") from error


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= _MAX_DIGITS else 0


def _finite(number: str) -> float:
    return value if math.isfinite(value := float(number)) else 0.0


def _mended(value: object, depth: int) -> object:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not isinstance(value, (list, dict)):
        return value
    if depth == 0:
        raise Damaged("it is nested too deeply")
    if isinstance(value, list):
        return [_mended(item, depth - 1) for item in value]
    return {str(_mended(name, depth)): _mended(item, depth - 1) for name, item in value.items()}
