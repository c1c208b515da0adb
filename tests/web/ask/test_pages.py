"""What each address answers, over the bundled graph: the form, the run, the lists, the machine-readable forms."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask import Flask
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.errors import AgentError, EndpointUnreachable, MissingKey, SettingsError
from agents.report import result_to_json
from agents.roles import Policy, Question
from kg.errors import EndpointError, StoreError
from kg.store import EmbeddedStore
from ontology import terms
from sparql.graph import topic_entities
from tests.web.markup import Page
from tests.web.stage import GRAPH, finish, hostile_store, site_of, stage
from web.app import create_app
from web.ask.forms import BOUNDS, NUMBERS
from web.protection import HEADERS

QUESTION = "Which attack is this, and what may Zinogre do next?"
CAPTION = "It pounces in a long low arc, forelegs stretched out in front, and lands paws first."


@pytest.fixture
def bundled(bundled_app: Flask) -> FlaskClient:
    return bundled_app.test_client()


def ask(client: FlaskClient, **typed: str) -> str:
    """Asks, waits for the walk, and gives the address of the run."""
    response = client.post("/ask", data=typed)
    assert response.status_code == 303, response.get_data(as_text=True)
    finish(client.application, response.headers["Location"])
    return response.headers["Location"]


def test_the_form_offers_topics_and_questions_to_try(bundled: FlaskClient, bundled_store: EmbeddedStore) -> None:
    page = Page(bundled.get("/ask").get_data(as_text=True))
    topics = topic_entities(bundled_store)
    assert len(topics) == 22
    assert suggestions(page.html) == {topic.label: "" for topic in topics}
    assert page.all("input", id="topic")[0]["list"] == "topics"
    assert "How do the fireballs of Rathian and Pink Rathian differ?" in " ".join(page.text.split())


def test_every_field_has_a_label(bundled: FlaskClient) -> None:
    page = Page(bundled.get("/ask").get_data(as_text=True))
    fields = {field.get("id") for tag in ("input", "select", "textarea") for field in page.all(tag)} - {None}
    # No policy of this site sees, so there is no field for pictures.
    assert fields == {"question", "caption", "topic", "extra", "policy", "strategy", *NUMBERS}
    assert {attributes["for"] for attributes in page.all("label")} == fields


def test_every_example_fills_the_form_and_finds_a_route(bundled: FlaskClient) -> None:
    home = Page(bundled.get("/ask").get_data(as_text=True))
    links = [link["href"] for link in home.all("a") if "example=" in link["href"]]
    assert len(links) == 6
    for link in links:
        page = Page(bundled.get(link).get_data(as_text=True))
        topic = page.all("input", id="topic")[0]["value"]
        typed = dict(zip(("question", "caption", "extra"), textareas(page.html), strict=True))
        assert typed["question"]
        run = bundled.get(ask(bundled, topic=topic, **typed) + ".json").get_json()
        assert (run["topic"]["label"], run["topic_chosen"]) == (topic, False)
        assert run["paths"][0]["edges"], link
    assert bundled.get("/ask?example=7").status_code == 404
    assert bundled.get("/ask?example=0").status_code == 404


def test_where_nothing_fits_the_page_says_so_and_why(bundled: FlaskClient) -> None:
    address = ask(bundled, question="What is the capital of France?")
    page = " ".join(Page(bundled.get(address).get_data(as_text=True)).text.split())
    run = bundled.get(f"{address}.json").get_json()
    assert run["paths"] == []
    assert f"Nothing in the graph fits the question. The nearest topic is {run['topic']['label']}." in page
    assert f"Why: {run['unanswered']}." in page
    assert "No route was kept." in page
    assert bundled.get(f"{address}.ttl").status_code == 200
    assert "Nothing in the graph fits" in bundled.get("/runs").get_data(as_text=True)


def suggestions(html: str) -> dict[str, str]:
    """The topics that are suggested, as they would be filled in, each with what is shown beside it."""
    (held,) = re.findall(r'<datalist id="topics">(.*?)</datalist>', html, re.DOTALL)
    return dict(re.findall(r'<option value="([^"]*)">([^<]*)</option>', held))


def textareas(html: str) -> list[str]:
    return [text.removeprefix("\n") for text in re.findall(r"<textarea[^>]*>([^<]*)</textarea>", html)]


def test_a_run_shows_answer_routes_walk_and_cost(bundled: FlaskClient) -> None:
    address = ask(bundled, question=QUESTION, caption=CAPTION, extra="Zinogre is in its charged phase.", paths="3")
    page = Page(bundled.get(address).get_data(as_text=True))
    shown = " ".join(page.text.split())
    assert QUESTION in shown and CAPTION in shown
    assert "Zinogre (chosen by the policy)" in shown
    # the route, in the list and in the drawing
    assert "Leap Attack" in shown and "When the hunter is at its flank after the landing" in shown
    assert page.all("svg", role="img")[0]["aria-describedby"] == "drawing-text"
    assert "Route 1: Zinogre, has attack phase of (" in shown
    # what the graph says of the entities
    assert "Zinogre stands side-on to the hunter" in shown
    # the walk
    assert "Round 1" in shown and "Round 3" in shown
    assert re.search(r"Leap Attack score \d\.\d\d on a kept route", shown)
    assert "not followed" in shown and "on a kept route" in shown
    assert "VALUES ?entity { <https://w3id.org/scoutfly/mhw/id/zinogre> }" in shown
    # the cost
    assert re.search(r"Rounds [3-6] SPARQL queries [3-6] Calls \d+", shown)
    assert "at most 3 routes" in shown
    assert "The higher its score, the better a route fits the question." in shown


def test_a_run_as_json_and_its_trace(bundled: FlaskClient) -> None:
    address = ask(bundled, question=QUESTION, topic="Zinogre", strategy="dfs", paths="2")
    response = bundled.get(f"{address}.json")
    assert response.mimetype == "application/json"
    run = response.get_json()
    assert run["run"] == address.rsplit("/", 1)[-1]
    assert run["question"]["text"] == QUESTION
    bounds = {"depth": 6, "enough": None, "calls": 200, "tokens": None, "seconds": 240}
    assert run["settings"] == {"strategy": "dfs", "paths": 2, **bounds}
    assert run["policy"]["name"] == "builtin"
    trace = bundled.get(f"{address}/trace.jsonl")
    events = [json.loads(line) for line in trace.get_data(as_text=True).splitlines()]
    assert [event["kind"] for event in events][:1] == ["topic"]
    assert sum(event["kind"] == "round" for event in events) == run["rounds"] == len(run["queries"])


def test_a_run_can_be_asked_again_as_it_was(bundled: FlaskClient) -> None:
    address = ask(bundled, question=QUESTION, caption=CAPTION, topic="Zinogre", strategy="dfs", paths="7")
    page = Page(bundled.get(f"/ask?run={address.rsplit('/', 1)[-1]}").get_data(as_text=True))
    assert textareas(page.html) == [QUESTION, CAPTION, ""]
    selected = [option["value"] for option in page.all("option") if "selected" in option]
    assert selected == ["builtin", "dfs"]
    assert page.all("input", id="topic")[0]["value"] == "Zinogre"
    assert page.all("input", id="paths")[0]["value"] == "7"


def test_a_topic_that_leads_nowhere_is_a_route_of_one_entity(bundled: FlaskClient) -> None:
    address = ask(bundled, question="Which element?", topic="https://w3id.org/scoutfly/mhw/id/element/fire")
    page = Page(bundled.get(address).get_data(as_text=True))
    assert len(page.all("rect")) == 1
    assert "Fire" in page.text


def test_runs_are_listed_newest_first_and_in_pages(
    client: FlaskClient, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Nothing has been asked yet" in client.get("/runs").get_data(as_text=True)
    monkeypatch.setattr("web.ask.run_pages._PER_PAGE", 2)
    result = result_to_json(engine.ask(Question("q"), keep=False)[1])
    for number in range(3):
        run_id = f"2026010{number + 1}T000000Z-00000000"
        (tmp_path / "runs" / run_id).mkdir(parents=True)
        engine.runs.save(run_id, {**result, "run": run_id, "question": {"text": f"Question {number}"}})
    first, second = (client.get(f"/runs?page={page}").get_data(as_text=True) for page in (1, 2))
    assert re.findall(r"Question \d", first) == ["Question 2", "Question 1"]
    assert re.findall(r"Question \d", second) == ["Question 0"]
    assert client.get("/runs?page=3").status_code == 404
    assert "Question 2" in client.get("/ask").get_data(as_text=True)


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"question": "  \n "}, "question", "Write a question."),
        ({"question": "\u200b"}, "question", "The question is empty"),
        ({"question": "q" * (BOUNDS["question"] + 1)}, "question", "2,001 characters; 2,000 are the most"),
        ({"caption": "c" * (BOUNDS["caption"] + 1)}, "caption", "4,001 characters"),
        ({"extra": "e" * (BOUNDS["extra"] + 1)}, "extra", "The extra information has 4,001"),
        ({"topic": "Nessie"}, "topic", "No entity is called &#39;Nessie&#39;"),
        ({"policy": "oracle"}, "policy", "no policy called &#39;oracle&#39;"),
        ({"strategy": "random"}, "strategy", "choose bfs or dfs"),
        ({"paths": "0"}, "paths", "from 1 to 20"),
        ({"paths": "21"}, "paths", "from 1 to 20"),
        ({"paths": "many"}, "paths", "from 1 to 20"),
        ({"paths": "-3"}, "paths", "from 1 to 20"),
    ],
)
def test_what_cannot_be_asked_comes_back_with_a_line_and_all_that_was_typed(
    client: FlaskClient, typed: dict[str, str], field: str, said: str
) -> None:
    full = {"question": "Why?", "caption": "A tail.", "extra": "It is angry.", "paths": "4", "strategy": "dfs", **typed}
    response = client.post("/ask", data=full)
    assert response.status_code == 400
    html = response.get_data(as_text=True)
    page = Page(html)
    assert said in html
    assert "This could not be answered." in page.text
    at_fault = [attributes["id"] for _, attributes in page.tags if "aria-invalid" in attributes]
    assert at_fault == [field]
    assert [text.strip() for text in textareas(html)] == [
        full[name].strip() for name in ("question", "caption", "extra")
    ]
    assert page.all("input", id="paths")[0]["value"] == full["paths"]
    if "topic" in typed:
        assert page.all("input", id="topic")[0]["value"] == typed["topic"]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (EndpointUnreachable("nothing answers at http://127.0.0.1:9: is the server running?"), 502),
        (MissingKey("the endpoint wants a key: set SCOUTFLY_API_KEY"), 502),
        (SettingsError("the llm policy needs a model: give --model NAME"), 400),
        (EndpointError("the SPARQL endpoint did not answer"), 502),
        (StoreError("the query failed"), 500),
    ],
)
def test_a_failing_policy_or_store_is_one_line_in_the_form(tmp_path: Path, error: Exception, status: int) -> None:
    def fails(name: str) -> Policy:
        raise error

    client = create_app(site_of(stage(tmp_path, policy=fails, policies=("llm",)))).test_client()
    response = client.post("/ask", data={"question": "Why?", "caption": "A tail."})
    html = response.get_data(as_text=True)
    assert response.status_code == status
    assert str(error)[1:] in html
    assert textareas(html) == ["Why?", "A tail.", ""]
    assert any("aria-invalid" in attributes for _, attributes in Page(html).tags) == isinstance(error, AgentError)


def test_a_fault_of_ours_is_a_page_and_a_line_in_the_log(
    app: Flask, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks() -> str:
        raise RuntimeError("secret detail")

    app.add_url_rule("/breaks", "breaks", breaks)
    response = app.test_client().get("/breaks")
    assert response.status_code == 500
    assert "Something went wrong" in response.get_data(as_text=True)
    assert "secret detail" not in response.get_data(as_text=True)
    assert "secret detail" in caplog.text


def test_pages_for_what_is_not_there(client: FlaskClient) -> None:
    page = client.get("/nowhere")
    assert page.status_code == 404
    assert "There is nothing at this address." in page.get_data(as_text=True)
    refused = client.put("/ask")
    assert refused.status_code == 405
    assert set(refused.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
    problem = client.get("/runs/20260101T000000Z-00000000.json")
    assert (problem.status_code, problem.mimetype) == (404, "application/problem+json")
    assert problem.get_json()["detail"] == "There is no finished run 20260101T000000Z-00000000."


@pytest.mark.parametrize("path", ["/", "/runs", "/healthz", "/nowhere", "/ask", "/static/scoutfly.css", "/runs/x.json"])
def test_every_answer_has_the_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as response:
        headers = response.headers
    assert HEADERS.items() <= dict(headers).items()
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_an_empty_graph_has_a_page_and_says_so_when_asked(tmp_path: Path) -> None:
    engine = replace(stage(tmp_path), store=EmbeddedStore.from_quads([]))
    client = create_app(site_of(engine)).test_client()
    assert "This graph declares no topic entities" in client.get("/ask").get_data(as_text=True)
    response = client.post("/ask", data={"question": "Why?"})
    assert response.status_code == 400
    assert "This graph declares no topic entities" in response.get_data(as_text=True)


NO_TOPICS = "his graph declares no topic entities: name the entity to start from"


def test_a_graph_without_topic_entities_is_asked_by_label_or_iri(tmp_path: Path) -> None:
    engine = stage(tmp_path)
    plain = hostile_store(GRAPH.replace("sf:TopicEntity, ", ""))
    client = create_app(site_of(replace(engine, store=plain))).test_client()
    home = Page(client.get("/ask").get_data(as_text=True))
    assert "T" + NO_TOPICS in home.text
    assert home.all("datalist") == []
    assert "list" not in home.all("input", id="topic")[0]
    for topic in ("Other", "other", "http://example.org/other"):
        run = client.get(ask(client, question="Why?", topic=topic) + ".json").get_json()
        assert run["topic"]["iri"] == "http://example.org/other"
    response = client.post("/ask", data={"question": "Why?"})
    page = Page(response.get_data(as_text=True))
    assert response.status_code == 400
    assert "T" + NO_TOPICS in page.text
    assert page.all("input", id="topic")[0]["aria-invalid"] == "true"


def test_topics_that_share_a_name_are_suggested_by_iri(tmp_path: Path) -> None:
    lines = "".join(
        f'<{iri}> a <{terms.TOPIC_ENTITY.value}> ; <{terms.RDFS_LABEL.value}> "{label}" .\n'
        for iri, label in (("urn:a", "Same"), ("urn:b", "same"), ("urn:c", "Alone"))
    )
    store = EmbeddedStore.from_quads(ox.parse(lines, format=ox.RdfFormat.TURTLE))
    client = create_app(site_of(replace(stage(tmp_path), store=store))).test_client()
    assert suggestions(client.get("/ask").get_data(as_text=True)) == {"urn:a": "Same", "urn:b": "same", "Alone": ""}


def test_a_policy_that_cannot_be_had_is_shown_and_cannot_be_chosen(tmp_path: Path) -> None:
    engine = replace(stage(tmp_path), missing={"llm": "start the server with --model"})
    client = create_app(site_of(engine)).test_client()
    page = Page(client.get("/ask").get_data(as_text=True))
    assert "disabled" in page.all("option", value="llm")[0]
    assert "disabled" not in page.all("option", value="all")[0]
    assert "llm (start the server with --model)" in " ".join(page.text.split())
    response = client.post("/ask", data={"question": "Why?", "policy": "llm"})
    assert response.status_code == 400
    assert "There is no llm policy here: start the server with --model." in response.get_data(as_text=True)
