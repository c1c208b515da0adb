"""A16, A18, A19: a tag with an underscore raises in a serialiser; ``en-GB`` is unknown; a host name as a tag stops all.

Tags are normalised at import, once; BCP 47 is accepted; a text with no tag at all is kept without it, and reported.
"""

import io
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from kg.errors import BadTerm, ImportFailed
from kg.exporting import FORMATS, export
from kg.home import Home
from kg.importing import import_path
from kg.literals import language_tag, text_literal
from ontology.terms import source_graph

RDFXML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">'
    '<rdf:Description rdf:about="http://example.org/s"><e:p xml:lang="{tag}">colour</e:p></rdf:Description></rdf:RDF>'
)
DOCUMENTS = {
    "g.nt": '<http://example.org/s> <http://example.org/p> "colour"@{tag} .\n',
    "g.nq": '<http://example.org/s> <http://example.org/p> "colour"@{tag} <http://example.org/g> . # "x"@y\n',
    "g.rdf": RDFXML,
    "g.jsonld": '{{"@id":"http://example.org/s","http://example.org/p":{{"@value":"colour","@language":"{tag}"}}}}',
}


@pytest.mark.parametrize(
    ("tag", "normal"),
    [
        ("en", "en"),
        ("en_US", "en-us"),
        ("zh_tw", "zh-tw"),
        ("en-GB", "en-gb"),
        ("zh_Hant_TW", "zh-hant-tw"),
        (" de ", "de"),
    ],
)
def test_tags_are_normalised(tag: str, normal: str) -> None:
    assert language_tag(tag) == normal
    assert text_literal("colour", language=tag) == ox.Literal("colour", language=normal)


@pytest.mark.parametrize(
    "tag", ["www.example.org", "http://x", "english language", "toolongforatag", "e", "", "en--us", "-"]
)
def test_what_is_no_tag_is_refused_with_a_reason(tag: str) -> None:
    with pytest.raises(BadTerm, match="is not a language tag"):
        language_tag(tag)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
@pytest.mark.parametrize(("tag", "kept"), [("en_US", "en-us"), ("en-GB", "en-gb"), ("www.example.org", None)])
def test_documents_are_mended_and_every_place_is_reported(
    tmp_path: Path, name: str, tag: str, kept: str | None
) -> None:
    path = tmp_path / name
    path.write_text(DOCUMENTS[name].format(tag=tag))
    home = Home(tmp_path / "home")
    report = import_path(home, path)
    with home.snapshot() as snapshot:
        (quad,) = snapshot.store.quads_for_pattern(None, None, None, source_graph("g"))
    assert quad.object == ox.Literal("colour", language=kept)
    assert report.rejected == []
    assert len(report.retagged) == (tag != "en-GB")
    assert all(tag.lower() in said.lower() for said in report.retagged)
    for fmt in FORMATS.values():
        buffer = io.BytesIO()
        export([quad], fmt, buffer)
        assert [one.object for one in ox.parse(buffer.getvalue(), fmt.syntax)] == [quad.object]


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_strict_import_refuses_a_bad_tag_and_takes_a_region(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    home = Home(tmp_path / "home")
    path.write_text(DOCUMENTS[name].format(tag="en-GB"))
    assert import_path(home, path, strict=True).triples == 1
    path.write_text(DOCUMENTS[name].format(tag="www.example.org"))
    with pytest.raises(ImportFailed):
        import_path(home, path, strict=True)


def test_a_region_is_found_by_its_language_in_both_libraries() -> None:
    store = ox.Store()
    store.add(ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), text_literal("colour", language="en-GB")))
    query = 'SELECT ?o WHERE { ?s ?p ?o FILTER langMatches(lang(?o), "en") }'
    assert len(list(store.query(query))) == 1  # type: ignore[arg-type]
    graph = rdflib.Graph().parse(
        data=store.dump(format=ox.RdfFormat.TURTLE, from_graph=ox.DefaultGraph()), format="turtle"
    )
    assert len(list(graph.query(query))) == 1
