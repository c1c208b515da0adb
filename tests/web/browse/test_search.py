"""Search: what fits and in which order, languages, typing errors, homonyms, and how fast."""

import random
import re
import statistics
import time
from collections.abc import Callable

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from kg.store import EmbeddedStore
from ontology import terms
from tests.web.browse.conftest import MakeClient, MakeTable
from tests.web.markup import Page
from tests.web.stage import hostile_store
from web.browse.search import Hit, SearchIndex
from web.browse.table import read_table

BIRDS = """
ex:eagle a ex:Bird ; rdfs:label "Steinadler"@de, "Golden eagle"@en, "Águila real"@es ; skos:altLabel "Aquila" .
ex:owl a ex:Bird, sf:TopicEntity ; rdfs:label "Owl"@en ; skos:altLabel "Goldeule"@de .
ex:gold a ex:Metal ; rdfs:label "Gold" .
ex:goldfish a ex:Fish ; rdfs:label "Goldfish"@en, "poisson rouge"@fr .
ex:marigold a ex:Plant ; rdfs:label "Marsh marigold"@en .
ex:nothing-said a ex:Plant .
ex:japanese a ex:Plant ; rdfs:label "\\u685c"@ja .
ex:eats a owl:ObjectProperty ; sf:baseRelation ex:eats ; rdfs:label "golden rule"@en .
ex:owl ex:eats ex:goldfish .
"""
Search = Callable[..., list[Hit]]


@pytest.fixture
def search(make_table: MakeTable) -> Search:
    """What is found among the birds."""
    index = SearchIndex(make_table(BIRDS))
    return lambda query, **how: list(index.search(query, **how).found)


def called(hits: list[Hit]) -> list[str]:
    return [hit.shown.text for hit in hits]


def test_exact_comes_first_then_the_beginning_of_the_name_then_of_a_word(make_table: MakeTable) -> None:
    index = SearchIndex(
        make_table("ex:a rdfs:label 'red' . ex:b rdfs:label 'redness' . ex:c rdfs:label 'infra red' . " + typed("abc"))
    )
    assert called(list(index.search("red").found)) == ["red", "redness", "infra red"]


def test_topic_entities_come_first_among_what_fits_as_well(search: Search) -> None:
    found = search("gold")
    assert called(found)[0] == "Gold"  # exactly
    assert called(found)[1:3] == ["Owl", "Goldfish"]  # the first is a topic entity, by its German name
    assert called(found)[-1] == "golden rule"  # the vocabulary comes last


def test_case_and_accents_do_not_count(search: Search) -> None:
    for query in ("aguila", "ÁGUILA REAL", "a\u0301guila", "  aguila   real  "):
        assert called(search(query)) == ["Golden eagle"], query
    assert called(search("\u685c")) == ["\u685c"]


def test_every_word_must_begin_a_word_in_any_order(search: Search) -> None:
    assert called(search("eag gol")) == ["Golden eagle"]
    assert search("eagle owl") == []


@pytest.mark.parametrize(
    ("typed_text", "label"),
    [("golfdish", "Goldfish"), ("goldfihs", "Goldfish"), ("mraigold", "Marsh marigold"), ("eagel", "Golden eagle")],
)
def test_typing_errors_in_longer_words_are_forgiven(search: Search, typed_text: str, label: str) -> None:
    assert called(search(typed_text)) == [label]


@pytest.mark.parametrize("typed_text", ["owk", "xyz", "goldfishes in tanks", "\x00", "%", "' OR 1=1", "", "   "])
def test_short_words_and_nonsense_find_nothing(search: Search, typed_text: str) -> None:
    assert search(typed_text) == []


def test_a_match_in_another_language_says_so(search: Search) -> None:
    (hit,) = search("steinad")
    assert (hit.shown.text, hit.shown.language) == ("Golden eagle", "en")
    assert hit.matched is not None
    assert (hit.matched.text, hit.matched.language, hit.matched.kind) == ("Steinadler", "de", "label")
    (hit,) = search("aquil")
    assert hit.matched is not None
    assert (hit.matched.text, hit.matched.language, hit.matched.kind) == ("Aquila", "", "alternative label")


