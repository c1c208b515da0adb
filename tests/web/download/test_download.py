"""The download page, the files, the citations."""

import gzip
import hashlib
import io
import json
import threading
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox
import pytest
import rdflib
from flask.testing import FlaskClient

from kg.exporting import FORMATS
from kg.home import Home
from kg.importing import import_path
from ontology import terms
from tests.web.download.conftest import site_over
from tests.web.markup import Page
from tests.web.stage import site_of, stage
from web.app import create_app
from web.download.citing import STYLES, of_graph, plain
from web.download.datasets import DataSet
from web.download.files import Files
from web.download.wanted import Wanted
from web.errors import NotHeld, Preparing

MONSTER = quote(terms.MHW_NS + "Monster", safe="")


@pytest.fixture
def cafe(tmp_path: Path) -> Home:
    """A home with one small source of its own."""
    (tmp_path / "cafe.ttl").write_text(
        '<http://example.org/a> a <http://example.org/Machine> ; <http://www.w3.org/2000/01/rdf-schema#label> "A" .'
    )
    home = Home(tmp_path / "home")
    import_path(home, tmp_path / "cafe.ttl")
    return home


def test_the_page_lists_every_format_and_shows_what_is_known(home_client: FlaskClient) -> None:
    home_client.get("/download/graph.nq.gz", buffered=True)
    response = home_client.get("/download", buffered=True)
    page = Page(response.get_data(as_text=True))
    links = {link["href"] for link in page.all("a", download="")}
    for fmt in FORMATS.values():
        assert {f"/download/graph{fmt.suffix}", f"/download/source/bundled-mhw{fmt.suffix}.gz"} <= links
    assert "CC BY 4.0" in page.text
    assert "The Scoutfly authors" in page.text
    checksum = home_client.get("/download/graph.nq.gz.sha256", buffered=True).get_data(as_text=True)
    assert checksum.split()[0][:12] in page.text


@pytest.mark.parametrize("name", FORMATS)
def test_the_whole_graph_in_each_format(home_client: FlaskClient, name: str) -> None:
    fmt = FORMATS[name]
    response = home_client.get(f"/download/graph{fmt.suffix}", buffered=True)
    assert response.status_code == 200
    assert response.mimetype == fmt.syntax.media_type
    assert f"scoutfly-graph{fmt.suffix}" in response.headers["Content-Disposition"]
    triples = {quad.triple for quad in ox.parse(response.data, format=fmt.syntax)}
    assert len(triples) > 8000
    packed = home_client.get(f"/download/graph{fmt.suffix}.gz", buffered=True)
    assert packed.mimetype == "application/gzip"
    assert "Content-Encoding" not in packed.headers
    assert gzip.decompress(packed.data) == response.data


def test_the_same_graph_gives_the_bytes_of_the_command_line(home_client: FlaskClient, bundled_home: Home) -> None:
    from click.testing import CliRunner

    from kg.commands import export_command

    class Settings:
        home = bundled_home
        home_dir = bundled_home.path

    written = CliRunner().invoke(export_command, [], obj=Settings()).stdout_bytes
    assert home_client.get("/download/graph.ttl", buffered=True).data == written


