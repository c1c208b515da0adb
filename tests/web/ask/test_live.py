"""A walk as it happens: in the background, on its page, as a stream of events; stopped, failed, killed, too many."""

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from agents.engine import Engine
from agents.errors import EndpointFailed
from agents.roles import Question
from agents.run_status import RunStatus, is_occupied, write_status
from tests.web.ask.conftest import Gate
from tests.web.markup import Page
from tests.web.stage import finish
from web.ask.stream import Streams, streams_of
from web.ask.walks import walks_of


@pytest.fixture
def client(gated: Flask) -> FlaskClient:
    return gated.test_client()


def begin(client: FlaskClient, **typed: str) -> str:
    """Asks, and gives the address of the run, which waits at the gate."""
    response = client.post("/ask", data={"question": "Where to?", "topic": "http://example.org/root", **typed})
    assert response.status_code == 303, response.get_data(as_text=True)
    return response.headers["Location"]


class Watched:
    """A stream that is read event by event."""

    def __init__(self, client: FlaskClient, address: str, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.response: TestResponse = client.get(address, headers=named, buffered=False)
        self._chunks: Iterator[bytes] = iter(self.response.response)  # type: ignore[arg-type]
        self.comments: list[str] = []

    def __iter__(self) -> Iterator[dict[str, str]]:
        """The fields of each event as they come."""
        for chunk in self._chunks:
            lines = bytes(chunk).decode().strip("\n").split("\n")
            event = dict(line.split(": ", 1) for line in lines if not line.startswith(":"))
            self.comments += [line for line in lines if line.startswith(":")]
            if "data" in event:
                yield event

    def take(self, count: int) -> list[dict[str, str]]:
        events = iter(self)
        return [next(events) for _ in range(count)]

    def close(self) -> None:
        self.response.close()


def kinds(events: list[dict[str, str]]) -> list[str]:
    return [event.get("event") or json.loads(event["data"])["kind"] for event in events]


def test_the_events_come_as_they_happen_and_end_with_done(client: FlaskClient, gate: Gate) -> None:
    address = begin(client)
    watched = Watched(client, f"{address}/events")
    assert watched.response.mimetype == "text/event-stream"
    assert watched.response.headers["Cache-Control"] == "no-store"
    assert kinds(watched.take(2)) == ["topic", "round"]
    gate.await_call("expander root")
    gate.let()
    (expanded,) = watched.take(1)
    assert [offer["label"] for offer in json.loads(expanded["data"])["chosen"]] == ["a", "b"]
    assert expanded["id"] == "2"
    gate.open()
    rest = list(watched)
    assert kinds(rest)[-2:] == ["answered", "done"]
    done = json.loads(rest[-1]["data"])
    assert (done["state"], done["answer"]) == ("finished", "root>b, root>a>c")
    # the places count through, and done repeats the last: a browser that comes back has missed nothing
    assert [int(event["id"]) for event in rest] == [*range(3, 3 + len(rest) - 1), 3 + len(rest) - 2]


def test_a_client_that_comes_back_goes_on_where_it_was(client: FlaskClient, gate: Gate) -> None:
    address = begin(client)
    Watched(client, f"{address}/events").close()
    gate.open()
    finish(client.application, address)
    whole = list(Watched(client, f"{address}/events"))
    for place in ("0", "3", whole[-2]["id"]):
        rest = list(Watched(client, f"{address}/events", Last_Event_ID=place))
        assert rest == whole[int(place) + 1 :]
    assert list(Watched(client, f"{address}/events?after=3")) == whole[4:]
    for odd in ("-1", "x", "9" * 30, "1.5", "٣"):
        assert list(Watched(client, f"{address}/events?after={odd}")) == whole
    assert kinds(list(Watched(client, f"{address}/events", Last_Event_ID="999"))) == ["done"]


def test_two_watch_one_walk_and_a_third_is_told_to_wait(client: FlaskClient, gate: Gate) -> None:
    address = begin(client)
    first, second = Watched(client, f"{address}/events"), Watched(client, f"{address}/events")
    assert kinds(first.take(2)) == kinds(second.take(2)) == ["topic", "round"]
    third = client.get(f"{address}/events")
    assert (third.status_code, third.headers["Retry-After"]) == (503, "5")
    first.close()  # gone
    gate.open()
    assert kinds(list(second))[-1] == "done"
    assert kinds(list(Watched(client, f"{address}/events")))[-1] == "done"


def test_a_stream_that_was_read_to_its_end_leaves_its_place(client: FlaskClient, gate: Gate) -> None:
    gate.open()
    address = begin(client)
    finish(client.application, address)
    for _ in range(5):
        assert client.get(f"{address}/events").get_data(as_text=True).count("event: done") == 1


def test_streams_end_when_the_server_does_and_by_themselves(client: FlaskClient, gated: Flask, gate: Gate) -> None:
    address = begin(client)
    watched = Watched(client, f"{address}/events")
    watched.take(2)
    threading.Timer(0.1, streams_of(gated).close).start()
    began = time.monotonic()
    assert list(watched) == []
    assert time.monotonic() - began < 2
    gated.extensions["scoutfly.streams"] = Streams(2, look_s=0.01, life_s=0.1)
    assert kinds(list(Watched(client, f"{address}/events"))) == ["topic", "round"]


def test_the_line_is_kept_alive(client: FlaskClient, monkeypatch: pytest.MonkeyPatch, gate: Gate) -> None:
    monkeypatch.setattr("web.ask.stream._HEARTBEAT_S", 0.05)
    address = begin(client)
    watched = Watched(client, f"{address}/events")
    threading.Timer(0.3, gate.open).start()
    list(watched)
    assert watched.comments[:1] == [": the walk goes on"]


def test_the_page_of_a_walk_under_way(client: FlaskClient, gate: Gate) -> None:
    address = begin(client, extra="It is angry.", caption="A tail.")
    gate.await_call("expander root")
    gate.let()
    gate.await_call("validator root>a")
    response = client.get(address)
    page = Page(response.get_data(as_text=True))
    shown = " ".join(page.text.split())
    assert response.headers["Cache-Control"] == "no-store"
    assert "Where to?" in shown and "It is angry." in shown and "A tail." in shown
    assert "The walk running" in shown
    assert "root 2 of 2 followed" in shown
    (section,) = [attributes for name, attributes in page.tags if "data-events" in attributes]
    assert section["data-events"] == f"{address}/events"
    # without scripts it looks again by itself, and can stop the walk
    assert page.all("meta", **{"http-equiv": "refresh"})[0]["content"] == "2"
    assert page.all("form", action=f"{address}/stop")[0]["method"] == "post"
    assert page.all("p", role="status")[0]["aria-live"] == "polite"
    assert [script["type"] for script in page.all("script") if "ask.js" in script["src"]] == ["module"]


def test_a_walk_is_stopped_by_its_button(client: FlaskClient, gate: Gate, gated_engine: Engine) -> None:
    address = begin(client)
    gate.await_call("expander root")
    gate.let()
    gate.await_call("validator root>a")
    watched = Watched(client, f"{address}/events")
    response = client.post(f"{address}/stop")
    assert (response.status_code, response.headers["Location"]) == (303, address)
    # the calls that are under way are abandoned, not waited for
    assert json.loads(list(watched)[-1]["data"])["state"] == "stopped"
    assert gated_engine.runs.status(address.rsplit("/", 1)[-1]).state == "stopped"
    shown = " ".join(Page(client.get(address).get_data(as_text=True)).text.split())
    assert "The walk was stopped before an answer was written." in shown
    assert "Route 1" in shown
    assert client.post(f"{address}/stop").status_code == 303  # it is over: no matter
    gate.open()
    finish(client.application, address)
    assert not any("summarizer" in call for call in gate.waiting)


def test_the_page_says_when_a_walk_is_being_stopped(client: FlaskClient, gate: Gate, gated_engine: Engine) -> None:
    run = gated_engine.begin(Question("Where to?", "http://example.org/root"), policy="fake")
    client.post(f"/runs/{run.run_id}/stop")
    waiting = Page(client.get(f"/runs/{run.run_id}").get_data(as_text=True))
    assert "A call that a model is at is abandoned; it may still be billed." in " ".join(waiting.text.split())
    assert "disabled" in waiting.all("button", **{"class": "danger small"})[0]
    run.abandon("given up")


def test_abandoned_calls_keep_the_place_of_their_walk(client: FlaskClient, gate: Gate) -> None:
    addresses = [begin(client), begin(client)]
    gate.await_call("expander root")
    for address in addresses:
        client.post(f"{address}/stop")
        assert '"state": "stopped"' in client.get(f"{address}/events").get_data(as_text=True)
    typed = {"question": "A third?", "topic": "http://example.org/root"}
    assert client.post("/ask", data=typed).status_code == 503
    gate.open()
    for address in addresses:
        finish(client.application, address)
    assert client.post("/ask", data=typed).status_code == 303


def test_a_strangers_page_cannot_stop_a_walk(client: FlaskClient, gate: Gate) -> None:
    address = begin(client)
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
        assert client.post(f"{address}/stop", headers=headers).status_code == 403
        assert client.post(f"/api{address}/stop", headers=headers).status_code == 403
    assert client.get(f"{address}/stop").status_code == 405
    gate.open()
    finish(client.application, address)
    assert "root>b" in client.get(f"{address}.json").get_json()["answer"]


def test_a_run_that_failed_says_why_and_keeps_its_trace(client: FlaskClient, gate: Gate) -> None:
    address = begin(client)
    gate.await_call("expander root")
    gate.let()
    gate.await_call("validator root>a")
    gate.fault = EndpointFailed("the endpoint <b>failed</b> five times")
    watched = Watched(client, f"{address}/events")
    gate.open()
    done = json.loads(list(watched)[-1]["data"])
    assert (done["state"], done["problem"]) == ("failed", "the endpoint <b>failed</b> five times")
    response = client.get(address)
    page = Page(response.get_data(as_text=True))
    assert response.status_code == 200
    assert "The question could not be answered. the endpoint <b>failed</b> five times" in " ".join(page.text.split())
    assert "root 2 of 2 followed" in " ".join(page.text.split())
    assert page.all("meta", **{"http-equiv": "refresh"}) == []
    assert client.get(f"{address}/trace.jsonl").get_data(as_text=True).count('"kind": "expanded"') == 1
    assert client.get(f"{address}.json").status_code == 404
    assert "prov:Activity" in client.get(f"{address}.ttl").get_data(as_text=True)
    again = Page(client.get(f"/ask?run={address.rsplit('/', 1)[-1]}").get_data(as_text=True))
    assert "Where to?" in again.text


def test_a_fault_of_ours_is_logged_and_is_a_failed_run(
    client: FlaskClient, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    gate.fault = RuntimeError("no such thing")
    gate.open()
    address = begin(client)
    finish(client.application, address)
    assert "The question could not be answered." in client.get(address).get_data(as_text=True)
    assert "no such thing" in caplog.text


def test_a_run_whose_process_died_is_shown_as_unfinished(client: FlaskClient, tmp_path: Path) -> None:
    run_id = "20260101T000000Z-00000000"
    folder = tmp_path / "runs" / run_id
    folder.mkdir(parents=True)
    write_status(folder, RunStatus("running", "Where to?", policy="fake"))
    (folder / "lock").touch()  # a killed process leaves it, and holds it no more
    line = '{"kind": "topic", "seconds": 0.1, "topic": "http://example.org/root", "label": "root"}\n{"kind": "rou'
    (folder / "trace.jsonl").write_text(line, encoding="utf-8")
    assert not is_occupied(folder)
    page = Page(client.get(f"/runs/{run_id}").get_data(as_text=True))
    assert "The run is unfinished." in page.text
    assert page.all("form", action=f"/runs/{run_id}/stop") == []
    assert kinds(list(Watched(client, f"/runs/{run_id}/events"))) == ["topic", "done"]
    assert "Where to? unfinished" in " ".join(Page(client.get("/runs").get_data(as_text=True)).text.split())


def test_too_many_walks_are_refused_with_what_was_typed(client: FlaskClient, gate: Gate, gated_engine: Engine) -> None:
    addresses = [begin(client), begin(client)]
    response = client.post("/ask", data={"question": "A third?", "topic": "http://example.org/root"})
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    html = response.get_data(as_text=True)
    assert "As many questions are being answered as this server takes at once" in html
    assert "A third?" in html
    assert len(gated_engine.runs.all_ids()) == 2
    gate.open()
    for address in addresses:
        finish(client.application, address)
    finish(client.application, begin(client))


def test_a_question_that_cannot_be_asked_takes_no_place(client: FlaskClient) -> None:
    for _ in range(5):
        assert client.post("/ask", data={"question": "Why?", "topic": "nobody"}).status_code == 400
    begin(client)


def test_the_server_stops_its_walks(gated: Flask, gate: Gate, gated_engine: Engine) -> None:
    client = gated.test_client()
    address = begin(client)
    gate.await_call("expander root")
    assert not walks_of(gated).close(wait_s=0.05)
    assert client.post("/ask", data={"question": "Why?", "topic": "root"}).status_code in {400, 503}
    gate.open()
    assert walks_of(gated).close()
    assert gated_engine.runs.status(address.rsplit("/", 1)[-1]).state == "stopped"


def test_a_walk_goes_on_over_the_graph_that_it_began_with(client: FlaskClient, gate: Gate) -> None:
    address = begin(client)
    gate.await_call("expander root")
    gate.open()
    finish(client.application, address)
    assert client.get(f"{address}.json").get_json()["topic"]["label"] == "root"


def test_runs_are_listed_by_state_and_policy(client: FlaskClient, gate: Gate) -> None:
    running = begin(client)
    html = client.get("/runs").get_data(as_text=True)
    assert re.search(r'badge">running', html)
    assert running in client.get("/runs?state=running").get_data(as_text=True)
    assert running not in client.get("/runs?state=finished").get_data(as_text=True)
    assert running in client.get("/runs?policy=fake").get_data(as_text=True)
    assert running not in client.get("/runs?policy=other").get_data(as_text=True)
    assert client.get("/runs?state=dancing").status_code == 404
    gate.open()
    finish(client.application, running)
    html = client.get("/runs?state=finished").get_data(as_text=True)
    assert "root&gt;b, root&gt;a&gt;c" in html
    assert re.search(r"fake · \d\.\d\d s, \d calls, \d+ tokens", " ".join(Page(html).text.split()))


def test_a_finished_walk_can_be_watched_again(client: FlaskClient, gate: Gate) -> None:
    gate.open()
    address = begin(client)
    finish(client.application, address)
    assert f"{address}?watch=1" in client.get(address).get_data(as_text=True)
    page = Page(client.get(f"{address}?watch=1").get_data(as_text=True))
    (section,) = [attributes for name, attributes in page.tags if "data-events" in attributes]
    assert "data-replay" in section
    assert page.all("a", href=address)


@pytest.mark.parametrize(
    "form", ["/runs/{}/events", "/runs/{}.ttl", "/runs/{}/media/image-1.png", "/api/runs/{}/events"]
)
def test_what_is_no_run_has_no_events(client: FlaskClient, form: str) -> None:
    for odd in ("20260101T000000Z-00000000", "..", "x", "%2e%2e"):
        assert client.get(form.format(odd)).status_code in {404, 422}
    assert client.post("/runs/20260101T000000Z-00000000/stop").status_code == 404


def test_a_machine_without_threads_leaves_no_run_under_way(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, gate: Gate, gated_engine: Engine
) -> None:
    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", fail)
        for _ in range(3):
            assert client.post("/ask", data={"question": "Why?", "topic": "http://example.org/root"}).status_code == 500
    assert {gated_engine.runs.status(run_id).state for run_id in gated_engine.runs.all_ids()} == {"failed"}
    begin(client)
