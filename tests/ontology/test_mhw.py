"""The game's vocabulary: 7 classes, 16 base relations, 142 conditioned ones, and the data files that use them."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology import terms
from ontology.catalogue import Catalogue, Relation, conditioned_label
from ontology.files import MHW, read_turtle
from ontology.naming import local_name

DATA = Path(__file__).parents[2] / "kg" / "mhw"
CLASSES = {"Monster", "AttackAction", "AttackPhase", "Element", "Weapon", "Prop", "AttackEffect"}
BASE_LABELS = {
    "has attack action of",
    "continues with attack action of",
    "has attack variant of",
    "has attack phase of",
    "change attack phase to",
    "is mostly weaken with",
    "is weaken with",
    "is resistant with",
    "provide materials for",
    "can be stopped by",
    "has attack variants of",
    "generates",
    "cause",
    "turns to",
    "mated pair with",
    "has subspecies of",
}


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    store.bulk_extend(read_turtle(MHW))
    return store


@pytest.fixture(scope="module")
def relations() -> list[Relation]:
    return list(Catalogue.bundled())


def objects(store: ox.Store, subject: ox.NamedNode, prefixed: str) -> list[object]:
    return [quad.object for quad in store.quads_for_pattern(subject, terms.term(prefixed), None)]


def expression(store: ox.Store, node: object) -> frozenset[str]:
    """The class names that a domain or range allows."""
    if isinstance(node, ox.NamedNode):
        return frozenset({node.value})
    query = "PREFIX owl: <http://www.w3.org/2002/07/owl#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "
    pattern = "SELECT ?union ?member { ?union owl:unionOf/rdf:rest*/rdf:first ?member }"
    rows = store.query(query + pattern)
    assert isinstance(rows, ox.QuerySolutions)
    return frozenset(row["member"].value for row in rows if row["union"] == node)


def data_pairs() -> Iterator[tuple[str, str | None]]:
    for path in sorted(DATA.glob("*.toml")):
        for edge in tomllib.loads(path.read_text(encoding="utf-8")).get("relations", {}).get("edges", []):
            yield edge["relation"], edge.get("condition")


def test_the_seven_classes_exclude_each_other(store: ox.Store) -> None:
    declared = {
        q.subject.value
        for q in store.quads_for_pattern(None, terms.RDF_TYPE, terms.term("owl:Class"))
        if isinstance(q.subject, ox.NamedNode)
    }
    assert declared == {terms.MHW_NS + name for name in CLASSES}
    [disjoint] = store.quads_for_pattern(None, terms.RDF_TYPE, terms.term("owl:AllDisjointClasses"))
    head = next(iter(objects(store, disjoint.subject, "owl:members")))  # type: ignore[arg-type]
    members = set()
    while head != terms.term("rdf:nil"):
        members.add(objects(store, head, "rdf:first")[0].value)  # type: ignore[arg-type, attr-defined]
        head = objects(store, head, "rdf:rest")[0]  # type: ignore[arg-type]
    assert members == declared


def test_a_monster_is_a_topic_entity_by_both_its_names(store: ox.Store) -> None:
    monster = ox.NamedNode(terms.MHW_NS + "Monster")
    assert objects(store, monster, "rdfs:subClassOf") == [terms.TOPIC_ENTITY]
    assert objects(store, monster, "rdfs:label") == [ox.Literal("Monster")]
    assert objects(store, monster, "skos:altLabel") == [ox.Literal("Topic Entity")]


def test_the_base_relations_have_exactly_the_labels_of_the_paper(relations: list[Relation]) -> None:
    base = [relation for relation in relations if relation.condition is None]
    assert {relation.label for relation in base} == BASE_LABELS
    assert len(base) == 16
    assert all(relation.iri.value == terms.MHW_NS + local_name(relation.label) for relation in base)


def test_there_are_142_conditioned_relations_named_by_one_scheme(relations: list[Relation]) -> None:
    conditioned = [relation for relation in relations if relation.condition is not None]
    assert len(conditioned) == 142
    for relation in conditioned:
        assert relation.condition is not None
        assert relation.condition_label is not None
        assert relation.condition.value == terms.MHW_NS + local_name(relation.condition_label)
        assert relation.iri.value == f"{relation.base.value}-{local_name(relation.condition_label)}"
        assert relation.label == conditioned_label(relation.base_label, relation.condition_label)


def test_every_relation_has_one_domain_and_range_and_a_conditioned_one_those_of_its_base(
    store: ox.Store, relations: list[Relation]
) -> None:
    for relation in relations:
        for prefixed in ("rdfs:domain", "rdfs:range"):
            [own] = objects(store, relation.iri, prefixed)
            [inherited] = objects(store, relation.base, prefixed)
            assert expression(store, own) == expression(store, inherited) != frozenset()


def test_a_base_relation_stands_below_related_to_and_a_conditioned_one_below_its_base(
    store: ox.Store, relations: list[Relation]
) -> None:
    for relation in relations:
        above = relation.base if relation.condition is not None else terms.RELATED_TO
        assert objects(store, relation.iri, "rdfs:subPropertyOf") == [above]


def test_no_two_terms_share_a_definition(store: ox.Store) -> None:
    comments = [quad.object for quad in store.quads_for_pattern(None, terms.RDFS_COMMENT, None)]
    assert len(comments) == len(set(comments))


def test_a_mated_pair_reads_both_ways(store: ox.Store) -> None:
    kinds = objects(store, ox.NamedNode(terms.MHW_NS + "matedPairWith"), "rdf:type")
    assert terms.term("owl:SymmetricProperty") in kinds


def test_the_data_files_use_every_relation_and_no_other(relations: list[Relation]) -> None:
    catalogue = Catalogue.bundled()
    used = {catalogue.find(base, condition) for base, condition in data_pairs()}
    assert None not in used
    conditioned = {relation for relation in relations if relation.condition is not None}
    assert conditioned <= used
    assert {relation.base for relation in used if relation is not None} == {relation.base for relation in relations}
