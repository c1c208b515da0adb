"""The media behind an answer, with IRI, captions and address."""

import pyoxigraph as ox

from agents.evidence import media_to_json, media_used
from agents.roles import Question
from agents.walk import walk
from kg.store import EmbeddedStore
from ontology import terms
from tests.fakes import FakeRoles

GRAPH = """
ex:root a sf:TopicEntity ; rdfs:label "root" ; sf:hasMedia ex:portrait ; ex:leads ex:a .
ex:leads sf:baseRelation ex:leads ; rdfs:label "leads to" .
ex:a rdfs:label "a" ; sf:hasMedia ex:film, ex:bare ; sf:hasCaption ex:c1, ex:c2 .
ex:c1 sf:text "It jumps." ; sf:describes ex:film .
ex:c2 sf:text "It roars." ; sf:model "seer-1" .
ex:film a sf:Video ; rdfs:label "The film" ; schema:contentUrl <https://media.example/film.mp4> ;
  schema:encodingFormat "video/mp4" .
ex:fact a sf:Fact ; rdf:subject ex:root ; rdf:predicate ex:leads ; rdf:object ex:a ; sf:evidence ex:still .
ex:still a sf:Image ; schema:contentUrl "media/still.png" .
"""
EX = "http://example.org/"


def asked() -> list[dict[str, object]]:
    prefixes = {**terms.PREFIXES, "ex": EX}
    prologue = "".join(f"PREFIX {prefix}: <{space}>\n" for prefix, space in prefixes.items())
    store = EmbeddedStore.from_quads(ox.parse(prologue + GRAPH, format=ox.RdfFormat.TURTLE))
    result = walk(store, FakeRoles(scores={"a": 0.5}).policy, Question("Where to?", "root"))
    return media_to_json(media_used(store, result))


def test_each_item_comes_with_its_address_its_captions_and_what_it_is_of() -> None:
    items = {str(item["iri"]).removeprefix(EX): item for item in asked()}
    assert set(items) == {"film", "bare", "still"}  # not the topic's portrait: it says nothing of the route
    film = items["film"]
    assert (film["label"], film["url"], film["format"]) == ("The film", "https://media.example/film.mp4", "video/mp4")
    assert film["captions"] == [{"text": "It jumps.", "model": None}, {"text": "It roars.", "model": "seer-1"}]
    assert (film["entity"], film["entity_label"], film["evidence"], film["score"]) == (EX + "a", "a", False, 0.5)
    assert (items["still"]["evidence"], items["still"]["url"]) == (True, "media/still.png")
    assert (items["bare"]["url"], items["bare"]["types"]) == ("", [])