def test_the_language_asked_for_is_shown(search: Search) -> None:
    assert called(search("steinad", language="de")) == ["Steinadler"]
    assert search("steinad", language="de")[0].matched is None
    assert called(search("golden ea", language="de-AT")) == ["Steinadler"]
    assert called(search("golden ea", language="fi")) == ["Golden eagle"]


def test_the_end_of_an_iri_and_the_whole_of_it_are_names(search: Search) -> None:
    assert called(search("nothing said")) == ["nothing-said"]
    (hit, *_) = search("http://example.org/goldfish")
    assert hit.iri == "http://example.org/goldfish"
    (hit,) = search("japanese")
    assert hit.matched is not None and hit.matched.kind == "local name"


def test_only_of_a_class(search: Search) -> None:
    assert called(search("gold", kind="http://example.org/Fish")) == ["Goldfish"]
    assert called(search("gold", kind=terms.term("owl:ObjectProperty").value)) == ["golden rule"]
    assert called(search("gold", kind=terms.TOPIC_ENTITY.value)) == ["Owl"]
    assert "golden rule" not in called(search("gold", kind=terms.ENTITY.value))
    assert search("gold", kind="http://example.org/None") == []
    assert search("http://example.org/goldfish", kind="http://example.org/Bird") == []


def test_pages_hold_everything_once(make_table: MakeTable) -> None:
    names = "".join(f"ex:n{number} a ex:K ; rdfs:label 'same', 'same too'@de, 'samer' . " for number in range(130))
    index = SearchIndex(make_table(names))
    found = [hit.iri for offset in range(0, 140, 20) for hit in index.search("same", offset=offset, limit=20).found]
    assert len(found) == len(set(found)) == 130
    assert index.search("same", limit=1).total == 130


def test_the_answer_of_the_api(tiny_client: FlaskClient) -> None:
    answer = tiny_client.get("/api/search?q=pomp").get_json()
    assert answer["total"] == 1
    assert answer["results"] == [
        {
            "iri": "https://example.org/brew/id/pump-burst",
            "label": "Pump Burst",
            "lang": "",
            "matched": "Pomp Burst",
            "matched_lang": "",
            "matched_by": "alternative label",
            "type_label": "Work step",
            "page": "/entity?iri=https%3A%2F%2Fexample.org%2Fbrew%2Fid%2Fpump-burst",
            "homonym": False,
            "note": "",
            "context": "",
        }
    ]
    assert {each["label"]: each["count"] for each in answer["types"]} == {"Work step": 1, "Entity": 1}


def test_terms_of_the_vocabulary_lead_to_their_pages(tiny_client: FlaskClient) -> None:
    by_label = {
        each["label"]: each["page"]
        for text in ("machine", "has mode", "lid is open")
        for each in tiny_client.get("/api/search", query_string={"q": text}).get_json()["results"]
    }
    assert by_label["Machine"].startswith("/browse?type=")
    assert by_label["has working mode"].startswith("/relations?iri=")
    assert by_label["lid is open"].startswith("/conditions?iri=")
    for page in by_label.values():
        assert tiny_client.get(page).status_code == 200, page


def test_labels_by_the_language_of_the_reader(tiny_client: FlaskClient) -> None:
    asked = {"q": "has working mode", "lang": "de"}
    assert tiny_client.get("/api/search", query_string=asked).get_json()["results"][0]["label"] == "hat Betriebsart"
    response = tiny_client.get("/api/search?q=has+working+mode", headers={"Accept-Language": "de-CH, en;q=0.5"})
    assert response.get_json()["results"][0]["label"] == "hat Betriebsart"
    assert "Accept-Language" in response.headers["Vary"]


@pytest.mark.parametrize(
    "asked",
    ["", "q=a&limit=0", "q=a&limit=101", "q=a&offset=-1", "q=a&lang=<b>", f"q={'a' * 201}", f"q=a&type={'a' * 2001}"],
)
def test_what_is_out_of_bounds_is_refused(tiny_client: FlaskClient, asked: str) -> None:
    response = tiny_client.get(f"/api/search?{asked}")
    assert 400 <= response.status_code < 500
    assert response.mimetype == "application/problem+json"


