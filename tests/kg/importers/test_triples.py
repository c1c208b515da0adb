"""Tables of triples: small ones written for each test, and MarKG where it is at hand."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed
from kg.importers.triples import TripleFolder, TripleTable
from kg.report import ImportReport
from ontology import terms

ID = "http://example.org/id/"
MARKG = Path(__file__).parents[4] / "shared" / "data" / "markg"

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
Triples = set[tuple[object, object, object]]


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(ID + name)


def triples(quads: set[ox.Quad]) -> Triples:
    return {(quad.subject, quad.predicate, quad.object) for quad in quads}


def table(folder: Path, text: str, name: str = "graph.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", "|"])
@pytest.mark.parametrize("header", ["", "subject,predicate,object\n", "head_id,relation,tail_id\n"])
def test_delimiter_and_header_are_found(tmp_path: Path, run_importer: Run, delimiter: str, header: str) -> None:
    text = header + "Q1,part of,Q2\nQ2,part of,Q3\n"
    path = table(tmp_path, text.replace(",", delimiter))
    assert TripleTable().recognises(path)
    quads, report = run_importer(TripleTable(), path)
    assert report.rows_read == 2
    assert report.entities == 3
    assert report.new_relations == [f"{ID}relation/partOf"]
    assert (node("Q1"), node("relation/partOf"), node("Q2")) in triples(quads)
    assert (node("Q3"), terms.RDFS_LABEL, ox.Literal("Q3")) in triples(quads)


def test_a_header_says_where_the_columns_are(tmp_path: Path, run_importer: Run) -> None:
    path = table(tmp_path, "tail,weight,head,relation\nQ2,0.5,Q1,part of\n")
    quads, _report = run_importer(TripleTable(), path)
    assert (node("Q1"), node("relation/partOf"), node("Q2")) in triples(quads)


def test_quotes_belong_to_commas_and_not_to_tabs(tmp_path: Path, run_importer: Run) -> None:
    quads, _report = run_importer(TripleTable(), table(tmp_path, '"Smith, John",knows,"A ""B"" C"\n'))
    labels = {q.object for q in quads if q.predicate == terms.RDFS_LABEL}
    assert {ox.Literal("Smith, John"), ox.Literal('A "B" C')} <= labels
    quads, report = run_importer(TripleTable(), table(tmp_path, 'a\tknows\t5" disk\nb\tknows\t"c\n', "graph.tsv"))
    assert not report.rejected
    labels = {q.object for q in quads if q.predicate == terms.RDFS_LABEL}
    assert {ox.Literal('5" disk'), ox.Literal('"c')} <= labels


def test_the_report_says_what_was_encoded(tmp_path: Path, run_importer: Run) -> None:
    _quads, report = run_importer(TripleTable(), table(tmp_path, "Ridley Scott,directed,Alien\n"))
    assert report.encoded == [f"graph.csv, row 1: 'Ridley Scott' became <{ID}Ridley%20Scott>"]


def test_letter_case_tells_identifiers_apart(tmp_path: Path, run_importer: Run) -> None:
    _quads, report = run_importer(TripleTable(), table(tmp_path, "a b,r,A B\na-b,r,A b\n"))
    assert report.entities == 4


def test_a_column_of_iris_holds_iris(tmp_path: Path, run_importer: Run) -> None:
    text = "http://a.example/1,<http://a.example/p>,http://a.example/2\nhttp://a.example/1,<http://a.example/p>,oops\n"
    many = "http://a.example/1,<http://a.example/p>,http://a.example/3\n" * 99
    quads, report = run_importer(TripleTable(), table(tmp_path, many + text))
    first, part, second = (ox.NamedNode(f"http://a.example/{name}") for name in ("1", "p", "2"))
    assert (first, part, second) in triples(quads)
    assert [(r.row, r.column) for r in report.rejected] == [(101, "tail")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.txt", b"Prose, with commas, here and there.\nAnd lines without.\nAnd more.\n"),
        ("empty.csv", b""),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00"),
        ("graph.md", b"a,b,c\n"),
    ],
)
def test_what_is_no_table_is_not_recognised(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert not TripleTable().recognises(tmp_path / name)


def test_a_table_of_two_columns_fails_with_a_reason(tmp_path: Path, run_importer: Run) -> None:
    with pytest.raises(ImportFailed, match="no three columns"):
        run_importer(TripleTable(), table(tmp_path, "a,b\nc,d\n"))


def test_bytes_that_are_not_utf_8_cost_their_row_alone(tmp_path: Path, run_importer: Run) -> None:
    (tmp_path / "graph.csv").write_bytes(b"a,r,b\nc,r,caf\xe9\nd,r,e\n")
    quads, report = run_importer(TripleTable(), tmp_path / "graph.csv")
    assert [(r.file, r.row) for r in report.rejected] == [("graph.csv", 2)]
    assert {node("a"), node("d")} <= {q.subject for q in quads}


def test_unicode_text_of_spreadsheet_programs_is_read(tmp_path: Path, run_importer: Run) -> None:
    (tmp_path / "graph.txt").write_bytes("é\tr\tb\n".encode("utf-16"))
    quads, _report = run_importer(TripleTable(), tmp_path / "graph.txt")
    assert node("é") in {q.subject for q in quads}


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A folder of triples with four files of labels."""
    table(tmp_path, "Q1,P1,Q2\nQ1,P1,Q2\nQ3,P2,Q1\n", "triples.csv")
    table(tmp_path, "id\tlabel\nQ1\tTwin\nQ2\tTwin\nQ9\tHermit\nQ1\tTwo\n", "entities.tsv")
    table(tmp_path, "Q1\tThe first of two.\n", "entity_descriptions.tsv")
    table(tmp_path, "P1\tsibling of\nP9\tunused\n", "relations.tsv")
    table(tmp_path, "P1\tshares a parent with\n", "relation_descriptions.tsv")
    table(tmp_path, "not read", ".hidden.csv")
    return tmp_path


