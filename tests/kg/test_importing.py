"""Importing a source: whole or not at all, the same twice as once, and what it declares."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed, NothingImported
from kg.home import Home
from kg.importing import import_path
from kg.rdf_loading import words
from ontology import terms
from ontology.terms import CATALOGUE_GRAPH, SOURCES_GRAPH, facts_graph, source_graph

EX = "http://example.org/"
TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:a a ex:Thing ; rdfs:label "a" ; ex:partOf ex:b ; ex:seen "once", 2, ex:c ; ex:has_URL ex:page .
ex:b ex:size 3 ; ex:linkedTo [ ex:inside ex:a ] ; rdfs:seeAlso ex:a .
ex:linkedTo rdfs:label "est lié à"@fr, "is linked to"@en .
ex:has_URL a owl:AnnotationProperty .
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def write(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def quads(home: Home, graph: ox.NamedNode | None = None) -> set[ox.Quad]:
    with home.snapshot() as snapshot:
        return set(snapshot.store.quads_for_pattern(None, None, None, graph))


def canonical(home: Home) -> str:
    dataset = ox.Dataset(quads(home))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return "\n".join(sorted(str(quad) for quad in dataset))


def catalogue(home: Home) -> dict[str, str]:
    """IRI → label of the relations in the catalogue graph."""
    held = quads(home, CATALOGUE_GRAPH)
    bases = {quad.subject for quad in held if quad.predicate == terms.BASE_RELATION}
    return {
        str(quad.subject).strip("<>"): quad.object.value
        for quad in held
        if quad.predicate == terms.RDFS_LABEL and quad.subject in bases and isinstance(quad.object, ox.Literal)
    }


SYNTAXES = [
    (".ttl", ox.RdfFormat.TURTLE),
    (".trig", ox.RdfFormat.TRIG),
    (".nt", ox.RdfFormat.N_TRIPLES),
    (".nq", ox.RdfFormat.N_QUADS),
    (".rdf", ox.RdfFormat.RDF_XML),
    (".owl", ox.RdfFormat.RDF_XML),
    (".owl", ox.RdfFormat.TURTLE),
    (".jsonld", ox.RdfFormat.JSON_LD),
]


@pytest.mark.parametrize("gz", ["", ".gz"])
@pytest.mark.parametrize(("suffix", "syntax"), SYNTAXES)
def test_every_syntax_gives_the_same_graph(
    home: Home, tmp_path: Path, suffix: str, syntax: ox.RdfFormat, gz: str
) -> None:
    triples = [quad.triple for quad in ox.parse(TURTLE, ox.RdfFormat.TURTLE)]
    data = ox.serialize(triples if not syntax.supports_datasets else (ox.Quad(*t) for t in triples), format=syntax)
    assert data is not None
    report = import_path(home, write(tmp_path, f"g{suffix}{gz}", data))
    got = ox.Dataset(ox.Quad(q.subject, q.predicate, q.object) for q in quads(home, source_graph("g")))
    wanted = ox.Dataset(ox.Quad(*triple) for triple in triples)
    for dataset in (got, wanted):
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert got == wanted
    assert report.triples == len(triples)
    assert report.rejected == []


def test_named_graphs_of_a_document_are_merged_and_that_is_said(home: Home, tmp_path: Path) -> None:
    text = f"<{EX}a> <{EX}p> <{EX}b> <{EX}g1> .\n<{EX}a> <{EX}p> _:x <{EX}g2> .\n_:x <{EX}p> _:x .\n"
    report = import_path(home, write(tmp_path, "g.nq", text))
    assert len(quads(home, source_graph("g"))) == 3
    assert any("2 named graphs" in note for note in report.notes)


def test_blank_nodes_of_two_sources_never_meet(home: Home, tmp_path: Path) -> None:
    for name in ("one.nt", "two.nq", "three.nq"):
        import_path(home, write(tmp_path, name, f"_:x <{EX}p> <{EX}{name}> .\n"))
    subjects = {quad.subject for name in ("one", "two", "three") for quad in quads(home, source_graph(name))}
    assert len(subjects) == 3


def test_importing_twice_leaves_the_same_graph(home: Home, tmp_path: Path) -> None:
    path = write(tmp_path, "g.ttl", TURTLE)
    first_report = import_path(home, path)
    first = canonical(home)
    second_report = import_path(home, path)
    assert canonical(home) == first
    assert first_report.new_relations == second_report.new_relations
    assert any("was replaced" in note for note in second_report.notes)


def test_importing_again_takes_back_what_is_gone(home: Home, tmp_path: Path) -> None:
    import_path(home, write(tmp_path, "g.ttl", TURTLE))
    import_path(home, write(tmp_path, "g.ttl", f"<{EX}a> <{EX}other> <{EX}b> ."))
    assert len(quads(home, source_graph("g"))) == 1
    assert catalogue(home) == {EX + "other": "other"}


def test_a_relation_that_another_source_uses_too_stays(home: Home, tmp_path: Path) -> None:
    import_path(home, write(tmp_path, "one.ttl", f"<{EX}a> <{EX}shared> <{EX}b> ; <{EX}own> <{EX}b> ."))
    import_path(home, write(tmp_path, "two.ttl", f"<{EX}c> <{EX}shared> <{EX}d> ."))
    import_path(home, write(tmp_path, "one.ttl", f"<{EX}a> <{EX}new> <{EX}b> ."))
    assert set(catalogue(home)) == {EX + "shared", EX + "new"}
    import_path(home, write(tmp_path, "two.ttl", f"<{EX}c> <{EX}new> <{EX}d> ."))
    assert set(catalogue(home)) == {EX + "new"}


def test_properties_between_iris_become_base_relations(home: Home, tmp_path: Path) -> None:
    report = import_path(home, write(tmp_path, "g.ttl", TURTLE))
    assert catalogue(home) == {
        EX + "partOf": "part of",
        EX + "seen": "seen",  # one IRI among literals
    }
    assert report.new_relations == [EX + "partOf", EX + "seen"]
    assert f"new relation: 'part of', {EX}partOf" in report.as_text()
    edges = home.reader().select(f"SELECT ?o WHERE {{ <{EX}a> ?p ?o . ?p {terms.BASE_RELATION} ?p }}")
    assert {row["o"] for row in edges} >= {ox.NamedNode(EX + "b"), ox.NamedNode(EX + "c")}


def test_a_relation_takes_the_label_that_the_graph_gives_it(home: Home, tmp_path: Path) -> None:
    text = TURTLE + f"<{EX}a> <{EX}linkedTo> <{EX}b> ."
    import_path(home, write(tmp_path, "g.ttl", text))
    assert catalogue(home)[EX + "linkedTo"] == "is linked to"


def test_relations_of_the_ontology_and_of_the_graph_itself_are_not_declared_again(home: Home, tmp_path: Path) -> None:
    own = f"<{EX}own> <{terms.BASE_RELATION.value}> <{EX}own> ."
    text = f"<{EX}a> <{terms.MHW_NS}cause> <{EX}b> ; <{EX}own> <{EX}b> . {own}"
    report = import_path(home, write(tmp_path, "g.ttl", text))
    assert report.new_relations == []


@pytest.mark.parametrize(
    ("name", "label"),
    [("hasAttackActionOf", "has attack action of"), ("part_of", "part of"), ("P31", "P31"), ("hasURL", "has URL")],
)
def test_words_of_a_local_name(name: str, label: str) -> None:
    assert words(name) == label


def test_the_record_of_a_source_holds_no_time_and_no_path(home: Home, tmp_path: Path) -> None:
    import_path(home, write(tmp_path, "g.ttl", TURTLE))
    held = quads(home, SOURCES_GRAPH)
    assert {quad.subject for quad in held} == {source_graph("g"), terms.ONTOLOGY_GRAPH}
    assert not any(str(tmp_path) in str(quad) for quad in held)
    assert sum(quad.predicate == terms.SHA256 for quad in held) == 2


def test_a_failed_import_changes_nothing(home: Home, tmp_path: Path) -> None:
    import_path(home, write(tmp_path, "g.ttl", TURTLE))
    before = canonical(home)
    with pytest.raises(ImportFailed, match=r"g\.ttl, line 4: "):
        import_path(home, write(tmp_path, "g.ttl", f"<{EX}a> <{EX}p> <{EX}b> .\n\n<{EX}a> <{EX}p> \n"))
    assert canonical(home) == before


def test_a_source_without_a_sound_row_is_a_failure_that_carries_its_report(home: Home, tmp_path: Path) -> None:
    import_path(home, write(tmp_path, "g.nt", f"<{EX}a> <{EX}p> <{EX}b> ."))
    before = canonical(home)
    with pytest.raises(NothingImported, match=r"g\.nt, row 1") as failed:
        import_path(home, write(tmp_path, "g.nt", "what?\nnothing\n"))
    assert [rejection.row for rejection in failed.value.report.rejected] == [1, 2]
    assert canonical(home) == before
    with pytest.raises(NothingImported):
        import_path(home, write(tmp_path, "empty.ttl", "# nothing\n"))


def test_bad_lines_of_n_triples_are_reported_and_the_rest_is_imported(home: Home, tmp_path: Path) -> None:
    lines = [f"<{EX}s{number}> <{EX}p> _:b ." for number in range(6000)]
    lines[10] = "this is no triple"
    lines[5500] = f'<{EX}s> <{EX}p> "open .'
    lines.append("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"))
    report = import_path(home, write(tmp_path, "g.nt", "\n".join(lines).encode("latin-1")))
    assert [(r.file, r.row) for r in report.rejected] == [("g.nt", 11), ("g.nt", 5501), ("g.nt", 6001)]
    assert report.rejected[2].reason == "the line is not UTF-8"
    held = quads(home, source_graph("g"))
    assert len(held) == 5998
    assert len({quad.object for quad in held}) == 1  # one blank node, whatever batch its line was in


def test_strict_stops_at_the_first_bad_line_with_nothing_changed(home: Home, tmp_path: Path) -> None:
    path = write(tmp_path, "g.nt", f"<{EX}a> <{EX}p> <{EX}b> .\nthis is no triple\n")
    with pytest.raises(ImportFailed, match="line 2"):
        import_path(home, path, strict=True)
    assert home.current() is None


def test_a_missing_file_an_unknown_kind_and_a_web_page_are_named(home: Home, tmp_path: Path) -> None:
    with pytest.raises(ImportFailed, match="no such file"):
        import_path(home, tmp_path / "none.ttl")
    with pytest.raises(ImportFailed, match="no kind that can be imported: Turtle"):
        import_path(home, write(tmp_path, "notes.md", "# Notes"))
    with pytest.raises(ImportFailed, match=r"page\.ttl is an HTML page"):
        import_path(home, write(tmp_path, "page.ttl", "<!DOCTYPE html><html></html>"))
    with pytest.raises(ImportFailed, match="functional syntax"):
        import_path(home, write(tmp_path, "f.owl", "Prefix(:=<http://example.org/>)\nOntology(<http://example.org/o>)"))
    empty = tmp_path / "folder"
    empty.mkdir()
    with pytest.raises(ImportFailed, match="no kind that can be imported"):
        import_path(home, empty)


def test_the_name_of_a_source_is_its_file_name_unless_one_is_given(home: Home, tmp_path: Path) -> None:
    path = write(tmp_path, "My Graph.nt.gz", f"<{EX}a> <{EX}p> <{EX}b> .\n")
    assert import_path(home, path).source == "my-graph"
    assert import_path(home, path, name="Other").source == "other"
    assert quads(home, facts_graph("other")) == set()
    assert len(quads(home, source_graph("other"))) == 1


def test_the_report_is_plain_json_and_readable_text(home: Home, tmp_path: Path) -> None:
    report = import_path(home, write(tmp_path, "g.nt", f"<{EX}a> <{EX}p> <{EX}b> .\nbad\n"))
    said = json.loads(json.dumps(report.as_json()))
    assert said["rejected"] == [
        {"file": "g.nt", "reason": report.rejected[0].reason, "sheet": None, "row": 2, "column": None}
    ]
    assert said["triples"] == 1
    assert "rejected: g.nt, row 2: " in report.as_text()


def test_progress_says_what_goes_on(home: Home, tmp_path: Path) -> None:
    said: list[str] = []
    import_path(home, write(tmp_path, "g.nt", f"<{EX}a> <{EX}p> <{EX}b> .\n"), progress=said.append)
    assert "N-Triples" in said[0]
    assert "1 triples read" in said[-1]


def bomb() -> Iterator[str]:
    yield '<!ENTITY e0 "aaaaaaaaaa">'
    for level in range(1, 9):
        yield f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">'


@pytest.mark.parametrize(
    "declarations",
    [
        "".join(bomb()),
        '<!ENTITY e8 SYSTEM "file:///etc/passwd">',
        '<!ENTITY e8 PUBLIC "x" "http://127.0.0.1:1/x">',
        '<!ENTITY % e8 "&#60;!ENTITY e9 &#39;x&#39;>"> %e8;',
        f'<!ENTITY e8 "{"a" * 5000}">',
    ],
)
@pytest.mark.parametrize("suffix", [".rdf", ".owl.gz"])
def test_xml_entity_bombs_are_refused(home: Home, tmp_path: Path, declarations: str, suffix: str) -> None:
    rdf = terms.PREFIXES["rdf"]
    text = (
        f'<?xml version="1.0"?><!-- {"x" * 10_000} --><!DOCTYPE r [{declarations}]>'
        f'<rdf:RDF xmlns:rdf="{rdf}" xmlns:e="{EX}">'
        f'<rdf:Description rdf:about="{EX}s"><e:p>&e8;</e:p></rdf:Description></rdf:RDF>'
    )
    with pytest.raises(ImportFailed, match=r"XML entity e[18]"):
        import_path(home, write(tmp_path, f"g{suffix}", text))


def test_short_entities_for_namespaces_are_read(home: Home, tmp_path: Path) -> None:
    rdf = terms.PREFIXES["rdf"]
    text = (
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY ex "{EX}">]><rdf:RDF xmlns:rdf="{rdf}" xmlns:e="{EX}">'
        f'<rdf:Description rdf:about="&ex;s"><e:p rdf:resource="&ex;o"/></rdf:Description></rdf:RDF>'
    )
    import_path(home, write(tmp_path, "g.owl", text))
    (held,) = quads(home, source_graph("g"))
    assert held.object == ox.NamedNode(EX + "o")


def test_a_gzip_bomb_stops_at_its_bound(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.rdf_files.LEAST_UNPACKED_BYTES", 1 << 20)
    path = write(tmp_path, "g.nt.gz", b"# filling\n" * 2_000_000)
    assert path.stat().st_size < 100_000
    with pytest.raises(ImportFailed, match="unpacks to more than"):
        import_path(home, path)
    assert home.current() is None


def test_a_broken_gzip_file_is_one_line(home: Home, tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(f"<{EX}{n}> <{EX}p> <{EX}b> .\n".encode() for n in range(10_000)))
    path = tmp_path / "g.nt.gz"
    for data in (whole[: len(whole) // 2], whole[:-20] + b"x" * 20, whole[:500] + b"\0" * 500 + whole[1000:]):
        path.write_bytes(data)
        with pytest.raises(ImportFailed, match="broken gzip"):
            import_path(home, path)
    assert home.current() is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.nt", f"<{EX}a> <{EX}p> <<( <{EX}a> <{EX}p> <{EX}b> )>> .\n<{EX}a> <{EX}p> <{EX}b> .\n"),
        ("g.ttl", f"<< <{EX}a> <{EX}p> <{EX}b> >> <{EX}q> 1 ."),
        ("g.ttl", f"<{EX}a> <{EX}p> <{EX}b> {{| <{EX}q> 1 |}} ."),
        ("g.ttl", f"<{EX}a> <{EX}p> <{EX}b> ~ <{EX}r> ."),
        ("g.ttl", f'<{EX}a> <{EX}p> "x"@en--ltr .'),
        ("g.trig", f"<{EX}a> <{EX}p> <{EX}b> ~ <{EX}r> ."),
        ("g.nq", f"<{EX}a> <{EX}p> <<( <{EX}a> <{EX}p> <{EX}b> )>> <{EX}g> .\n"),
        ("g.nq", f'<{EX}a> <{EX}p> "x"@en--ltr .\n'),
    ],
)
def test_rdf_12_is_refused_because_other_tools_cannot_read_it(home: Home, tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(ImportFailed, match=r"RDF 1\.2"):
        import_path(home, write(tmp_path, name, text), strict=True)


def test_signs_of_rdf_12_inside_a_text_do_no_harm(home: Home, tmp_path: Path) -> None:
    path = write(tmp_path, "g.nt", f'<{EX}a> <{EX}p> "<< annotation >> @en--ltr" .\n')
    assert import_path(home, path, strict=True).triples == 1


def test_a_remote_json_ld_context_is_not_fetched(home: Home, tmp_path: Path) -> None:
    text = json.dumps({"@context": "http://127.0.0.1:1/context", "@id": EX + "a", "p": "x"})
    with pytest.raises(ImportFailed, match="never fetched: put the context into the document"):
        import_path(home, write(tmp_path, "g.jsonld", text))


def test_json_ld_that_would_be_dropped_in_silence_is_reported(home: Home, tmp_path: Path) -> None:
    node = {"@id": EX + "a b", EX + "p": [{"@value": "x", "@language": "en_GB"}]}
    report = import_path(home, write(tmp_path, "g.jsonld", json.dumps(node)))
    (held,) = quads(home, source_graph("g"))
    assert held.triple == ox.Triple(
        ox.NamedNode(EX + "a%20b"), ox.NamedNode(EX + "p"), ox.Literal("x", language="en-gb")
    )
    assert len(report.encoded) == 1
    assert len(report.retagged) == 1
    with pytest.raises(ImportFailed, match="a b"):
        import_path(home, tmp_path / "g.jsonld", strict=True)


def test_the_entities_of_an_rdf_file_are_counted(home: Home, tmp_path: Path) -> None:
    owls = """
    @prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix sf: <https://w3id.org/scoutfly/ns#> .
    ex:owl a ex:Bird ; rdfs:label "Owl" ; ex:eats ex:mouse ; sf:hasCaption [ a sf:Caption ; sf:text "An owl." ] .
    ex:mouse ex:eats ex:cheese . ex:lonely a sf:TopicEntity ; rdfs:label "Lonely" .
    ex:fact a sf:Fact . ex:Bird a <http://www.w3.org/2002/07/owl#Class> .
    """
    report = import_path(home, write(tmp_path, "owls.ttl", owls), dry_run=True)
    assert (report.entities, report.topic_entities) == (4, 1)
    assert "entities 4 (topic entities 1)" in report.as_text()
    assert not any("topic entities" in note for note in report.notes)


def test_of_a_large_source_entities_with_a_class_are_counted(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.importing.MOST_BY_EDGES", 5)
    report = import_path(home, write(tmp_path, "a.ttl", TURTLE), dry_run=True)
    assert report.entities == 1
    assert any("only entities that have a class" in note for note in report.notes)


def test_a_source_without_topic_entities_is_told_of(home: Home, tmp_path: Path) -> None:
    for dry_run in (True, False):
        report = import_path(home, write(tmp_path, "a.ttl", TURTLE), dry_run=dry_run)
        assert report.entities == 3  # a, b and c: the blank node has no IRI, and Thing is a class
        assert any("no topic entities" in note for note in report.notes)
