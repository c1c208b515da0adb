"""What sources say of themselves."""

import pyoxigraph as ox

from kg.store import EmbeddedStore
from ontology.terms import PREFIXES, source_graph
from sparql.sources import SourceDescription, sources


def test_sources_with_what_they_say_sorted_by_title() -> None:
    one, other = source_graph("one"), source_graph("other")
    turtle = f"""PREFIX dcterms: <{PREFIXES["dcterms"]}>
    {one} dcterms:title "Second" ; dcterms:description "About it" ; dcterms:license <http://example.org/licence> .
    {other} dcterms:title "First" ; dcterms:creator "Someone" .
    <http://example.org/book> dcterms:title "A book in the graph" ."""
    store = EmbeddedStore.from_quads(ox.parse(turtle, format=ox.RdfFormat.TURTLE))
    assert sources(store) == [
        SourceDescription(other, "First", creator="Someone"),
        SourceDescription(one, "Second", "About it", "http://example.org/licence"),
    ]


def test_of_two_titles_the_first_by_alphabet_is_taken() -> None:
    graph = source_graph("one")
    turtle = f'{graph} <{PREFIXES["dcterms"]}title> "B", "A" .'
    store = EmbeddedStore.from_quads(ox.parse(turtle, format=ox.RdfFormat.TURTLE))
    assert [source.title for source in sources(store)] == ["A"]