def test_the_page_without_a_script(tiny_client: FlaskClient) -> None:
    page = Page(tiny_client.get("/search?q=flush").get_data(as_text=True))
    assert "3 things called “flush”" in page.text
    assert "Work step 3" in " ".join(page.text.split())
    assert "https://example.org/brew/id/grand-flush" in page.text  # two are called Flush: their IRIs tell them apart
    assert page.all("form", role="search", action="/search")
    nothing = Page(tiny_client.get("/search?q=zzzzzz").get_data(as_text=True))
    assert "No results." in nothing.text
    assert tiny_client.get("/search").status_code == 200
    assert tiny_client.get("/search?q=a&page=99").status_code == 404
    assert tiny_client.get(f"/search?q={'a' * 201}").status_code == 400


def test_what_the_page_found_can_be_narrowed_down_to_a_class(tiny_client: FlaskClient) -> None:
    page = Page(tiny_client.get("/search?q=brew").get_data(as_text=True))
    (narrow,) = [link["href"] for link in page.all("a") if link.get("href", "").endswith("brew%23Machine")]
    assert "2 things called" in Page(tiny_client.get(narrow).get_data(as_text=True)).text


def test_hostile_names_stay_text(client: FlaskClient) -> None:
    for asked in ({"q": "top"}, {"q": "<script>alert('q')</script>"}, {"q": "leaf", "type": '"><script>'}):
        page = Page(client.get("/search", query_string=asked).get_data(as_text=True))
        page.check_harmless()
    assert "Top <script>alert('label')</script>" in Page(client.get("/search?q=top").get_data(as_text=True)).text


def test_an_iri_that_is_none_by_the_book_is_found_and_not_asked_for(make_client: MakeClient) -> None:
    names = rb'a <http://example.org/K> ; <http://www.w3.org/2000/01/rdf-schema#label> "Odd" .'
    turtle = b"".join(rb"<http://example.org/%s> %s" % (end, names) for end in (rb"\u007D\u003E", b"b"))
    odd = ox.parse(turtle, ox.RdfFormat.TURTLE, lenient=True)
    client = make_client(EmbeddedStore.from_quads(odd))
    assert client.get("/api/search?q=odd").get_json()["total"] == 2
    assert client.get("/search?q=odd").status_code == 200


def many(size: int) -> EmbeddedStore:
    """Names of one to four words from a vocabulary of as many words as a language has."""
    chance = random.Random(7)
    syllables = re.findall("..", "karomitelushagobevinadropetiquzeorilanures")
    words = ["".join(chance.choice(syllables) for _ in range(chance.randint(2, 4))) for _ in range(size // 3)]
    named = []
    for number in range(size):
        entity = ox.NamedNode(f"http://example.org/e{number}")
        label = " ".join(chance.choice(words) for _ in range(chance.randint(1, 4)))
        named.append(ox.Quad(entity, terms.RDF_TYPE, ox.NamedNode(f"http://example.org/C{number % 7}")))
        named.append(ox.Quad(entity, terms.RDFS_LABEL, ox.Literal(label, language="en")))
    return EmbeddedStore.from_quads(named)


@pytest.mark.parametrize("size", [pytest.param(100_000, marks=pytest.mark.slow), 5_000])
def test_a_search_takes_no_longer_than_a_keystroke(size: int) -> None:
    index = SearchIndex(read_table(many(size)))
    for query in ("k", "ka", "karo", "mi te", "karomitne", "zzzzzzzz", "e", "kromi shalu"):
        spent = []
        for _ in range(7):
            started = time.perf_counter()
            index.search(query)
            spent.append(time.perf_counter() - started)
        assert statistics.median(spent) < 0.030, f"{query}: {statistics.median(spent) * 1e3:.1f} ms"


def typed(names: str) -> str:
    return "".join(f"ex:{name} a ex:K . " for name in names)


def test_the_hostile_graph_is_indexed_whole() -> None:
    index = SearchIndex(read_table(hostile_store()))
    assert index.search("condition").total == 2
