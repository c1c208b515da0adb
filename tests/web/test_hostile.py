"""Input that means harm: markup in every text, run ids that are paths, too much of it, forms sent from elsewhere."""

import json
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from agents.engine import Engine
from tests.web.markup import Page
from tests.web.stage import stage
from web.app import create_app
from web.site import Site, WebSettings

SCRIPT = "</textarea></title><script>alert(1)</script>"


def test_markup_in_labels_facts_and_answers_stays_text(client: FlaskClient, run_id: str) -> None:
    page = Page(client.get(f"/runs/{run_id}").get_data(as_text=True))
    page.check_harmless()
    for text in (
        "<script>alert('q')</script>",  # the question
        "Top <script>alert('label')</script>",
        "<img src=x onerror=alert('context')>",
        "Kind <style>*{display:none}</style>",
        "\"><svg onload=alert('leaf')>",
        "<b>caption</b> {{ 'xy' * 3 }}",
        "leads <u>to</u>",
        "when </title><script>alert('fact')</script>",
        "<iframe src=//evil.example>",
        "javascript:alert('evidence')",
        "<script>alert('answer')</script>",
        "fake <model>",
    ):
        assert text in page.text, text
    assert "xyxyxy" not in page.text  # no text is taken for a template


def test_markup_in_what_was_typed_comes_back_as_text(client: FlaskClient) -> None:
    typed = dict.fromkeys(("question", "extra", "caption", "topic", "policy", "paths", "strategy"), SCRIPT)
    for fields in (typed, typed | {"policy": "all", "strategy": "bfs", "paths": "5"}):
        response = client.post("/ask", data=fields)
        page = Page(response.get_data(as_text=True))
        assert response.status_code == 400
        page.check_harmless()
        assert page.text.count(SCRIPT) >= 3


def test_lists_of_runs_with_markup_in_them(client: FlaskClient, run_id: str) -> None:
    for path in ("/ask", "/runs", f"/ask?run={run_id}"):
        page = Page(client.get(path).get_data(as_text=True))
        page.check_harmless()
        assert "<script>alert('q')</script>" in page.text


@pytest.mark.parametrize(
    "odd",
    [
        "../../etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e",
        "..",
        "20260101T000000Z-0000000g",
        "20260101T000000Z-00000000%00",
        "20260101T000000Z-00000000%0a",
        "\u0662\u0660\u0662\u0666\u0660\u0661\u0660\u0661T000000Z-00000000",
        "<script>alert(1)</script>",
        "x" * 5000,
        "trace.jsonl",
    ],
)
@pytest.mark.parametrize("form", ["/runs/{}", "/runs/{}.json", "/runs/{}/trace.jsonl", "/ask?run={}"])
def test_odd_run_ids_are_not_found(client: FlaskClient, odd: str, form: str) -> None:
    response = client.get(form.format(odd))
    assert response.status_code == 404
    if response.mimetype == "text/html":
        Page(response.get_data(as_text=True)).check_harmless()
    assert "root:" not in response.get_data(as_text=True)


def test_a_folder_that_is_no_run_is_passed_over(client: FlaskClient, tmp_path: Path, run_id: str) -> None:
    (tmp_path / "runs" / "not-a-run").mkdir()
    shutil.copy(tmp_path / "runs" / run_id / "result.json", tmp_path / "runs" / "not-a-run")
    assert client.get("/runs/not-a-run").status_code == 404
    listed = client.get("/runs").get_data(as_text=True)
    assert run_id in listed
    assert "not-a-run" not in listed


def test_too_much_text_is_refused_unread(client: FlaskClient, engine: Engine) -> None:
    response = client.post("/ask", data={"question": "q" * 300_000})
    assert response.status_code == 413
    assert "more than may be sent to this address" in response.get_data(as_text=True)
    assert list(engine.runs.ids()) == []


def test_too_many_fields_are_refused(client: FlaskClient) -> None:
    parts = {f"field{number}": (None, "x") for number in range(2000)}
    body = "".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\nx\r\n' for name in parts) + "--b--\r\n"
    response = client.post("/ask", data=body, content_type="multipart/form-data; boundary=b")
    assert response.status_code == 413


