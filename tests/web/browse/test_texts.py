"""Search in contexts and captions: a second section below the names, bounded and quick."""

import time

from flask import Flask

from tests.web.browse.conftest import MakeClient
from tests.web.markup import Page
from tests.web.stage import hostile_store
from web.browse.texts import TextIndex

OWLS = """
ex:owl a ex:Bird ; rdfs:label "Owl" ; sf:context "It hits the hunter with its tail, <b>twice</b>." ; ex:eats ex:mouse .
ex:mouse a ex:Beast ; rdfs:label "Mouse" ; sf:hasCaption [ a sf:Caption ; sf:text "A Hunter\\u00e9 sees a tail." ] .
ex:eats sf:baseRelation ex:eats .
"""


def test_entities_are_found_by_their_texts(make_client: MakeClient) -> None:
    client = make_client(hostile_store(OWLS))
    page = Page(client.get("/search?q=hits+the+hunter+with").get_data(as_text=True))
    page.check_harmless()
    text = " ".join(page.text.split())
    assert "In texts 1" in text and "It hits the hunter with its tail, <b>twice</b>." in text
    both = " ".join(Page(client.get("/search?q=tail").get_data(as_text=True)).text.split())
    assert "In texts 2" in both
    assert "In texts" not in client.get("/search?q=nothing+of+it").get_data(as_text=True)
    assert "In texts" not in client.get("/search?q=").get_data(as_text=True)


def test_captions_of_the_bundled_graph_are_found(bundled_app: Flask) -> None:
    page = bundled_app.test_client().get("/search?q=the+hunter+with").get_data(as_text=True)
    assert "In texts" in page


def test_many_texts_are_searched_in_no_time() -> None:
    index = TextIndex([(n, f"the monster number {n} hits the hunter with its tail and word{n}") for n in range(50_000)])
    started = time.perf_counter()
    hits, total = index.search("the hunter with t", limit=20)
    assert (len(hits), total) == (20, 50_000)
    assert time.perf_counter() - started < 0.5
    assert [hit.number for hit in index.search("word4999", limit=3)[0]] == [4999, 49990, 49991]
