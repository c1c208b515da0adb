"""A full or damaged disk, as it is told to who asks: in a sentence, with 507 or 503, and without places on the disk."""

import errno
import io
import os
from pathlib import Path
from typing import NoReturn

import pytest
from flask.testing import FlaskClient
from werkzeug.exceptions import InternalServerError

from agents import room
from kg.errors import DiskFull, HomeDamaged
from sparql.errors import CannotGuard, NoRoom
from sparql.guard.frames import error_of, error_reply
from sparql.guard.postmortem import Killed, as_error
from tests.web.entity.conftest import imported, png
from tests.web.stage import site_of, stage
from web.app import create_app
from web.problems import problem_of


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    """Pages over the hostile graph, without a home."""
    return create_app(site_of(stage(tmp_path / "runs", policies=("all",)))).test_client()


@pytest.fixture
def at_home(tmp_path: Path) -> FlaskClient:
    """Pages over a home."""
    app = imported(tmp_path, {"a": '<x> a sf:Entity ; rdfs:label "X" ; sf:hasMedia <m> . <m> a sf:Image .'})
    return app.test_client()


def _no_space(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/secret/place")


@pytest.mark.parametrize("what", ["os.fsync", "pathlib.Path.mkdir", "agents.started.Occupation"])
def test_a_question_that_finds_no_room_is_507_and_leaves_nothing(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(what, _no_space)
        answers = [client.post("/ask", data={"question": "Why?"}), client.post("/api/ask", json={"question": "Why?"})]
    for answer in answers:
        assert answer.status_code == 507
        assert "disk of this server is full" in answer.text
        assert "/secret" not in answer.text
    runs = tmp_path / "runs"
    assert not runs.exists() or not list(runs.iterdir())


def test_pictures_without_room_are_507_on_the_form(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_BYTES", 10)
    typed = {"question": "Why?", "caption": "a dragon", "images": (io.BytesIO(png()), "a.png")}
    answer = client.post("/ask", data=typed, content_type="multipart/form-data")
    assert answer.status_code == 507
    assert "that is used up" in answer.text


@pytest.mark.parametrize(
    "error",
    [
        DiskFull("/secret/home is full"),
        NoRoom("full"),
        OSError(errno.ENOSPC, "No space left on device", "/secret"),
        RuntimeError("IO error: No space left on device: /secret/000001.log"),
        InternalServerError(original_exception=OSError(errno.EDQUOT, "Disk quota exceeded", "/secret")),
    ],
    ids=repr,
)
def test_all_that_says_that_the_disk_is_full_is_507(error: Exception) -> None:
    problem = problem_of(error)
    assert (problem.status, problem.kind, problem.title) == (507, "disk-full", "Insufficient Storage")
    assert "/secret" not in problem.detail


def test_a_writer_tells_of_a_full_disk() -> None:
    assert isinstance(error_of(error_reply(NoRoom("full"))), NoRoom)


def test_a_download_without_room_is_507_and_may_be_asked_for_again(
    at_home: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("web.download.files.run_apart", lambda *_, **__: {"full": True})
        assert at_home.get("/download/graph.nq").status_code == 507
    assert at_home.get("/download/graph.nq").status_code == 200


@pytest.mark.parametrize("said", ["x", "99\n"])
def test_a_home_that_is_damaged_is_503_everywhere(at_home: FlaskClient, tmp_path: Path, said: str) -> None:
    assert at_home.get("/").status_code == at_home.get("/healthz").status_code == 200
    (tmp_path / "home" / "CURRENT").write_text(said, encoding="ascii")
    for address in (
        "/",
        "/healthz",
        "/ask",
        "/search?q=x",
        "/download/graph.nq",
        "/entity?iri=http://example.org/id/x",
    ):
        answer = at_home.get(address)
        assert answer.status_code == 503, (address, answer.text)
        assert str(tmp_path) not in answer.text
    assert at_home.get("/healthz").get_json()["status"] == "failing"


def test_a_pages_media_are_left_out_where_their_places_are_not_known(
    at_home: FlaskClient, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "home" / "media-roots.json").write_text("[" * 100_000, encoding="ascii")
    answer = at_home.get("/entity?iri=http://example.org/id/x", follow_redirects=True)
    assert answer.status_code == 200
    assert "without media" in caplog.text


@pytest.mark.parametrize("error", [HomeDamaged("/secret/CURRENT"), CannotGuard("/secret/3 cannot be read")])
def test_what_is_damaged_is_told_without_its_place(error: Exception) -> None:
    problem = problem_of(error)
    assert problem.status == 503
    assert "/secret" not in problem.detail


def test_a_writer_that_was_killed_is_503_and_nothing_is_claimed() -> None:
    problem = problem_of(as_error(Killed("a worker was killed")))
    assert problem.status == 503
    assert dict(problem.headers)["Retry-After"] == "5"
    assert "is not known" in problem.detail
    assert "nothing was changed" not in problem.detail