def test_identity_is_the_identifier_never_the_label(labelled: Path, run_importer: Run) -> None:
    quads, report = run_importer(TripleFolder(), labelled)
    said = triples(quads)
    assert (node("Q1"), terms.RDFS_LABEL, ox.Literal("Twin")) in said
    assert (node("Q2"), terms.RDFS_LABEL, ox.Literal("Twin")) in said
    assert (node("Q1"), terms.SKOS_ALT_LABEL, ox.Literal("Two")) in said
    assert (node("Q1"), terms.CONTEXT, ox.Literal("The first of two.")) in said
    assert (node("Q9"), terms.RDFS_LABEL, ox.Literal("Hermit")) in said
    assert report.entities == 4


def test_relations_keep_their_identifier_and_get_their_label(labelled: Path, run_importer: Run) -> None:
    quads, report = run_importer(TripleFolder(), labelled)
    said = triples(quads)
    sibling = node("relation/P1")
    assert (node("Q1"), sibling, node("Q2")) in said
    assert (sibling, terms.RDFS_LABEL, ox.Literal("sibling of")) in said
    assert (sibling, terms.RDFS_COMMENT, ox.Literal("shares a parent with")) in said
    assert report.new_relations == [f"{ID}relation/P1", f"{ID}relation/P2"]


def test_dangling_and_repeated_rows_are_told_once(labelled: Path, run_importer: Run) -> None:
    _quads, report = run_importer(TripleFolder(), labelled)
    notes = "\n".join(report.notes)
    assert "in a triple, but without a label in entities.tsv (1): Q3" in notes
    assert "in a triple, but without a label in relations.tsv (1): P2" in notes
    assert "described, but in no triple (1): Q9" in notes
    assert "in relations.tsv, but in no triple (1): P9" in notes
    assert "rows that repeat an earlier triple (1): 2" in notes
    assert not report.rejected


def test_a_bad_row_of_labels_is_named(labelled: Path, run_importer: Run) -> None:
    table(labelled, "Q1\t\n\tNobody\nQ2\tSecond\n", "entities.tsv")
    _quads, report = run_importer(TripleFolder(), labelled)
    assert [(r.file, r.row, r.column) for r in report.rejected] == [
        ("entities.tsv", 1, "text"),
        ("entities.tsv", 2, "identifier"),
    ]


@pytest.mark.skipif(not MARKG.is_dir(), reason="MarKG is not at hand (../shared/data/markg)")
def test_markg_is_read_whole(run_importer: Run) -> None:
    quads, report = run_importer(TripleFolder(), MARKG, base_iri="http://www.wikidata.org/entity/")
    labels = [q for q in quads if q.predicate == terms.RDFS_LABEL and q.graph_name == terms.source_graph("test")]
    edges = [q for q in quads if "/relation/" in q.predicate.value]
    assert not report.rejected
    assert report.rows_read == 33_307 + 2 * 11_292 + 2 * 192
    assert report.entities == 11_292
    assert len(labels) == 11_292
    assert len(edges) == 33_307 - 6
    bearers = Counter(q.object for q in labels)
    assert sum(number > 1 for number in bearers.values()) == 291
    algeria = ox.NamedNode("http://www.wikidata.org/entity/Q262")
    assert (algeria, terms.CONTEXT, ox.Literal("country in North Africa")) in triples(quads)
