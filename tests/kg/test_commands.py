"""The commands: data on stdout, progress on stderr, one line for an error."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner, Result

import scoutfly
from kg import commands
from kg.commands import COMMANDS
from kg.home import Home
from ontology import terms
from ontology.result import CheckResult, Outcome

EX = "http://example.org/"
TRIPLES = f'<{EX}a> <{EX}p> <{EX}b> .\n<{EX}a> <{terms.RDFS_LABEL.value}> "A <i>"@en-GB .\n'


@dataclass(frozen=True, slots=True)
class Shell:
    home: Path

    def __call__(self, *words: str | Path, stdin: str | None = None) -> Result:
        return CliRunner().invoke(scoutfly.main, ["--home", str(self.home), *map(str, words)], input=stdin)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home")


@pytest.fixture
def filled(shell: Shell, tmp_path: Path) -> Shell:
    path = tmp_path / "g.nt"
    path.write_text(TRIPLES)
    assert shell("import", path).exit_code == 0
    return shell


def test_every_command_has_help(shell: Shell) -> None:
    names = {str(command.name) for command in COMMANDS}
    assert names == {"import", "export", "stats", "query", "check", "infer"}
    for name in names:
        result = shell(name, "--help")
        assert result.exit_code == 0
        assert "Usage" in result.output


def test_import_reports_on_stdout_and_tells_its_progress_on_stderr(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    path.write_text(TRIPLES + "bad\n")
    result = shell("import", path, "--json", "--name", "My graph")
    assert result.exit_code == 0
    said = json.loads(result.stdout)
    assert said["source"] == "my-graph"
    assert said["triples"] == 2
    assert said["rejected"][0]["row"] == 3
    assert "reading" in result.stderr
    text = shell("import", path)
    assert "rejected: g.nt, row 3" in text.stdout
    assert not (text.stdout + text.stderr).count("Traceback")


def test_import_fails_in_one_line_with_status_1(shell: Shell, tmp_path: Path) -> None:
    result = shell("import", tmp_path / "none")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    bad = tmp_path / "bad.nt"
    bad.write_text("bad\n")
    result = shell("import", bad, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["rejected"][0]["row"] == 1
    assert "nothing was imported" in result.stderr
    result = shell("import", bad, "--strict")
    assert result.exit_code == 1
    assert "line 1" in result.stderr
    assert shell("import").exit_code == 2
    good = tmp_path / "good.nt"
    good.write_text(TRIPLES)
    result = shell("import", good, "--base-iri", "not an iri")
    assert result.exit_code == 1
    assert "--base-iri" in result.stderr


@pytest.mark.parametrize("options", [("--name", "Bundled MHW"), ()])
def test_the_name_of_the_bundled_graph_is_not_to_be_had(
    filled: Shell, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """The next command that reads would put the bundled graph in the place of such a source."""
    path = tmp_path / ("g2.nt" if options else "bundled-mhw.nt")
    path.write_text(TRIPLES)
    result = filled("import", path, *options)
    assert result.exit_code == 2
    assert "'bundled-mhw' is that of the bundled graph, which would replace it: give --name" in result.stderr


def test_export_by_file_name_and_to_stdout(filled: Shell, tmp_path: Path) -> None:
    for name, syntax in (("g.ttl", ox.RdfFormat.TURTLE), ("g.nq.gz", ox.RdfFormat.N_QUADS)):
        out = tmp_path / name
        assert filled("export", out).exit_code == 0
        data = out.read_bytes()
        triples = {quad.triple for quad in ox.parse(gzip.decompress(data) if name.endswith(".gz") else data, syntax)}
        assert ox.Triple(ox.NamedNode(EX + "a"), ox.NamedNode(EX + "p"), ox.NamedNode(EX + "b")) in triples
    result = filled("export", "-", "--format", "turtle")
    assert result.stdout_bytes == (tmp_path / "g.ttl").read_bytes()
    assert "statements written to stdout" in result.stderr
    for words in ([], ["-"]):
        assert filled("export", *words).stdout_bytes == (tmp_path / "g.ttl").read_bytes()
    result = filled("export", tmp_path / "g.unknown")
    assert result.exit_code == 2
    assert "give --format" in result.stderr


def test_export_of_one_source_with_its_description(filled: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other.nt"
    other.write_text(f"<{EX}x> <{EX}p> <{EX}y> .\n<{EX}x> <{EX}xown> <{EX}y> .\n")
    filled("import", other)
    options = ["--source", "g", "--title", "Mine", "--licence", "https://example.org/licence", "--prefix", f"ex={EX}"]
    result = filled("export", "-", "--format", "turtle", *options)
    assert result.exit_code == 0, result.stderr
    text = result.stdout
    assert "ex:a ex:p ex:b" in text.replace(";\n\t", "")
    assert "ex:x" not in text
    triples = {quad.triple for quad in ox.parse(text, ox.RdfFormat.TURTLE)}
    dataset = ox.NamedNode(terms.GRAPH_NS + "dataset")
    said = {triple.predicate: triple.object for triple in triples if triple.subject == dataset}
    assert said[terms.term("dcterms:title")] == ox.Literal("Mine")
    assert said[terms.term("dcterms:license")] == ox.NamedNode("https://example.org/licence")
    held = [quad for quad in triples if str(quad.subject).startswith(f"<{EX}")]
    assert said[terms.term("void:triples")] == ox.Literal(len(held))
    plain = filled("export", "-", "--format", "turtle", "--source", "g", "--no-metadata")
    assert "void" not in plain.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--source", "none"], "no source 'none'"),
        (["--prefix", f"_9={EX}"], "'_9' cannot be a prefix"),
        (["--prefix", "ex"], "NAME=IRI"),
        (["--licence", "relative"], "relative IRI"),
    ],
)
def test_export_says_what_is_wrong(filled: Shell, options: list[str], reason: str) -> None:
    result = filled("export", "-", "--format", "turtle", *options)
    assert result.exit_code == 1
    assert reason in result.stderr


def test_stats_as_text_and_json(filled: Shell) -> None:
    shown = filled("stats").stdout
    assert "triples" in shown
    assert "  vocabulary" in shown
    counted = json.loads(filled("stats", "--json").stdout)
    # The same number that infer works from.
    assert 0 < counted["vocabulary"] < counted["triples"]
    assert f"what follows from {counted['triples']} triples" in filled("infer").stderr
    assert json.loads(filled("stats", "--json").stdout)["edges"] == 1


def test_query_from_a_file_and_from_stdin(filled: Shell, tmp_path: Path) -> None:
    query = f"SELECT ?o ?l ?none WHERE {{ <{EX}a> <{EX}p> ?o ; rdfs:label ?l OPTIONAL {{ ?o <{EX}none> ?none }} }}"
    path = tmp_path / "q.rq"
    path.write_text(query)
    table = filled("query", path).stdout
    assert table.splitlines() == [
        "?o                      ?l           ?none",
        "----------------------  -----------  -----",
        "<http://example.org/b>  A <i>@en-gb",
        "(1 row)",
    ]
    said = json.loads(filled("query", "-", "--format", "json", stdin=query).stdout)
    assert said["results"]["bindings"][0]["o"]["value"] == EX + "b"


def test_ask_construct_and_describe(filled: Shell) -> None:
    assert filled("query", "-", stdin="ASK {}").stdout == "yes\n"
    assert filled("query", "-", "--format", "csv", stdin=f"ASK {{ <{EX}none> ?p ?o }}").stdout == "false\n"
    construct = f"CONSTRUCT {{ ?s <{EX}q> ?o }} WHERE {{ ?s <{EX}p> ?o }}"
    for fmt, syntax in (("ntriples", ox.RdfFormat.N_TRIPLES), ("jsonld", ox.RdfFormat.JSON_LD)):
        (quad,) = ox.parse(filled("query", "-", "--format", fmt, stdin=construct).stdout, syntax)
        assert quad.predicate == ox.NamedNode(EX + "q")
    assert f"<{EX}p>" in filled("query", "-", stdin=f"DESCRIBE <{EX}a>").stdout


@pytest.mark.parametrize(
    ("query", "options", "reason"),
    [
        ("SELECT", [], "the query failed"),
        ("INSERT DATA { <http://e/a> <http://e/p> 1 }", [], "the query failed"),
        ("SELECT * WHERE { ?s ?p ?o }", ["--format", "turtle"], "answers in table, json"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", ["--format", "csv"], "answers in turtle"),
    ],
)
def test_a_query_that_cannot_be_answered_is_one_line(
    filled: Shell, query: str, options: list[str], reason: str
) -> None:
    result = filled("query", "-", *options, stdin=query)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_query_that_is_no_text_is_one_line(filled: Shell, tmp_path: Path) -> None:
    path = tmp_path / "q.rq"
    path.write_bytes(b"\xff\xfe")
    result = filled("query", path)
    assert result.exit_code == 1
    assert result.stderr == f"Error: the query in {path} is not UTF-8: invalid start byte at byte 0\n"


def test_queries_see_what_is_inferred_and_every_graph_by_name(filled: Shell, tmp_path: Path) -> None:
    path = tmp_path / "more.ttl"
    path.write_text(f"<{EX}p> <{terms.RDFS_SUBPROPERTY_OF.value}> <{EX}q> .")
    filled("import", path)
    query = f"ASK {{ <{EX}a> <{EX}q> <{EX}b> }}"
    assert filled("query", "-", stdin=query).stdout == "no\n"
    assert "triples follow" in filled("infer").stdout
    assert filled("query", "-", stdin=query).stdout == "yes\n"
    in_graph = f"ASK {{ GRAPH {terms.source_graph('g')} {{ <{EX}a> <{EX}p> <{EX}b> }} }}"
    assert filled("query", "-", stdin=in_graph).stdout == "yes\n"


def test_check_says_what_failed_and_exits_with_1(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    results = [
        CheckResult("shapes", Outcome.PASSED, "fine"),
        CheckResult("consistency", Outcome.NOT_CHECKED, "no Java"),
    ]
    monkeypatch.setattr(commands, "run_checks", lambda ontology, data: results)
    assert filled("check").exit_code == 0
    results.append(CheckResult("counts", Outcome.FAILED, "two are wrong", ("one", "other")))
    result = filled("check")
    assert result.exit_code == 1
    assert "counts: failed: two are wrong\n  one\n  other" in result.stdout
    assert result.stderr == "Error: the check of counts failed\n"
    assert json.loads(filled("check", "--json").stdout)[2]["problems"] == ["one", "other"]


def test_check_tells_the_ontology_from_the_data(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[list[ox.Quad], list[ox.Quad]]] = []

    def remember(ontology: list[ox.Quad], data: list[ox.Quad]) -> list[CheckResult]:
        given.append((ontology, data))
        return []

    monkeypatch.setattr(commands, "run_checks", remember)
    filled("check")
    ((ontology, data),) = given
    assert {quad.graph_name for quad in ontology} == {terms.ONTOLOGY_GRAPH}
    assert {quad.graph_name for quad in data} == {terms.source_graph("g"), terms.CATALOGUE_GRAPH}


def test_the_first_reading_command_fills_an_empty_home(shell: Shell) -> None:
    result = shell("stats", "--json")
    assert json.loads(result.stdout)["topic_entities"] == 22 + 25  # the monsters, and what the sample is about
    assert "is empty: loading the bundled graph" in result.stderr
    assert "loading the sample with pictures and sounds" in result.stderr
    assert "loading" not in shell("stats").stderr


def test_a_home_that_another_process_writes_to_is_one_line(filled: Shell, tmp_path: Path) -> None:
    with Home(filled.home).write():
        result = filled("infer")
        assert result.exit_code == 1
        assert "is being written to by process" in result.stderr
