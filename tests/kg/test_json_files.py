"""Reading JSON of our own that may be damaged."""

import json
from pathlib import Path

import pytest

from kg.json_files import MAX_DEPTH, Damaged, parse_json, read_object


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 20_000,
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
    ],
)
def test_what_is_wrong_is_one_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(Damaged) as caught:
        read_object(tmp_path / "x.json")
    assert str(tmp_path) not in str(caught.value)


def test_a_folder_is_damaged_and_a_file_below_a_file_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        read_object(tmp_path)
    (tmp_path / "file").touch()
    for missing in (tmp_path / "none", tmp_path / "file" / "x.json"):
        with pytest.raises(FileNotFoundError):
            read_object(missing)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 401, "9" * 5000])
def test_numbers_that_nothing_can_show_are_nought(number: str) -> None:
    assert parse_json(f'{{"seconds": {number}}}') == {"seconds": 0}


def test_half_a_surrogate_pair_is_replaced_in_names_and_values() -> None:
    assert parse_json('{"\\ud800": ["\\udc00", "\\ud83d\\udc09"]}') == {"\ufffd": ["\ufffd", "\U0001f409"]}


def test_sound_json_is_as_it_was() -> None:
    value = {"a": [1, -2.5, True, None, "ü"], "b": {"c": {}}}
    assert parse_json(json.dumps(value)) == value
