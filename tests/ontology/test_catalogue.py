"""Looking relations up, and minting what is missing."""

import pyoxigraph as ox
import pytest

from ontology import terms
from ontology.catalogue import Catalogue
from ontology.errors import UnknownRelation

NS = "https://example.org/set/"


def quads(triples: tuple[ox.Triple, ...]) -> list[ox.Quad]:
    return [ox.Quad(t.subject, t.predicate, t.object, terms.CATALOGUE_GRAPH) for t in triples]


def test_a_relation_is_found_by_label_whatever_its_case_spacing_and_full_stop() -> None:
    found = Catalogue.bundled().find("  Has attack\naction of.", "Is  angry")
    assert found is not None
    assert found.iri == ox.NamedNode(terms.MHW_NS + "hasAttackActionOf-isAngry")


def test_a_relation_is_found_by_the_iri_of_its_base() -> None:
    catalogue = Catalogue.bundled()
    base = ox.NamedNode(terms.MHW_NS + "cause")
    assert catalogue.find(base) == catalogue.get(base)
    found = catalogue.find(base, "hits the ground")
    assert found is not None
    assert found.base == base
    assert found.condition_label == "hits the ground"


def test_an_empty_condition_is_none() -> None:
    catalogue = Catalogue.bundled()
    assert catalogue.find("generates", " ") == catalogue.find("generates")
    assert catalogue.mint("generates", "\n", namespace=NS).new == ()


def test_what_is_known_is_not_minted_again() -> None:
    minted = Catalogue.bundled().mint("has attack action of", "is angry", namespace=NS)
    assert minted.relation.iri == ox.NamedNode(terms.MHW_NS + "hasAttackActionOf-isAngry")
    assert minted.new == ()
    assert minted.triples == ()


def test_a_new_condition_makes_a_subproperty_of_the_known_base() -> None:
    catalogue = Catalogue.bundled()
    minted = catalogue.mint("has attack action of", "it rains", namespace=NS)
    [relation] = minted.new
    assert relation == minted.relation == catalogue.find("has attack action of", "It rains")
    assert relation.iri == ox.NamedNode(NS + "hasAttackActionOf-itRains")
    base = ox.NamedNode(terms.MHW_NS + "hasAttackActionOf")
    assert ox.Triple(relation.iri, terms.RDFS_SUBPROPERTY_OF, base) in minted.triples
    assert ox.Triple(ox.NamedNode(NS + "itRains"), terms.RDF_TYPE, terms.CONDITION_CLASS) in minted.triples


def test_a_known_condition_is_used_again_under_another_base() -> None:
    minted = Catalogue.bundled().mint("turns to", "is angry", namespace=NS)
    assert minted.relation.condition == ox.NamedNode(terms.MHW_NS + "isAngry")
    assert all(t.subject == minted.relation.iri for t in minted.triples)


def test_a_new_base_under_a_condition_is_two_new_relations() -> None:
    minted = Catalogue().mint("lives in", "it rains", namespace=NS)
    assert [relation.iri.value for relation in minted.new] == [f"{NS}livesIn", f"{NS}livesIn-itRains"]
    assert minted.relation == minted.new[1]


def test_what_was_minted_reads_back_as_the_same_catalogue() -> None:
    catalogue = Catalogue()
    triples = catalogue.mint("lives in", "it rains", namespace=NS).triples
    assert set(Catalogue.from_quads(quads(triples))) == set(catalogue)


def test_iris_do_not_depend_on_the_order_of_minting() -> None:
    pairs = [("eats", None), ("eats", "is hungry"), ("eats > 3", "is hungry"), ("Eats", "HP < 3"), ("eats", "HP > 3")]

    def iris(order: list[tuple[str, str | None]]) -> dict[tuple[str, str | None], str]:
        catalogue = Catalogue()
        return {pair: catalogue.mint(*pair, namespace=NS).relation.iri.value for pair in order}

    forwards = iris(pairs)
    assert forwards == iris(pairs[::-1])
    assert len(set(forwards.values())) == len(pairs)


def test_the_sources_own_iri_is_kept_and_named() -> None:
    own = ox.NamedNode("https://example.org/P31")
    minted = Catalogue().mint(own, namespace=NS, label="instance of")
    assert minted.relation.iri == own
    assert minted.relation.label == "instance of"
    assert Catalogue().mint(own, namespace=NS).relation.label == "P31"


def test_two_vocabularies_with_one_name_stay_apart_under_a_condition() -> None:
    catalogue = Catalogue()
    first = catalogue.mint(ox.NamedNode("https://example.org/a#eats"), "is hungry", namespace=NS)
    second = catalogue.mint(ox.NamedNode("https://example.org/b#eats"), "is hungry", namespace=NS)
    assert first.relation.iri != second.relation.iri
    assert second.relation.base == ox.NamedNode("https://example.org/b#eats")


def test_a_data_set_of_its_own_is_not_given_the_games_relations() -> None:
    catalogue = Catalogue.bundled().within(NS)
    assert catalogue.find("cause") is None
    assert catalogue.mint("cause", namespace=NS).relation.iri == ox.NamedNode(NS + "cause")


def test_the_earlier_namespace_wins() -> None:
    catalogue = Catalogue.bundled()
    own = catalogue.within(NS).mint("cause", namespace=NS)
    both = Catalogue([*catalogue, *own.new])
    for namespaces, expected in (((NS, terms.MHW_NS), NS), ((terms.MHW_NS, NS), terms.MHW_NS)):
        found = both.within(*namespaces).find("cause")
        assert found is not None
        assert found.iri.value == expected + "cause"


@pytest.mark.parametrize("label", ["", "  ", "\n"])
def test_a_relation_without_a_label_is_refused(label: str) -> None:
    with pytest.raises(UnknownRelation, match="name it in the source"):
        Catalogue().mint(label, "is angry", namespace=NS)
