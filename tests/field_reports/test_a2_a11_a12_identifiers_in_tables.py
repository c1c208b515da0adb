"""A2, A11, A12 in tables: characters that no IRI may hold, line breaks from a cell, plain text taken for an IRI.

Identifiers are trimmed, their white space collapsed, then encoded; what a cell is comes from its column, never from
its characters.
"""

import io
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from kg.importers.triples import TripleTable
from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport
from ontology import terms

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
ID = "http://example.org/id/"


@pytest.mark.parametrize(
    ("cell", "part"),
    [
        ("less<than>more", "less%3Cthan%3Emore"),
        ("Planned/Actual date", "Planned%2FActual%20date"),
        ('"two\nlines"', "two%20lines"),
        ("  much   space ", "much%20space"),
        ("a{b}|c^d`e\\f", "a%7Bb%7D%7Cc%5Ed%60e%5Cf"),
        ("50%20", "50%2520"),
        ("http://not.mine/x", "http:%2F%2Fnot.mine%2Fx"),
        ("..", "%2E%2E"),
        ("Ōkami?#1", "Ōkami%3F%231"),
    ],
)
def test_an_identifier_is_one_encoded_segment(tmp_path: Path, run_importer: Run, cell: str, part: str) -> None:
    (tmp_path / "graph.csv").write_text(f"{cell},knows,plain\nplain,knows,other\n", encoding="utf-8")
    quads, report = run_importer(TripleTable(), tmp_path / "graph.csv")
    assert not report.rejected
    assert (ox.NamedNode(ID + part), ox.NamedNode(f"{ID}relation/knows"), ox.NamedNode(f"{ID}plain")) in {
        (q.subject, q.predicate, q.object) for q in quads
    }
    assert len(report.encoded) == 1
    assert len(rdflib.Graph().parse(data=_turtle(quads), format="turtle")) == len({q.triple for q in quads})


def test_names_of_a_workbook_are_trimmed_and_encoded(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    name = "  Tail\n Slam <A/B> "
    edges = [("Head", "Relation"), ("Zinogre", "has attack action of", None, None, name)]
    write_workbook(tmp_path / "Zinogre" / "Relations.xlsx", edges)
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", [("Name",), ("Tail Slam <A/B>", None, None, None, "One/two")])
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    slam = ox.NamedNode(f"{ID}zinogre/tail-slam-%3Ca%2Fb%3E")
    about = {(q.predicate, q.object) for q in quads if q.subject == slam}
    assert (terms.RDFS_LABEL, ox.Literal("Tail Slam <A/B>")) in about
    assert (terms.CONTEXT, ox.Literal("One/two")) in about
    assert report.entities == 2
    assert report.encoded == [f"'Tail Slam <A/B>' became <{slam.value}>"]


def test_a_relation_of_spaces_and_slashes_has_a_name_for_every_format(tmp_path: Path, run_importer: Run) -> None:
    (tmp_path / "graph.csv").write_text("a,born in / at %20,b\n", encoding="utf-8")
    quads, report = run_importer(TripleTable(), tmp_path / "graph.csv")
    assert len(report.new_relations) == 1
    assert "%" not in report.new_relations[0].removeprefix(ID)
    xml = rdflib.Graph().parse(data=_turtle(quads), format="turtle").serialize(format="xml")
    assert len(rdflib.Graph().parse(data=xml, format="xml")) == len({q.triple for q in quads})


def _turtle(quads: set[ox.Quad]) -> bytes:
    buffer = io.BytesIO()
    ox.serialize({quad.triple for quad in quads}, buffer, format=ox.RdfFormat.TURTLE)
    return buffer.getvalue()
