"""What is written reads back as the same graph, in pyoxigraph and in rdflib, and is the same bytes every time."""

import gzip
import io
import random
import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.compare import isomorphic

from kg.blank_nodes import named_by_content
from kg.errors import BadTerm, ExportFailed
from kg.exporting import FORMATS, Format, export, format_of
from ontology.terms import PREFIXES

EX = "http://example.org/"
XSD = PREFIXES["xsd"]
S, P, OBJ = (ox.NamedNode(EX + name) for name in "spo")
LITERALS = [
    ox.Literal(""),
    ox.Literal(" two  spaces "),
    ox.Literal("line\nline\r\nline\rtab\t"),
    ox.Literal("<&>\"'\\ ]]>"),
    ox.Literal("é 🐉 \u0301 \u0085 \u2028"),
    ox.Literal("colour", language="en-gb"),
    ox.Literal("007"),
    ox.Literal(0),
    ox.Literal(False),
    ox.Literal("1.10", datatype=ox.NamedNode(XSD + "decimal")),
    ox.Literal("1e3", datatype=ox.NamedNode(XSD + "double")),
    ox.Literal("<b>x</b>", datatype=ox.NamedNode(PREFIXES["rdf"] + "XMLLiteral")),
    ox.Literal("x", datatype=ox.NamedNode(EX + "type.")),
]
LOCAL_NAMES = [
    *("plain", "a/b", "a.b", "dot.", "-10", ".a", "This_(journal)", "a,b;c", "a!b*c+d=e@f:g~h$i&j'k", "%20", "a%20"),
    *("é", "1", "_a", "a-", "😀", "a·b", "q?x=1&y=2", "h#", "x/", "", "a\u0301"),
]
SERIALIZERS = {"turtle": "turtle", "ntriples": "nt", "rdfxml": "xml", "jsonld": "json-ld", "trig": "trig"} | {
    "nquads": "nquads"
}
FMT = [pytest.param(one, id=one.name) for one in FORMATS.values()]


def awkward() -> list[ox.Quad]:
    nodes = [ox.NamedNode(EX + name) for name in LOCAL_NAMES] + [ox.NamedNode("urn:isbn:1"), ox.NamedNode("tag:x,1:")]
    quads = [ox.Quad(node, P, other) for node, other in zip(nodes, reversed(nodes), strict=True)]
    quads += [ox.Quad(node, ox.NamedNode(PREFIXES["rdf"] + "type"), node) for node in nodes]
    quads += [ox.Quad(S, P, literal) for literal in LITERALS]
    quads += [ox.Quad(S, ox.NamedNode(EX + name), OBJ) for name in ("é", "_a", "a-b.c", "a/b", "term%20x", "a·b")]
    one, two = ox.BlankNode(), ox.BlankNode()
    return [*quads, ox.Quad(S, P, one), ox.Quad(one, P, two), ox.Quad(two, P, one), ox.Quad(two, P, ox.Literal("x"))]


def written(quads: list[ox.Quad], fmt: Format, **options: object) -> bytes:
    buffer = io.BytesIO()
    export(quads, fmt, buffer, **options)  # type: ignore[arg-type]
    return buffer.getvalue()


def in_rdflib(data: bytes, name: str) -> rdflib.Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rdflib warns of literals that it would write otherwise
        dataset = rdflib.Dataset()
        dataset.parse(data=data, format=name)
        graph = rdflib.Graph()
        for subject, predicate, value, _ in dataset.quads((None, None, None, None)):
            graph.add((subject, predicate, value))
        return graph


def same(one: list[ox.Quad], other: list[ox.Quad]) -> bool:
    datasets = [ox.Dataset(ox.Quad(q.subject, q.predicate, q.object) for q in quads) for quads in (one, other)]
    for dataset in datasets:
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return datasets[0] == datasets[1]


@pytest.mark.parametrize("fmt", FMT)
@pytest.mark.parametrize("prefixes", [PREFIXES, {**PREFIXES, "ex": EX, "u": "urn:", "d": EX + "d"}, {}])
def test_awkward_graphs_read_back_the_same_in_both_libraries(fmt: Format, prefixes: dict[str, str]) -> None:
    quads = awkward()
    data = written(quads, fmt, prefixes=prefixes)
    assert same(list(ox.parse(data, fmt.syntax)), quads)
    wanted = in_rdflib(written(quads, FORMATS["ntriples"]), "nt")
    assert len(wanted) == len(set(quads))
    assert isomorphic(in_rdflib(data, SERIALIZERS[fmt.name]), wanted)


@pytest.mark.parametrize("fmt", FMT)
def test_the_same_graph_is_the_same_bytes_in_whatever_order_it_comes(fmt: Format) -> None:
    first = written(awkward(), fmt)
    again = awkward()  # with other blank nodes
    random.Random(1).shuffle(again)
    assert written([*again, *again], fmt) == first


@pytest.mark.parametrize("fmt", FMT)
def test_gzipped_bytes_hold_no_time_and_no_name(fmt: Format, tmp_path: Path) -> None:
    one, two = tmp_path / "one.gz", tmp_path / "two.gz"
    export(awkward(), fmt, one, gzip=True)
    export(awkward(), fmt, two, gzip=True)
    assert one.read_bytes() == two.read_bytes() == written(awkward(), fmt, gzip=True)
    assert gzip.decompress(one.read_bytes()) == written(awkward(), fmt)