def test_the_longest_texts_that_the_form_takes_arrive(client: FlaskClient, engine: Engine) -> None:
    # three bytes a letter, nine once percent-encoded
    typed = {"question": "竜" * 2000, "extra": "竜" * 4000, "caption": "竜" * 4000}
    response = client.post("/ask", data=typed)
    assert response.status_code == 303
    assert client.get(response.headers["Location"]).status_code == 200


def test_control_characters_and_line_ends_are_tidied(client: FlaskClient) -> None:
    response = client.post("/ask", data={"question": " a\x00b\x1b[31m\r\nc\u2028d\u0085e ", "caption": "e\u0301"})
    run = client.get(response.headers["Location"] + ".json").get_json()
    assert run["question"]["text"] == "ab[31m\nc\u2028de"
    assert run["question"]["caption"] == "\u00e9"


def test_a_text_with_the_line_ends_of_unicode_does_not_break_the_trace(client: FlaskClient) -> None:
    response = client.post("/ask", data={"question": "a\u2028b", "caption": "c\u2029d"})
    address = response.headers["Location"]
    assert client.get(address).status_code == 200
    trace = client.get(f"{address}/trace.jsonl").get_data(as_text=True)
    assert all(json.loads(line)["kind"] for line in trace.split("\n") if line)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_a_form_sent_from_elsewhere_is_refused(client: FlaskClient, engine: Engine, headers: dict[str, str]) -> None:
    response = client.post("/ask", data={"question": "Why?"}, headers=headers)
    assert response.status_code == 403
    assert "came from the page of another site" in response.get_data(as_text=True)
    assert list(engine.runs.ids()) == []


@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": "http://localhost"}]
)
def test_a_form_of_our_own_is_taken(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/ask", data={"question": "Why?"}, headers=headers).status_code == 303


def test_a_name_that_was_made_to_point_here_is_refused(tmp_path: Path) -> None:
    app = create_app(Site(lambda: stage(tmp_path), settings=WebSettings(hosts=("localhost", "127.0.0.1", "::1"))))
    client = app.test_client()
    for host in ("localhost", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8000"):
        assert client.get("/ask", headers={"Host": host}).status_code == 200, host
    for host in ("evil.example", "localhost.evil.example", "evil.example:8000", "127.0.0.1.nip.io"):
        assert client.get("/ask", headers={"Host": host}).status_code == 421, host
    assert client.get("/ask", headers={"Host": "a b<script>"}).status_code in {400, 421}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_are_refused(client: FlaskClient, method: str) -> None:
    assert client.open("/ask", method=method).status_code == 405


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "[]",
        "null",
        '{"run": "x"}',
        '{"run": 7, "question": null}',
        "\x00",
    ],
)
def test_a_damaged_run_is_a_page_of_its_own_and_takes_no_other_away(
    client: FlaskClient, tmp_path: Path, run_id: str, damage: str
) -> None:
    damaged = "20260101T000000Z-00000000"
    folder = tmp_path / "runs" / damaged
    folder.mkdir()
    (folder / "result.json").write_text(damage, encoding="utf-8")
    response = client.get(f"/runs/{damaged}")
    assert response.status_code in {404, 500}
    assert "damaged" in response.get_data(as_text=True) or "cannot be read" in response.get_data(as_text=True)
    for path in ("/ask", "/runs"):
        assert run_id in client.get(path).get_data(as_text=True)


@pytest.mark.parametrize(
    ("damage", "status", "says"),
    [
        ('{"kind": "round"}\n', 500, "The trace of run"),
        ('{"kind": \n', 404, "is damaged"),
        ('"text"\n', 404, "is damaged"),
    ],
)
def test_a_damaged_trace_is_said_to_be_so(
    client: FlaskClient, tmp_path: Path, run_id: str, *, damage: str, status: int, says: str
) -> None:
    (tmp_path / "runs" / run_id / "trace.jsonl").write_text(damage, encoding="utf-8")
    response = client.get(f"/runs/{run_id}")
    assert response.status_code == status
    assert says in response.get_data(as_text=True)
