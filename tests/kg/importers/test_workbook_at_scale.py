"""The bundled graph written in the MH-MMKG layout and read back: what the TOML says outright must be inferred here."""

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from kg.importers.subgraphs import SubgraphFolder
from kg.importers.workbook import WorkbookFolder
from kg.iri import DATA_NS
from kg.report import ImportReport
from ontology import terms

BUNDLED = Path(__file__).parents[3] / "kg" / "mhw"
CLASSES = ("Monster", "AttackAction", "AttackPhase", "AttackEffect", "Element", "Weapon", "Prop")

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]


@pytest.fixture(scope="module")
def sub_graphs() -> list[dict[str, Any]]:
    """The parsed files of the bundled graph that have a topic."""
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(BUNDLED.glob("*.toml"))]
    return [tables for tables in files if "topic" in tables]


@pytest.fixture
def layout(tmp_path: Path, write_workbook: Callable[..., Path], sub_graphs: list[dict[str, Any]]) -> Path:
    """The bundled graph as workbooks. Its edges may call a thing by an alternative name, which the layout lacks."""
    for tables in sub_graphs:
        topic = tables["topic"]
        own = [topic, *(row for table in ("phase", "attack", "effect") for row in tables.get(table, ()))]
        names = {alternative: row["name"] for row in own for alternative in row.get("alt", ())}
        folder = tmp_path / "mmkg" / topic["name"]
        rows = [(row["name"], None, None, row.get("caption"), row.get("context")) for row in own]
        write_workbook(folder / "Node.xlsx", [("Name", "Image", "Video", "Description", "Information"), *rows])
        edges = [
            (
                names.get(edge["head"], edge["head"]),
                edge["relation"],
                edge.get("information"),
                f"When it {edge['condition']}." if "condition" in edge else None,
                names.get(edge["tail"], edge["tail"]),
            )
            for edge in tables["relations"]["edges"]
        ]
        write_workbook(folder / "Relations.xlsx", [("Head", "Relation", "Information", "Condition", "Tail"), *edges])
    return tmp_path


def counts(quads: set[ox.Quad]) -> dict[str, int]:
    """How many entities of each class stand in an edge; two weapons of the bundled graph stand in none."""
    edges = [q for q in quads if q.graph_name == terms.source_graph("test")]
    edges = [q for q in edges if q.predicate.value.startswith(terms.MHW_NS)]
    connected = {q.subject for q in edges} | {q.object for q in edges}
    kinds = Counter(q.object for q in quads if q.predicate == terms.RDF_TYPE and q.subject in connected)
    return {name: kinds[ox.NamedNode(terms.MHW_NS + name)] for name in CLASSES}


def test_classes_and_places_are_inferred(layout: Path, run_importer: Run) -> None:
    expected, _report = run_importer(SubgraphFolder(), BUNDLED, base_iri=f"{DATA_NS}test/")
    quads, report = run_importer(WorkbookFolder(), layout)
    assert not report.rejected
    assert not report.new_relations
    assert counts(quads) == counts(expected)
    untyped = {q.subject for q in quads if q.predicate == terms.RDF_TYPE and q.object == terms.ENTITY}
    assert not untyped


def test_edges_and_texts_come_through(layout: Path, run_importer: Run, sub_graphs: list[dict[str, Any]]) -> None:
    quads, report = run_importer(WorkbookFolder(), layout)
    source, facts = terms.source_graph("test"), terms.facts_graph("test")
    rows = [edge for tables in sub_graphs for edge in tables["relations"]["edges"]]
    described = [tables.get(table, ()) for tables in sub_graphs for table in ("phase", "attack", "effect")]
    edges = {q for q in quads if q.graph_name == source and q.predicate.value.startswith(terms.MHW_NS)}
    expected, _report = run_importer(SubgraphFolder(), BUNDLED, base_iri=f"{DATA_NS}test/")
    assert report.rows_read == len(rows) + len(sub_graphs) + sum(len(table) for table in described)
    assert Counter(q.predicate for q in edges) == Counter(
        q.predicate for q in expected if q.graph_name == source and q.predicate.value.startswith(terms.MHW_NS)
    )
    assert len({q.object for q in quads if q.predicate == terms.HAS_CAPTION}) == 265
    texts = {q.object for q in quads if q.graph_name == facts and q.predicate == terms.INFORMATION}
    assert {ox.Literal(edge["information"]) for edge in rows if "information" in edge} == texts
