"""Reads the TOML files of examples that come with a data set: tables of one name that hold texts."""

import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path

from web.errors import ExamplesUnreadable


def read_tables(
    path: Path, name: str, *, required: Sequence[str], optional: Collection[str] = (), plural: str
) -> list[dict[str, str]]:
    """
    The texts of each ``[[name]]`` table, stripped; none of the ``required`` ones is empty.

    Raises ExamplesUnreadable, which names the file and the table.
    """
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ExamplesUnreadable(f"cannot read the {plural} in {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExamplesUnreadable(f"the {plural} in {path} are not TOML: {error}") from error
    rows = said.get(name, [])
    if set(said) - {name} or not isinstance(rows, list):
        raise ExamplesUnreadable(f"{path}: write [[{name}]] tables and nothing else")
    keys = {*required, *optional}
    return [_texts(row, f"{path}, {name} {number}", keys, required) for number, row in enumerate(rows, 1)]


def _texts(row: object, where: str, keys: set[str], required: Sequence[str]) -> dict[str, str]:
    if not isinstance(row, dict) or set(row) - keys or not all(isinstance(value, str) for value in row.values()):
        raise ExamplesUnreadable(f"{where}: an example has texts only, called {', '.join(sorted(keys))}")
    texts = {key: value.strip() for key, value in row.items()}
    if not all(texts.get(key) for key in required):
        raise ExamplesUnreadable(f"{where}: {', '.join(required[:-1])} and {required[-1]} must be given")
    return texts
