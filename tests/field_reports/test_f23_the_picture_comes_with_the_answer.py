"""F23: an answer that was made from a figure came without it.

The media items behind an answer come with it: IRI, captions, address and score, in the JSON and on the page.
"""

from pathlib import Path

import pyoxigraph as ox

from agents.engine import Engine
from agents.runs import RunFolder
from kg.store import EmbeddedStore
from ontology import terms
from tests.fakes import FakeRoles
from tests.web.markup import Page
from tests.web.stage import site_of
from web.app import create_app

GRAPH = """
ex:root a sf:TopicEntity ; rdfs:label "root" ; ex:leads ex:a .
ex:leads sf:baseRelation ex:leads ; rdfs:label "leads to" .
ex:a rdfs:label "a" ; sf:hasMedia ex:figure, ex:bad ; sf:hasCaption ex:caption .
ex:caption sf:text "A valve, cut open." ; sf:describes ex:figure .
ex:figure a sf:Image ; rdfs:label "Figure 3" ; schema:contentUrl <https://manuals.example/figure-3.png> .
ex:bad a sf:Image ; schema:contentUrl "javascript:alert(1)" .
"""


def test_the_figure_is_in_the_json_and_on_the_page(tmp_path: Path) -> None:
    prologue = "".join(
        f"PREFIX {prefix}: <{space}>\n" for prefix, space in {**terms.PREFIXES, "ex": "http://example.org/"}.items()
    )
    store = EmbeddedStore.from_quads(ox.parse(prologue + GRAPH, format=ox.RdfFormat.TURTLE))
    policy = FakeRoles(scores={"a": 0.5}).policy
    client = create_app(site_of(Engine(store, lambda _: policy, ("fake",), RunFolder(tmp_path / "runs")))).test_client()
    run = client.post("/api/ask", json={"question": "Which part?", "topic": "root", "wait": 20}).get_json()
    items = {item["iri"].rsplit("/", 1)[-1]: item for item in run["result"]["media"]}
    figure = items["figure"]
    assert (figure["label"], figure["url"], figure["score"]) == (
        *("Figure 3", "https://manuals.example/figure-3.png"),
        0.5,
    )
    assert figure["captions"][0] == {"text": "A valve, cut open.", "model": None}
    page = Page(client.get(run["links"]["page"]).get_data(as_text=True))
    assert page.all("a", href="https://manuals.example/figure-3.png")
    assert "A valve, cut open." in page.text
    assert not [link for link in page.all("a") if link["href"].startswith("javascript")]
