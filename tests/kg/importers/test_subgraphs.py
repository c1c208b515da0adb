"""Folders of sub-graphs in TOML: the bundled one, and small ones written for each test."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed
from kg.importers.subgraphs import SubgraphFolder
from kg.iri import DATA_NS
from kg.report import ImportReport
from ontology import terms

BUNDLED = Path(__file__).parents[3] / "kg" / "mhw"
BASE = "https://w3id.org/scoutfly/mhw/id/"
DATASET = """
title = "Two dragons"
language = "en"
base_iri = "http://example.org/d/"
namespace = "https://w3id.org/scoutfly/mhw#"
closed = true
[tables]
topic = { class = "Monster", topic = true }
attack = { class = "AttackAction" }
element = { class = "Element", shared = true }
"""
ALPHA = """
[topic]
name = "Alpha"
alt = ["First Wyrm"]
[[attack]]
name = "Roar"
alt = ["Howl"]
caption = "Alpha howls."
context = "Loud."
[[attack]]
name = "Bite"
[relations]
edges = [
  { head = "Alpha", relation = "has attack action of", tail = "Howl" },
  { head = "Roar", relation = "continues with attack action of", tail = "Bite",\
    condition = "is angry", when = "At night" },
  { head = "First Wyrm", relation = "is weaken with", tail = "Fire" },
  { head = "Alpha", relation = "mated pair with", tail = "Beta", information = "For life" },
]
"""
BETA = """
[topic]
name = "Beta"
[[attack]]
name = "Roar"
[relations]
edges = [ { head = "Beta", relation = "has attack action of", tail = "Roar" } ]
"""
SHARED = '[[element]]\nname = "Fire"\n'

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]


def mhw(name: str) -> ox.NamedNode:
    return ox.NamedNode(terms.MHW_NS + name)


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"http://example.org/d/{name}")


def triples(quads: set[ox.Quad]) -> set[tuple[object, object, object]]:
    return {(quad.subject, quad.predicate, quad.object) for quad in quads}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sub-graphs and a file of shared things."""
    for name, text in (("dataset", DATASET), ("alpha", ALPHA), ("beta", BETA), ("shared", SHARED)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_bundled_graph_has_the_size_of_the_paper(run_importer: Run) -> None:
    quads, report = run_importer(SubgraphFolder(), BUNDLED, base_iri=f"{DATA_NS}test/")
    kinds = Counter(q.object for q in quads if q.predicate == terms.RDF_TYPE)
    assert not report.rejected
    assert not report.new_relations
    assert report.base_iri == BASE
    assert {name: kinds[mhw(name)] for name in ("Monster", "AttackAction", "AttackPhase", "Element")} == {
        "Monster": 22,
        "AttackAction": 265,
        "AttackPhase": 20,
        "Element": 9,
    }
    assert (kinds[mhw("Weapon")], kinds[mhw("Prop")], kinds[mhw("AttackEffect")]) == (10, 6, 9)
    assert kinds[terms.TOPIC_ENTITY] == 22
    assert kinds[terms.CAPTION_CLASS] == 265
    assert terms.HUMAN_CAPTION not in kinds, "a caption without footage is not what a person wrote of media"
    assert report.entities == 341


def test_names_resolve_from_the_inside_out(folder: Path, run_importer: Run) -> None:
    quads, report = run_importer(SubgraphFolder(), folder, base_iri=f"{DATA_NS}test/")
    said = triples(quads)
    assert not report.rejected
    assert (node("alpha"), mhw("hasAttackActionOf"), node("alpha/roar")) in said
    assert (node("beta"), mhw("hasAttackActionOf"), node("beta/roar")) in said
    assert (node("alpha"), mhw("isWeakenWith"), node("element/fire")) in said
    assert (node("alpha"), mhw("matedPairWith"), node("beta")) in said


def test_a_base_iri_of_the_users_goes_before_that_of_the_data_set(folder: Path, run_importer: Run) -> None:
    quads, report = run_importer(SubgraphFolder(), folder, base_iri="http://example.com/mine/")
    assert report.base_iri == "http://example.com/mine/"
    assert ox.NamedNode("http://example.com/mine/alpha/roar") in {q.subject for q in quads}


def test_labels_texts_and_captions_bear_the_language_of_the_data_set(folder: Path, run_importer: Run) -> None:
    said = triples(run_importer(SubgraphFolder(), folder, base_iri=f"{DATA_NS}test/")[0])
    roar, caption = node("alpha/roar"), node("alpha/roar/caption")
    assert (roar, terms.RDFS_LABEL, ox.Literal("Roar", language="en")) in said
    assert (roar, terms.SKOS_ALT_LABEL, ox.Literal("Howl", language="en")) in said
    assert (roar, terms.CONTEXT, ox.Literal("Loud.", language="en")) in said
    assert (roar, terms.HAS_CAPTION, caption) in said
    assert (caption, terms.CAPTION_TEXT, ox.Literal("Alpha howls.", language="en")) in said


def test_more_to_say_of_an_edge_is_a_fact_beside_the_plain_triple(folder: Path, run_importer: Run) -> None:
    quads, _report = run_importer(SubgraphFolder(), folder, base_iri=f"{DATA_NS}test/")
    relation = mhw("continuesWithAttackActionOf-isAngry")
    plain = ox.Quad(node("alpha/roar"), relation, node("alpha/bite"), terms.source_graph("test"))
    assert plain in quads
    facts = {q.subject for q in quads if q.predicate == terms.RDF_PREDICATE and q.object == relation}
    assert len(facts) == 1
    about = {(q.predicate, q.object) for q in quads if q.subject in facts}
    assert (terms.CONDITION_TEXT, ox.Literal("At night", language="en")) in about
    assert (terms.DCTERMS_SOURCE, terms.source_graph("test")) in about
    assert {q.graph_name for q in quads if q.subject in facts} == {terms.facts_graph("test")}


def test_bad_rows_are_named_and_the_rest_is_imported(folder: Path, run_importer: Run) -> None:
    (folder / "gamma.toml").write_text(
        """
[topic]
name = "Gamma"
[[attack]]
name = "Bite"
[[attack]]
name = "bite"
[[attack]]
name = "Kick"
captoin = "Gamma kicks."
[relations]
edges = [
  { head = "Gamma", relation = "has attack action of", tail = "Nobody" },
  { head = "Gamma", relation = "has atack action of", tail = "Bite" },
  { head = "Gamma", relation = "has attack action of" },
  { head = "Gamma", relation = "has attack action of", tail = "Bite" },
]
""",
        encoding="utf-8",
    )
    (folder / "broken.toml").write_text("[topic\n", encoding="utf-8")
    quads, report = run_importer(SubgraphFolder(), folder, base_iri=f"{DATA_NS}test/")
    assert [(r.file, r.sheet, r.row, r.column) for r in report.rejected] == [
        ("broken.toml", None, None, None),
        ("gamma.toml", "attack", 2, "name"),
        ("gamma.toml", "attack", 3, "captoin"),
        ("gamma.toml", "relations", 1, "tail"),
        ("gamma.toml", "relations", 2, "relation"),
        ("gamma.toml", "relations", 3, "tail"),
    ]
    assert (node("gamma"), mhw("hasAttackActionOf"), node("gamma/bite")) in triples(quads)
    assert node("gamma/kick") not in {q.subject for q in quads}


def test_strict_stops_at_the_first_bad_row(folder: Path, run_importer: Run) -> None:
    (folder / "broken.toml").write_text("[topic\n", encoding="utf-8")
    with pytest.raises(ImportFailed, match=r"broken\.toml"):
        run_importer(SubgraphFolder(), folder, strict=True)


def test_a_new_condition_mints_a_subproperty(folder: Path, run_importer: Run) -> None:
    text = ALPHA.replace('condition = "is angry"', 'condition = "is juggling"')
    (folder / "alpha.toml").write_text(text, encoding="utf-8")
    quads, report = run_importer(SubgraphFolder(), folder, base_iri=f"{DATA_NS}test/")
    juggling = mhw("continuesWithAttackActionOf-isJuggling")
    assert report.new_relations == [juggling.value]
    assert (juggling, terms.RDFS_SUBPROPERTY_OF, mhw("continuesWithAttackActionOf")) in triples(quads)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("base_iri = 3", "base_iri must be a text"),
        ('base_iri = "http://example.org"', "end in / or #"),
        ('base_iri = "http://example.org/"', "must name at least one table"),
        ('base_iri = "http://example.org/"\ncolour = "red"', "unknown key colour"),
        ("[tables", "dataset.toml"),
        (
            'base_iri = "http://example.org/"\n[tables]\na = {class="A", topic=true}\nb = {class="B", topic=true}',
            "one",
        ),
    ],
)
def test_a_bad_description_stops_the_import(tmp_path: Path, run_importer: Run, text: str, reason: str) -> None:
    (tmp_path / "dataset.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ImportFailed, match=reason):
        run_importer(SubgraphFolder(), tmp_path)


def test_recognises_a_folder_with_a_description_only(folder: Path) -> None:
    assert SubgraphFolder().recognises(folder)
    assert not SubgraphFolder().recognises(folder / "alpha.toml")
    assert not SubgraphFolder().recognises(folder.parent)
