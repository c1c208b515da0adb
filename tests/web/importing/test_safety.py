"""Imports that mean harm or meet misfortune: the server lives, and the home is as it was."""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.home import Home
from kg.sources import recorded
from tests.web.importing.conftest import BEARER, GRAPH, Send, form_token_of, zipped
from tests.web.importing.test_pages import text_of
from web.errors import ImportBusy
from web.importing.jobs import Upload, Uploads
from web.importing.limits import ImportLimits
from web.site import Site

ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY a "ha">{entities}]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">
<rdf:Description rdf:about="http://example.org/a"><e:p>&z;</e:p></rdf:Description></rdf:RDF>"""


def triples(count: int) -> bytes:
    return b"".join(b"<urn:a:%d> <urn:p> <urn:b:%d> .\n" % (i, i) for i in range(count))


def sources(home: Home) -> list[str]:
    with home.snapshot() as snapshot:
        return [source.slug for source in recorded(snapshot)]


def put(uploads: Uploads, name: str, content: bytes) -> Upload:
    with uploads.receiving() as folder:
        (folder / "files" / f"{name}.nt").write_bytes(content)
        return uploads.keep(folder, name=name, base="", strict=False)


def worker() -> int:
    """The process that reads an upload: a child of this one; 0 where there is none."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True
    ).stdout
    found = [line.split()[0] for line in listed.splitlines() if "web.importing.worker" in line]
    return int(found[0]) if found else 0


def kill_worker() -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if pid := worker():
            os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.01)
    pytest.fail("no process was reading the upload")


@pytest.mark.parametrize(
    "entities",
    [
        "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghz", strict=True)),
        '<!ENTITY z SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://127.0.0.1:9/x"> %p; <!ENTITY z "x">',
        f'<!ENTITY z "{"x" * 100_000}">',
    ],
)
def test_entity_bombs(send: Send, home: Home, entities: str) -> None:
    page = send({"bomb.rdf": ENTITIES.format(entities=entities).encode()})
    assert "Not imported" in text_of(page)
    assert "refused" in text_of(page)
    assert "root:" not in text_of(page)
    assert sources(home) == ["first"]


def test_nesting_without_end(send: Send, home: Home) -> None:
    for name, content in (
        ("set.zip", zipped({"set/dataset.toml": b"x = " + b"[" * 50_000})),
        ("deep.jsonld", b'{"@id":"urn:a","urn:p":' * 100_000 + b"1" + b"}" * 100_000),
    ):
        page = send({name: content})
        assert "Not imported" in text_of(page)
        assert "nested too deep" in text_of(page) or "Max stack size" in text_of(page)
    assert sources(home) == ["first"]


def test_a_literal_that_fills_the_memory(home: Home) -> None:
    uploads = Uploads(home, ImportLimits(memory_bytes=700 << 20, seconds=60))
    giant = b'<urn:a> <urn:p> "' + b"x" * (160 << 20) + b'" .\n'
    upload = put(uploads, "giant", giant)
    uploads.start(upload.id, publish=True)
    ended = uploads.wait(upload.id, seconds=90)
    assert not ended.running
    if ended.phase == "failed":
        assert ended.message
        assert sources(home) == ["first"]
    with home.write():
        pass  # nobody holds the lock


def test_a_process_that_takes_too_long(home: Home) -> None:
    uploads = Uploads(home, ImportLimits(seconds=0.2))
    upload = put(uploads, "slow", triples(10))
    uploads.start(upload.id, publish=True)
    ended = uploads.wait(upload.id, seconds=30)
    assert (ended.phase, "longer than" in ended.message) == ("failed", True)
    assert sources(home) == ["first"]


def test_a_killed_import_leaves_the_home_as_it_was(home: Home) -> None:
    uploads = Uploads(home, ImportLimits())
    upload = put(uploads, "large", triples(200_000))
    before = home.current()
    uploads.start(upload.id, publish=True)
    kill_worker()
    ended = uploads.wait(upload.id, seconds=30)
    assert ended.phase == "failed"
    assert (home.current(), sources(home)) == (before, ["first"])
    small = put(uploads, "small", triples(3))
    uploads.start(small.id, publish=True)
    assert uploads.wait(small.id, seconds=60).phase == "done"
    assert sources(home) == ["first", "small"]
    assert not list((home.path / "generations").glob("*.draft"))


