"""A question: asked, its walk watched as it goes on, stopped, read as routes, listed, and taken along."""

import json

import pyoxigraph as ox
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.web.flows.conftest import Visitor

pytestmark = pytest.mark.browser


def test_a_question_is_answered_and_its_steps_lead_to_entities(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.one("#question").send_keys("Which attack follows a Triple Rush Attack of Rathian?")
    topic = visitor.one("#topic")
    topic.send_keys("Rathi")
    visitor.one("[role=option]")
    topic.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert topic.get_attribute("value") in {"Rathian", "Pink Rathian"}
    visitor.click("Ask", within="main form")
    visitor.until(lambda: visitor.path.startswith("/runs/"))
    answer = visitor.until(lambda: next(iter(visitor.all(".answer p")), None)).text
    assert answer
    assert visitor.one("svg.routes").accessible_name == "The routes, drawn"
    link = visitor.one(".step-links a")
    name = link.text.removeprefix("entity").strip()
    link.click()
    visitor.until(lambda: visitor.path.startswith("/id/bundled-mhw/"))
    assert visitor.one("h1").text == name


def test_a_walk_is_watched_while_it_goes_on_and_ends_on_the_answer(visitor: Visitor) -> None:
    model = visitor.premises.model
    with model.held():
        ask(visitor, "What comes before the tea?")
        model.await_question(1)
        visitor.until(lambda: "Kettle" in visitor.one("#steps").text)
        assert "Answer" not in visitor.text
        model.let()
        visitor.until(lambda: "Fill with water" in visitor.one("#steps").text, "the first step")
        visitor.until(lambda: int(visitor.one("[data-count=calls]").text) >= 1)
        visitor.one("#walk-graph canvas")
        assert visitor.one("#said").get_attribute("aria-live") == "polite"
        model.let(1000)
        visitor.until(lambda: visitor.all(".answer"), "the answer")
    assert "Boil, then pour." in visitor.one(".answer").text
    visitor.click("Watch the walk")
    visitor.until(lambda: visitor.one("#said").text == "That was the walk.", "the replay")
    assert "Boil" in visitor.one("#steps").text
    visitor.click("The answer")
    visitor.one(".answer")


def test_a_walk_is_stopped_and_says_so(visitor: Visitor) -> None:
    model = visitor.premises.model
    with model.held():
        ask(visitor, "What will never be known of tea?")
        model.await_question(1)
        model.let()
        visitor.until(lambda: "Fill with water" in visitor.one("#steps").text, "the first step")
        visitor.click("Stop")
        visitor.until(lambda: visitor.one("#said").text.startswith("Stopping"))
        model.let(1000)
        visitor.until(lambda: visitor.all(".answer"), "what was found until then")
    assert "stopped" in visitor.one(".answer").text
    visitor.go("/runs")
    assert "stopped" in visitor.one(".runs li").text


def test_a_run_is_listed_and_taken_along_as_json_and_turtle(visitor: Visitor, finished_run: str) -> None:
    visitor.go("/runs")
    here = visitor.browser.find_element(By.CSS_SELECTOR, f".runs a[href='{finished_run}']")
    here.click()
    visitor.until(lambda: visitor.path == finished_run)
    links = {link.text: link.get_attribute("href") for link in visitor.all("#cost ~ p a, main a")}
    identifier = finished_run.rpartition("/")[2]
    assert str(links["This run as JSON"]).endswith(f"{identifier}.json")
    visitor.go(f"{finished_run}.json")
    told = json.loads(str(visitor.run("return document.body.innerText")))
    assert identifier in json.dumps(told)
    turtle = visitor.run("const answer = await fetch(arguments[0]); return await answer.text()", f"{finished_run}.ttl")
    triples = list(ox.parse(str(turtle), format=ox.RdfFormat.TURTLE))
    assert any(triple.object == ox.NamedNode("http://www.w3.org/ns/prov#Activity") for triple in triples)


def ask(visitor: Visitor, question: str) -> None:
    """Asks the model, from the kettle."""
    visitor.go("/ask")
    visitor.one("#question").send_keys(question)
    visitor.one("#topic").send_keys("Kettle")
    visitor.one("#policy").find_element(By.CSS_SELECTOR, "option[value=llm]").click()
    visitor.click("Ask", within="main form")
    visitor.until(lambda: visitor.path.startswith("/runs/"))
