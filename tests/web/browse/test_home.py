"""The first page: what it says of a graph, with and without media, and where it leads."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from kg.bundled import ensure_bundled
from kg.home import Home
from kg.importing import import_path
from kg.store import EmbeddedStore
from tests.web.browse.conftest import MakeClient
from tests.web.markup import Page
from tests.web.stage import everything, hostile_store
from web.app import create_app
from web.browse.sources import ReadSources, SourceRecord
from web.site import Site


def words(page: Page) -> str:
    return " ".join(page.text.split())


def home(client: FlaskClient) -> Page:
    response = client.get("/")
    assert response.status_code == 200
    return Page(response.get_data(as_text=True))


def test_what_the_bundled_graph_is(bundled_app: Flask) -> None:
    page = home(bundled_app.test_client())
    text = words(page)
    for said in (
        "Ask a question and watch the way to its answer",
        "Monster Hunter: World attack graph",
        "Made by The Scoutfly authors",
        "Attack Action 265",
        "All entities 341",
        "Conditioned relations 142",
        "No entity has an image, a video or a sound yet",
    ):
        assert said in text, said
    (endpoint,) = page.all("input", id="endpoint")
    assert endpoint["value"] == "http://localhost/sparql"
    assert "readonly" in endpoint
    assert page.all("a", href="https://creativecommons.org/licenses/by/4.0/", rel="license noopener noreferrer")


def test_every_way_into_the_graph_is_on_it(bundled_app: Flask) -> None:
    client = bundled_app.test_client()
    page = home(client)
    assert page.all("form", action="/ask", method="post")
    assert page.all("form", action="/search", role="search")
    links = {each["href"] for each in page.all("a")}
    assert {"/query", "/download", "/ontology", "/import", "/relations?used=yes", "/conditions"} <= links
    examples = [link for link in links if link.startswith(("/ask?example=", "/query?example="))]
    assert len(examples) == 12
    for link in [*examples, *(link for link in links if link.startswith(("/browse", "/relations", "/conditions")))]:
        assert client.get(link).status_code == 200, link


def test_the_questions_box_hands_its_text_on(bundled_app: Flask) -> None:
    response = bundled_app.test_client().get("/ask?question=What+follows+the+bite%3F&topic=Rathian")
    assert response.status_code == 200
    assert "What follows the bite?" in response.get_data(as_text=True)


def test_the_examples_of_queries_are_those_of_the_editor(bundled_app: Flask) -> None:
    client = bundled_app.test_client()
    page = home(client)
    listed = Page(client.get("/query").get_data(as_text=True))
    first = next(each["href"] for each in page.all("a") if each["href"] == "/query?example=1")
    assert first in {each["href"] for each in listed.all("a")}


def test_media_are_counted_by_class_and_by_kind(tiny_client: FlaskClient) -> None:
    text = words(home(tiny_client))
    assert "Work step 10 1 9 10" in text
    assert "Video 1" in text and "Keyframe 1" in text and "Audio 1" in text


def test_an_empty_graph_says_what_to_do(make_client: MakeClient) -> None:
    page = home(make_client(EmbeddedStore.from_quads([])))
    assert "This graph is empty. Import one: here, or with scoutfly import." in words(page)
    assert "Questions to try" not in page.text


def test_markup_in_a_source_stays_text(make_client: MakeClient) -> None:
    source = "<https://w3id.org/scoutfly/graph/source/x>"
    title, licence = 'dcterms:title "<script>t</script>"', 'dcterms:license "javascript:alert(1)"'
    said = f'{title} ; {licence} ; dcterms:description "<img src=x>"'
    page = home(make_client(hostile_store(f"{source} {said} .")))
    page.check_harmless()
    assert "<script>t</script>" in page.text and "javascript:alert(1)" in page.text


def test_the_sources_of_a_home_are_known_by_name_and_by_what_they_speak_of(tmp_path: Path) -> None:
    place = Home(tmp_path / "home")
    ensure_bundled(place)
    turtle = tmp_path / "birds.ttl"
    turtle.write_text("<http://example.org/owl> a <http://example.org/Bird> .", encoding="utf-8")
    import_path(place, turtle)
    engine = Engine(place.reader(), everything, ("all",), RunFolder(tmp_path / "runs"))
    site = Site(lambda: engine, home=place)
    sources = site.view.once(ReadSources(place))
    by_slug = {record.slug: record for record in sources.records}
    assert set(by_slug) == {"bundled-mhw", "birds"}
    assert sources.speaking_of[by_slug["birds"].iri] == {"http://example.org/owl"}
    client = create_app(site).test_client()
    listed = Page(client.get("/browse", query_string={"source": by_slug["birds"].iri}).get_data(as_text=True))
    assert "1 entity" in listed.text and "owl" in listed.text


@pytest.mark.parametrize(
    ("licence", "address"),
    [("https://example.org/l", "https://example.org/l"), ("CC BY 4.0", ""), ("javascript:alert(1)", ""), ("", "")],
)
def test_only_web_addresses_become_links(licence: str, address: str) -> None:
    assert SourceRecord("urn:x", licence=licence).licence_address == address
