"""Completion knows every prefix, class and relation of the graph."""

import pyoxigraph as ox
from flask.testing import FlaskClient

from kg.store import EmbeddedStore
from ontology import terms
from web.editor.vocabulary import ClassWord, RelationWord, read_words


def test_all_relations_of_the_catalogue_are_there_with_labels_and_counts(bundled_store: EmbeddedStore) -> None:
    words = read_words(bundled_store)
    relations = {word.iri: word for word in words.relations}
    related = [word for word in words.relations if word.base]
    assert len(related) == 158
    assert sum(word.condition is not None for word in related) == 142
    word = relations[terms.MHW_NS + "continuesWithAttackActionOf-hunterIsInFront"]
    assert word.base == terms.MHW_NS + "continuesWithAttackActionOf"
    assert word.condition == "hunter is in front"
    assert word.count > 0
    assert relations[terms.RDFS_LABEL.value].count > 600
    assert all(word.label for word in words.relations)


def test_classes_are_counted_and_the_most_used_come_first(bundled_store: EmbeddedStore) -> None:
    words = read_words(bundled_store)
    classes = {word.iri: word for word in words.classes}
    assert classes[terms.MHW_NS + "Monster"] == ClassWord(terms.MHW_NS + "Monster", "Monster", 22)
    assert classes[terms.MEDIA_ITEM.value].count == 0  # declared, and no individual has it
    counts = [word.count for word in words.classes]
    assert counts == sorted(counts, reverse=True)
    assert len(classes) == len(words.classes)


def test_a_vocabulary_of_ones_own_is_there_without_any_declaration() -> None:
    """Row B23: users find the classes and prefixes of their own graph."""
    graph = '<urn:a> a <http://own.example/Thing> ; <http://own.example/likes> "tea"@en . _:b a [] .'
    words = read_words(EmbeddedStore.from_quads(ox.parse(graph, format=ox.RdfFormat.TURTLE)))
    assert ClassWord("http://own.example/Thing", "Thing", 1) in words.classes
    assert RelationWord("http://own.example/likes", "likes", 1) in words.relations
    assert [word.iri for word in words.classes] == ["http://own.example/Thing"]


def test_the_api_gives_it_and_says_when_it_is_the_same(editor: FlaskClient) -> None:
    response = editor.get("/api/vocabulary")
    said = response.get_json()
    assert said["prefixes"]["sf"] == terms.SF_NS
    assert {"iri", "label", "count"} == set(said["classes"][0])
    assert {"iri", "label", "count", "base", "condition"} == set(said["relations"][0])
    again = editor.get("/api/vocabulary", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_an_empty_graph_has_the_prefixes_alone() -> None:
    words = read_words(EmbeddedStore.from_quads([]))
    assert (words.prefixes, words.classes, words.relations) == (terms.PREFIXES, (), ())
