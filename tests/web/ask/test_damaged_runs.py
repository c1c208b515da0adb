"""Runs on disk to which something has happened: each says so at its own address, and no list is lost to one."""

import json
import os
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from agents.engine import Engine

_ID = "20200101T000000Z-000000aa"
_STATUS = '{"state": "finished", "question": "Why?"%s}'
_RESULT = {
    "run": _ID,
    "question": {"text": "q"},
    "topic": {"iri": "urn:x", "label": "x"},
    "answer": "a",
    "paths": [],
}
_LONG_ROUTE = {
    "entities": [{"iri": f"urn:{number}", "label": "l"} for number in range(3001)],
    "edges": [{"relation": "urn:r", "base_label": "b"}] * 3000,
}
_DAMAGED: dict[str, dict[str, str]] = {
    "seconds of 401 digits": {"status.json": _STATUS % f', "seconds": 1{"0" * 400}'},
    "a cost of 401 digits": {"result.json": json.dumps({**_RESULT, "cost": {"seconds": 10**400}})},
    "seconds that are no number": {"status.json": _STATUS % ', "seconds": NaN', "result.json": json.dumps(_RESULT)},
    "seconds beyond all": {"status.json": _STATUS % ', "seconds": 1e999, "routes": -5, "tokens": 1e30'},
    "an open end": {"status.json": "[" * 100_000},
    "a nested result": {"result.json": '{"a":' * 20_000 + "1" + "}" * 20_000},
    "a result nested less": {"status.json": _STATUS % "", "result.json": '{"a":' * 500 + "1" + "}" * 500},
    "half a pair": {"status.json": '{"state": "finished", "question": "\\ud800"}'},
    "half a pair in the result": {"result.json": json.dumps({**_RESULT, "answer": "\ud800"})},
    "a long route": {"status.json": _STATUS % "", "result.json": json.dumps({**_RESULT, "paths": [_LONG_ROUTE]})},
    "large numbers": {
        "status.json": _STATUS % "",
        "result.json": json.dumps({**_RESULT, "settings": {"seconds": 1e308, "depth": 10**30}, "cost": {"calls": -1}}),
    },
    "events that are none": {"result.json": json.dumps(_RESULT), "trace.jsonl": '[1]\n"x"\n'},
    "nested events": {"result.json": json.dumps(_RESULT), "trace.jsonl": "[" * 100_000 + "\n"},
}
_ADDRESSES = (
    f"/runs/{_ID}",
    f"/runs/{_ID}?watch",
    f"/runs/{_ID}.json",
    f"/runs/{_ID}.ttl",
    f"/runs/{_ID}/trace.jsonl",
    f"/api/runs/{_ID}",
    f"/ask?run={_ID}",
)


@pytest.mark.parametrize("name", _DAMAGED)
def test_no_list_is_lost_to_a_damaged_run(client: FlaskClient, tmp_path: Path, run_id: str, name: str) -> None:
    _damage(tmp_path / "runs" / _ID, _DAMAGED[name])
    _assert_listed(client, run_id)


@pytest.mark.parametrize("name", _DAMAGED)
def test_a_damaged_run_is_told_in_a_sentence(client: FlaskClient, tmp_path: Path, name: str) -> None:
    _damage(tmp_path / "runs" / _ID, _DAMAGED[name])
    _assert_told(client, tmp_path)


def test_a_file_with_a_runs_name(client: FlaskClient, tmp_path: Path, run_id: str) -> None:
    (tmp_path / "runs" / _ID).write_text("a file", encoding="utf-8")
    _assert_listed(client, run_id)
    _assert_told(client, tmp_path)
    assert client.get(f"/runs/{_ID}").status_code == 404


@pytest.mark.parametrize("name", ["status.json", "result.json", "asked.json", "trace.jsonl"])
def test_a_folder_with_a_files_name(client: FlaskClient, tmp_path: Path, run_id: str, name: str) -> None:
    (tmp_path / "runs" / _ID / name).mkdir(parents=True)
    _assert_listed(client, run_id)
    _assert_told(client, tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_that_may_not_be_looked_into(client: FlaskClient, tmp_path: Path, run_id: str) -> None:
    folder = tmp_path / "runs" / _ID
    _damage(folder, _DAMAGED["half a pair"])
    folder.chmod(0)
    try:
        _assert_listed(client, run_id)
        _assert_told(client, tmp_path)
    finally:
        folder.chmod(0o755)


def test_numbers_that_are_none_make_no_json_that_is_none(client: FlaskClient, tmp_path: Path) -> None:
    _damage(tmp_path / "runs" / _ID, _DAMAGED["seconds that are no number"])
    listed = json.loads(client.get("/api/runs").data, parse_constant=pytest.fail)
    assert listed["runs"][0]["seconds"] == 0


@pytest.mark.parametrize("page", ["9" * 40, "10001", "0", "-1", "-" + "9" * 40])
def test_a_page_beyond_all_is_not_there(client: FlaskClient, page: str) -> None:
    assert client.get(f"/runs?page={page}").status_code == 404
    assert client.get(f"/api/runs?page={page}").status_code == 422


def test_the_engine_lists_what_has_a_result(client: FlaskClient, engine: Engine, tmp_path: Path, run_id: str) -> None:
    (tmp_path / "runs" / _ID / "result.json").mkdir(parents=True)
    assert run_id in list(engine.runs.ids())
    assert client.get("/ask").status_code == 200


def _damage(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")


def _assert_listed(client: FlaskClient, run_id: str) -> None:
    for address in ("/runs", "/api/runs", "/ask", "/runs?state=finished", "/api/runs?state=finished"):
        response = client.get(address)
        assert response.status_code == 200, address
        assert run_id in response.text, address


def _assert_told(client: FlaskClient, place: Path) -> None:
    for address in _ADDRESSES:
        response = client.get(address)
        assert response.status_code in {200, 404, 500}, address
        if response.status_code == 500:
            assert "damaged" in response.text or "cannot be read" in response.text, (address, response.text)
        assert str(place) not in response.text, address