def test_asking_again_with_what_was_sent(home_client: FlaskClient) -> None:
    first = home_client.get("/download/graph.ttl", buffered=True)
    tag = first.headers["ETag"]
    again = home_client.get("/download/graph.ttl", headers={"If-None-Match": tag}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")
    head = home_client.head("/download/graph.ttl", buffered=True)
    assert (head.status_code, head.data) == (200, b"")
    assert int(head.headers["Content-Length"]) == len(first.data)
    part = home_client.get("/download/graph.ttl", headers={"Range": "bytes=0-9"}, buffered=True)
    assert (part.status_code, part.data) == (206, first.data[:10])
    assert hashlib.sha256(first.data).hexdigest() in tag
    assert "Last-Modified" not in first.headers


def test_a_class(home_client: FlaskClient) -> None:
    chosen = home_client.get(f"/download/class?iri={MONSTER}&format=.nt.gz", buffered=True)
    assert chosen.status_code == 303
    response = home_client.get(chosen.headers["Location"], buffered=True)
    assert "Monster.nt.gz" in response.headers["Content-Disposition"]
    graph = rdflib.Graph().parse(data=gzip.decompress(response.data), format="nt")
    monsters = set(graph.subjects(rdflib.RDF.type, rdflib.URIRef(terms.MHW_NS + "Monster")))
    assert len(monsters) == 22


def test_the_description_on_its_own(home_client: FlaskClient) -> None:
    response = home_client.get("/download/metadata.ttl", buffered=True)
    graph = rdflib.Graph().parse(data=response.data, format="turtle")
    dataset = graph.value(None, rdflib.RDF.type, rdflib.URIRef("http://www.w3.org/ns/dcat#Dataset"))
    licence = graph.value(dataset, rdflib.DCTERMS.license)
    assert str(licence) == "https://creativecommons.org/licenses/by/4.0/"
    assert len(graph) < 100


@pytest.mark.parametrize(
    "path",
    [
        "/download/graph.exe",
        "/download/graph",
        "/download/graph.ttl.zip",
        "/download/nothing.ttl",
        "/download/source/nothing.ttl",
        "/download/source/..%2f..%2fetc%2fpasswd",
        "/download/source/%2e%2e.ttl",
        "/download/class.ttl",
        "/download/class.ttl?iri=http://example.org/none",
        "/download/class.ttl?iri=%00",
        f"/download/class?iri={MONSTER}&format=../x",
        "/download/citation.doc",
        "/download/source/bundled-mhw/other.txt",
    ],
)
def test_what_is_not_there(home_client: FlaskClient, path: str) -> None:
    assert home_client.get(path).status_code == 404


def test_citations(home_client: FlaskClient) -> None:
    bib = home_client.get("/download/citation.bib", buffered=True).get_data(as_text=True)
    assert bib.startswith("@misc{")
    assert "CC BY 4.0" in bib
    cff = home_client.get("/download/source/bundled-mhw/citation.cff", buffered=True).get_data(as_text=True)
    assert "cff-version: 1.2.0" in cff
    assert "license: CC-BY-4.0" in cff
    for line in cff.splitlines():
        _, _, value = line.partition(": ")
        if value.startswith('"'):
            json.loads(value)


def test_nobody_is_named_for_the_work_of_others() -> None:
    named = DataSet("a", "Named", "Turtle", "", 1, "", creator="Ada")
    nameless = DataSet("birds", "birds", "Turtle", "", 1, "")
    assert plain(of_graph([named, nameless], triples=2, address="x")).startswith("Ada: Named, birds. ")
    assert plain(of_graph([nameless], triples=2, address="x")).startswith("birds. RDF data set")
    for write, _, _ in STYLES.values():
        assert "author of" not in write(of_graph([named, nameless], triples=2, address="x"))
        assert "authors of" not in write(of_graph([nameless], triples=2, address="x"))
    assert "author" not in STYLES[".bib"][0](of_graph([nameless], triples=2, address="x"))


def test_a_year_and_a_version_are_named_where_the_source_states_them() -> None:
    dated = DataSet("a", "Dated", "Turtle", "", 1, "", creator="Ada", issued="2024-05-01", version="1.2")
    whole = of_graph([dated], triples=1, address="https://graph.example.org/download")
    assert STYLES[".txt"][0](whole).startswith("Ada (2024): Dated. Version 1.2. ")
    assert "year = {2024}" in STYLES[".bib"][0](whole) and "version = {1.2}" in STYLES[".bib"][0](whole)
    assert "date-released: 2024-05-01\nversion: " in STYLES[".cff"][0](whole)
    other = DataSet("b", "Other", "Turtle", "", 1, "")
    assert of_graph([dated, other], triples=1, address="x").year == ""


def test_an_address_that_others_cannot_open_is_not_cited(home_client: FlaskClient) -> None:
    for path, own in (
        ("/download/citation", "https://w3id.org/scoutfly/graph/"),
        ("/download/source/bundled-mhw/citation", "https://w3id.org/scoutfly/graph/source/bundled-mhw"),
    ):
        for suffix in STYLES:
            for host in ("localhost", "127.0.0.1:8230"):
                cited = home_client.get(path + suffix, headers={"Host": host}, buffered=True).get_data(as_text=True)
                assert own in cited and "/download" not in cited, cited
            opened = home_client.get(path + suffix, headers={"Host": "g.example.org"}, buffered=True)
            assert "http://g.example.org/download" in opened.get_data(as_text=True)


def test_a_title_cannot_end_a_citation(tmp_path: Path) -> None:
    from web.download.citing import Cited, bibtex, cff

    cited = Cited('x}"', 'A } "title"\n@misc{evil, \\input{x}', ("me\nfoo: bar",), 1, "http://localhost/download")
    assert bibtex(cited).count("@misc") == 2
    assert "\n@misc{evil" not in bibtex(cited)
    assert r"\input" not in bibtex(cited)
    assert "\nfoo:" not in cff(cited)


def test_a_new_generation_is_written_anew_and_the_old_files_go(cafe: Home, tmp_path: Path) -> None:
    client = create_app(site_over(cafe, tmp_path / "runs")).test_client()
    before = client.get("/download/graph.nt", buffered=True)
    (tmp_path / "more.ttl").write_text("<http://example.org/b> a <http://example.org/Machine> .")
    import_path(cafe, tmp_path / "more.ttl")
    after = client.get("/download/graph.nt", headers={"If-None-Match": before.headers["ETag"]}, buffered=True)
    assert after.status_code == 200
    assert b"http://example.org/b" in after.data
    assert len(list((cafe.path / "cache" / "downloads").iterdir())) == 1


def test_many_who_ask_at_once_get_one_file(cafe: Home) -> None:
    files = Files(cafe, patience_s=60)
    wanted = Wanted.read("graph", ".ttl")
    assert wanted is not None
    found: list[str] = []
    waits: list[str] = []

    def ask() -> None:
        try:
            found.append(files.file(wanted).sha256)
        except Preparing:
            waits.append("later")

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) + len(waits) == 6
    assert len(found) >= 3


