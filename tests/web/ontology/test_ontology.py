"""The pages of the vocabulary: anchors that are the terms' names, no styles or scripts of pyLODE's, data by Accept."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from kg.home import Home
from kg.importing import import_path
from ontology import terms
from ontology.files import bundled_quads
from tests.web.download.conftest import site_over
from tests.web.markup import Page
from tests.web.stage import site_of, stage
from web.app import create_app
from web.errors import WorkFailed
from web.ontology import documentation
from web.ontology.documentation import Documentation
from web.ontology.documents import DOCUMENTS, term_page

SYNTAXES = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".nt": ox.RdfFormat.N_TRIPLES,
}


@pytest.fixture(scope="module")
def ontology_client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """Over a graph that adds a relation of its own."""
    folder = tmp_path_factory.mktemp("ontology")
    (folder / "s.ttl").write_text("<http://example.org/a> <http://example.org/brewsWith> <http://example.org/b> .")
    home = Home(folder / "home")
    import_path(home, folder / "s.ttl")
    return create_app(site_over(home, folder / "runs")).test_client()


@pytest.fixture(scope="module")
def documents(ontology_client: FlaskClient) -> Iterator[dict[str, str]]:
    """The pages by the names of the documents."""
    yield {one.name: ontology_client.get(f"/ontology/{one.name}").get_data(as_text=True) for one in DOCUMENTS}


def test_every_term_has_its_anchor(documents: dict[str, str]) -> None:
    for one in DOCUMENTS:
        anchors = re.findall(r' id="([^"]+)"', documents[one.name])
        assert len(anchors) == len(set(anchors))
        missing = set(one.terms.values()) - set(anchors)
        assert missing == set(), one.name


def test_the_catalogue_is_there_in_full(documents: dict[str, str]) -> None:
    page = documents["mhw"]
    section = page[page.index('id="objectproperties"') : page.index('id="conditions"')]
    assert section.count('class="property entity"') == 158
    typed = [quad for quad in bundled_quads() if quad.predicate == terms.RDF_TYPE]
    held = {quad.subject for quad in typed if quad.object == terms.CONDITION_CLASS}
    assert page[page.index('id="conditions"') : page.index('id="namespaces"')].count('class="property entity"') == len(
        held
    )
    entry = page[page.index('id="hasAttackActionOf-isAngry"') :][:4000]
    assert '<a href="#isAngry">is angry</a>' in entry
    assert '<a href="#hasAttackActionOf">' in entry
    assert "Also called" in page


def test_links_lead_somewhere(documents: dict[str, str]) -> None:
    ids = {name: set(re.findall(r' id="([^"]+)"', page)) for name, page in documents.items()}
    for name, page in documents.items():
        for target in re.findall(r'<a [^>]*href="#([^"]+)"', page):
            assert target in ids[name], (name, target)
        for other, target in re.findall(r'href="(ns|mhw)#([^"]+)"', page):
            assert target in ids[other], (name, other, target)


def test_nothing_that_the_policy_forbids(documents: dict[str, str]) -> None:
    for page in documents.values():
        assert "<style" not in page
        assert ' style="' not in page
        assert re.findall(r"<script(?![^>]* src=\"/static/)", page) == []
        assert re.findall(r'<(?:img|link|script|iframe)[^>]+(?:src|href)="(?:https?:|//)', page) == []
        headings = [int(level) for level in re.findall(r"<h([1-6])", page)]
        assert headings.count(1) == 1
        assert all(after - before <= 1 for before, after in itertools.pairwise(headings))


def test_the_overview_names_classes_relations_and_what_imports_added(ontology_client: FlaskClient) -> None:
    response = ontology_client.get("/ontology")
    page = Page(response.get_data(as_text=True))
    assert "16 base relations and 142 conditioned relations" in page.text
    assert "Attack Action" in page.text
    assert "brews with" in page.text
    assert page.all("a", href="/ontology/mhw#hasAttackActionOf")
    assert "Accept" in response.headers["Vary"]


@pytest.mark.parametrize("path", ["/ontology", "/ontology/ns", "/ontology/mhw"])
def test_data_by_accept_and_by_suffix(ontology_client: FlaskClient, path: str) -> None:
    sizes = set()
    for suffix, syntax in SYNTAXES.items():
        response = ontology_client.get(path, headers={"Accept": f"{syntax.media_type}, text/html;q=0.5"})
        assert response.mimetype == syntax.media_type
        assert ontology_client.get(path + suffix).data == response.data
        sizes.add(len(set(ox.parse(response.data, format=syntax))))
    assert len(sizes) == 1
    assert ontology_client.get(path, headers={"Accept": "text/html,*/*;q=0.8"}).mimetype == "text/html"
    assert ontology_client.get(path).mimetype == "text/html"
    assert ontology_client.get(path, headers={"Accept": "image/png"}).status_code == 406
    links = ontology_client.get(path).headers.getlist("Link")
    assert any(f"<{path}.ttl>" in link and "alternate" in link for link in links)


@pytest.mark.parametrize("path", ["/ontology/none", "/ontology/mhw.exe", "/ontology/..%2fmhw", "/ontology.exe"])
def test_what_is_not_there(ontology_client: FlaskClient, path: str) -> None:
    assert ontology_client.get(path).status_code == 404


def test_where_a_term_is_explained() -> None:
    assert term_page(terms.MHW_NS + "hasAttackActionOf") == "/ontology/mhw#hasAttackActionOf"
    assert term_page(terms.MHW_NS + "hasAttackActionOf<") is None
    assert term_page(terms.MHW_NS) is None
    assert term_page(terms.MHW_NS + "id/rathian") is None


def test_the_page_of_a_term_leads_to_its_explanation(ontology_client: FlaskClient) -> None:
    iri = quote(terms.MHW_NS + "hasAttackActionOf-isAngry", safe="")
    page = Page(ontology_client.get(f"/entity?iri={iri}", headers={"Accept": "text/html"}).get_data(as_text=True))
    assert page.all("a", href="/ontology/mhw#hasAttackActionOf-isAngry")


def test_a_page_is_made_once_for_each_state_of_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Documentation(tmp_path).of(DOCUMENTS[0])
    monkeypatch.setattr(documentation, "run_apart", _broken)
    assert Documentation(tmp_path).of(DOCUMENTS[0]) == first
    with pytest.raises(WorkFailed):
        Documentation(None).of(DOCUMENTS[0])


def test_without_pylode_the_data_are_there_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documentation, "run_apart", _broken)
    client = create_app(site_of(stage(tmp_path))).test_client()
    response = client.get("/ontology/mhw")
    assert response.status_code == 503
    assert ".ttl" in response.get_data(as_text=True)
    assert client.get("/ontology/mhw.ttl").status_code == 200
    assert client.get("/ontology").status_code == 200


def _broken(*_: object, **__: object) -> None:
    raise WorkFailed("it broke off")
