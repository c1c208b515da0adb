"""A13: valid Turtle with relative IRIs is refused, because no base IRI was passed.

A base is passed on every parse, and the report tells which.
"""

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.home import Home
from kg.importing import import_path
from ontology.terms import source_graph

DOCUMENTS = {
    "g.ttl": "<#> a <Thing> .",
    "g.trig": "<#> a <Thing> .",
    "g.jsonld": '{"@id": "#", "@type": "Thing"}',
    "g.rdf": (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="#"><rdf:type rdf:resource="Thing"/></rdf:Description></rdf:RDF>'
    ),
}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
@pytest.mark.parametrize("base", [None, "http://example.org/doc/x"])
def test_relative_iris_stand_under_the_base_that_the_report_names(tmp_path: Path, name: str, base: str | None) -> None:
    path = tmp_path / name
    path.write_text(DOCUMENTS[name])
    home = Home(tmp_path / "home")
    report = import_path(home, path, base_iri=base, strict=True)
    with home.snapshot() as snapshot:
        (quad,) = snapshot.store.quads_for_pattern(None, None, None, source_graph("g"))
    assert report.base_iri == base or (base is None and report.base_iri == "https://w3id.org/scoutfly/data/g/")
    assert report.base_iri in report.as_text()
    assert quad.subject == ox.NamedNode(report.base_iri + "#")
    assert quad.object == ox.NamedNode(report.base_iri.rpartition("/")[0] + "/Thing")