def test_a_large_file_is_prepared_while_the_reader_is_asked_to_come_back(cafe: Home, tmp_path: Path) -> None:
    app = create_app(site_over(cafe, tmp_path / "runs"))
    client = app.test_client()
    wanted = Wanted.read("graph", ".ttl")
    assert wanted is not None
    with pytest.raises(Preparing):
        Files(cafe, patience_s=0).file(wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Files, "file", _never)
        response = client.get("/download/graph.rdf", buffered=True)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "10"
    assert "being prepared" in response.get_data(as_text=True)


def _never(_files: Files, _wanted: Wanted) -> None:
    raise Preparing


def test_a_graph_that_a_format_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / "odd.nt").write_text("<http://example.org/a> <http://example.org/1> <http://example.org/b> .\n")
    home = Home(tmp_path / "home")
    import_path(home, tmp_path / "odd.nt")
    wanted = Wanted.read("graph", ".rdf")
    assert wanted is not None
    files = Files(home, patience_s=60)
    with pytest.raises(NotHeld, match="RDF/XML"):
        files.file(wanted)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(NotHeld, match="RDF/XML"):
        patch.setattr("web.download.files.run_apart", _never)  # it is not tried again while the graph is the same
        files.file(wanted)
    response = create_app(site_over(home, tmp_path / "runs")).test_client().get("/download/graph.rdf")
    assert response.status_code == 406


def test_a_graph_elsewhere_has_no_files(tmp_path: Path) -> None:
    client = create_app(site_of(stage(tmp_path))).test_client()
    assert "behind a SPARQL endpoint elsewhere" in client.get("/download", buffered=True).get_data(as_text=True)
    assert client.get("/download/graph.ttl", buffered=True).status_code == 404
    assert client.get("/download/citation.bib", buffered=True).status_code == 404


def test_a_source_whose_texts_are_markup(tmp_path: Path) -> None:
    (tmp_path / "s.nt").write_text("<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n")
    home = Home(tmp_path / "home")
    import_path(home, tmp_path / "s.nt", name="<script>alert(1)</script> s")
    page = Page(create_app(site_over(home, tmp_path / "runs")).test_client().get("/download").get_data(as_text=True))
    page.check_harmless()
    assert "<script>alert(1)</script> s" in page.text


def test_packed_bytes_do_not_depend_on_when_they_were_made(cafe: Home) -> None:
    wanted = Wanted.read("graph", ".nt.gz")
    assert wanted is not None
    first = Files(cafe, patience_s=60).file(wanted)
    data = first.path.read_bytes()
    first.path.unlink()
    assert Files(cafe, patience_s=60).file(wanted).path.read_bytes() == data
    with gzip.open(io.BytesIO(data)) as stream:
        assert stream.read(1)