def test_another_process_with_another_hash_seed_writes_the_same_bytes() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests/kg'); import test_exporting as t\n"
        "for fmt in t.FORMATS.values(): sys.stdout.buffer.write(t.written(t.awkward(), fmt))"
    )
    root = Path(__file__).parents[2]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 10_000


@pytest.mark.parametrize("fmt", FMT)
def test_graph_names_are_kept_where_the_format_has_them(fmt: Format) -> None:
    graph = ox.NamedNode(EX + "g")
    quads = [ox.Quad(S, P, OBJ, graph), ox.Quad(S, P, OBJ)]
    names = [quad.graph_name for quad in ox.parse(written(quads, fmt), fmt.syntax)]
    assert set(names) == ({graph, ox.DefaultGraph()} if fmt.has_graphs else {ox.DefaultGraph()})
    assert len(names) == (2 if fmt.has_graphs else 1)


@pytest.mark.parametrize("fmt", FMT)
def test_an_empty_graph_can_be_written(fmt: Format) -> None:
    assert list(ox.parse(written([], fmt), fmt.syntax)) == []


@pytest.mark.parametrize("local", ["123", "x/", "term%20", "-10", "a(b)", "😀", ""])
def test_a_predicate_that_xml_cannot_hold_is_named_and_other_formats_are_offered(local: str) -> None:
    quads = [ox.Quad(S, ox.NamedNode(EX + local), OBJ)]
    with pytest.raises(ExportFailed, match=r"predicate <http.*>: write Turtle or N-Triples"):
        written(quads, FORMATS["rdfxml"])
    for name in ("turtle", "ntriples", "jsonld"):
        assert same(list(ox.parse(written(quads, FORMATS[name]), FORMATS[name].syntax)), quads)


def test_a_text_that_xml_cannot_hold_is_named() -> None:
    quads = [ox.Quad(S, P, ox.Literal("bell \a"))]
    with pytest.raises(ExportFailed, match=r"control characters in a text of <http://example\.org/s>"):
        written(quads, FORMATS["rdfxml"])
    for name in ("turtle", "ntriples", "jsonld"):
        assert isomorphic(
            in_rdflib(written(quads, FORMATS[name]), SERIALIZERS[name]),
            in_rdflib(written(quads, FORMATS["nquads"]), "nquads"),
        )


@pytest.mark.parametrize(
    "value", [ox.Triple(S, P, OBJ), ox.Literal("x", language="en", direction=ox.BaseDirection.LTR)]
)
def test_rdf_12_is_never_written(value: ox.Triple | ox.Literal) -> None:
    for fmt in FORMATS.values():
        with pytest.raises(ExportFailed, match=r"RDF 1\.2"):
            written([ox.Quad(S, P, value)], fmt)


def test_a_failed_export_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "graph.rdf"
    export([ox.Quad(S, P, OBJ)], FORMATS["rdfxml"], path)
    before = path.read_bytes()
    with pytest.raises(ExportFailed):
        export([ox.Quad(S, P, ox.Literal("\a"))], FORMATS["rdfxml"], path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["graph.rdf"]
    with pytest.raises(ExportFailed, match="cannot be written"):
        export([ox.Quad(S, P, OBJ)], FORMATS["turtle"], tmp_path / "none" / "graph.ttl")


@pytest.mark.parametrize("prefix", ["_9", "9a", "", "a.", "a b", "-a", "xmlns", "a:b"])
def test_an_illegal_prefix_is_refused_by_name(prefix: str) -> None:
    with pytest.raises(BadTerm, match="cannot be a prefix"):
        written([], FORMATS["turtle"], prefixes={prefix: EX})


def test_a_prefix_must_stand_for_an_iri() -> None:
    with pytest.raises(BadTerm, match="is no IRI"):
        written([], FORMATS["turtle"], prefixes={"a": "not an iri"})


@pytest.mark.parametrize(
    ("name", "fmt"), [("a.ttl", "turtle"), ("a.TTL", "turtle"), ("a.b.nt.gz", "ntriples"), ("a.gz", None), ("-", None)]
)
def test_a_file_name_says_its_format(name: str, fmt: str | None) -> None:
    found = format_of(Path(name))
    assert (found.name if found else None) == fmt


def ring(size: int, *, closed: bool = True) -> list[ox.Quad]:
    nodes = [ox.BlankNode() for _ in range(size)]
    pairs = list(pairwise(nodes)) + ([(nodes[-1], nodes[0])] if closed else [])
    return [quad for one, two in pairs for quad in (ox.Quad(one, P, two), ox.Quad(one, OBJ, S))]


@pytest.mark.parametrize(
    "make",
    [
        lambda: ring(400, closed=False),  # RDFC-1.0 does not end on this
        lambda: ring(50),
        lambda: [quad for _ in range(30) for quad in ring(3)],
        lambda: [*ring(3), *ring(6)],
        lambda: [ox.Quad(ox.BlankNode(), P, ox.BlankNode()) for _ in range(50)],
        lambda: [ox.Quad(S, P, OBJ, ox.BlankNode()), ox.Quad(S, P, S, ox.BlankNode())],
    ],
    ids=["chain", "ring", "equal rings", "rings", "equal pairs", "graph names"],
)
def test_blank_nodes_that_look_alike_are_named_by_content(make: "type[list[ox.Quad]]") -> None:
    first, second = make(), make()
    random.Random(2).shuffle(second)
    named = [sorted(str(quad) for quad in named_by_content(quads)) for quads in (first, second)]
    assert named[0] == named[1]
    assert len(set(named[0])) == len(first)