def test_two_imports_at_once(client: FlaskClient, app: Flask, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from web.importing import pages

    monkeypatch.setattr(pages, "_WAIT_S", 0.0)
    uploads = Uploads(home, ImportLimits())
    first, second = put(uploads, "one", triples(200_000)), put(uploads, "two", triples(2))
    uploads.start(first.id, publish=False)
    with pytest.raises(ImportBusy, match="another import is running"):
        uploads.start(second.id, publish=False)
    page = client.post(f"/import/{second.id}/check", data={"form_token": form_token_of(client)})
    assert page.status_code == 503
    assert "Another import is running" in text_of(page)
    program = app.test_client()
    busy = program.post("/api/import?wait=0", data=GRAPH, content_type="text/turtle", headers=BEARER)
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "10")
    with pytest.raises(ImportBusy):
        uploads.discard(first.id)
    assert uploads.wait(first.id, seconds=60).phase == "checked"
    uploads.start(second.id, publish=False)
    assert uploads.wait(second.id, seconds=60).phase == "checked"


def test_another_process_that_writes(home: Home) -> None:
    uploads = Uploads(home, ImportLimits())
    upload = put(uploads, "one", triples(2))
    with home.write():
        uploads.start(upload.id, publish=False)
        told = uploads.wait(upload.id, seconds=60)
    assert told.phase == "received"
    assert "is being written to by process" in told.message
    uploads.start(upload.id, publish=False)
    assert uploads.wait(upload.id, seconds=60).phase == "checked"


def test_a_server_that_died_meanwhile(home: Home) -> None:
    uploads = Uploads(home, ImportLimits())
    upload = put(uploads, "one", triples(2))
    state = home.path / "uploads" / upload.id / "state.json"
    state.write_text(state.read_text().replace('"received"', '"checking"', 1))
    told = uploads.get(upload.id)
    assert (told.phase, told.message) == ("received", "It was broken off: the server stopped.")


def test_the_process_ends_with_its_server(home: Home, tmp_path: Path) -> None:
    uploads = Uploads(home, ImportLimits())
    upload = put(uploads, "large", triples(300_000))
    code = (
        "import sys, time; from pathlib import Path; from kg.home import Home;"
        "from web.importing.jobs import Uploads; from web.importing.limits import ImportLimits;"
        f"u = Uploads(Home(Path({str(home.path)!r})), ImportLimits()); u.start({upload.id!r}, publish=True);"
        "print('started', flush=True); time.sleep(60)"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline() == "started\n"
    time.sleep(0.5)
    server.kill()
    server.wait()
    server.stdout.close()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(Exception), home.write():
            break
        time.sleep(0.1)
    assert sources(home) in (["first"], ["first", "large"])  # whole or not at all
    assert not uploads.get(upload.id).running


def test_too_many_uploads_wait(home: Home) -> None:
    uploads = Uploads(home, ImportLimits(pending=2))
    for name in ("one", "two"):
        put(uploads, name, triples(1))
    with pytest.raises(ImportBusy, match="too many"):
        put(uploads, "three", triples(1))
    uploads.discard(uploads.all()[0].id)
    put(uploads, "three", triples(1))


def test_a_broken_request_leaves_nothing(home: Home) -> None:
    uploads = Uploads(home, ImportLimits())
    with pytest.raises(KeyError), uploads.receiving() as folder:
        (folder / "files" / "x.nt").write_bytes(b"x")
        raise KeyError
    assert [path.name for path in (home.path / "uploads").iterdir() if path.is_dir()] == []


def test_an_import_while_somebody_walks(client: FlaskClient, send: Send, site: Site) -> None:
    view = site.view
    answers: list[int] = []

    def look() -> None:
        answers.extend(client.get("/api/sources").status_code for _ in range(20))

    thread = threading.Thread(target=look)
    thread.start()
    page = send({"m.ttl": GRAPH})
    client.post(f"{page.request.path}/publish", data={"form_token": form_token_of(client)})
    thread.join()
    assert answers == [200] * 20
    # A walk keeps the view that it began with: the graph under it does not change.
    assert view.engine.store.select("SELECT ?s WHERE { ?s <http://example.org/madeOf> ?o }") == []
    assert len(site.view.engine.store.select("SELECT ?s WHERE { ?s <http://example.org/madeOf> ?o }")) == 1


def test_locks_are_let_go_of(home: Home) -> None:
    uploads = Uploads(home, ImportLimits())
    upload = put(uploads, "one", triples(2))
    uploads.start(upload.id, publish=True)
    uploads.wait(upload.id, seconds=60)
    end = time.monotonic() + 5
    handle = os.open(home.path / "uploads" / "lock", os.O_RDWR)
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            assert time.monotonic() < end
            time.sleep(0.05)
    os.close(handle)
