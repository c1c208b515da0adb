"""Every name that the code uses stands in the files, and every term there says what it is."""

from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology import terms
from ontology.files import CORE, MHW, SHAPES, read_turtle

BUILT_IN = tuple(terms.PREFIXES[prefix] for prefix in ("rdf", "rdfs", "owl", "xsd"))
CONSTANTS = {name: node for name, node in vars(terms).items() if isinstance(node, ox.NamedNode)}
TERMS = {name: node for name, node in CONSTANTS.items() if not node.value.startswith((*BUILT_IN, terms.GRAPH_NS))}
KINDS = {terms.term(f"owl:{kind}") for kind in ("Class", "ObjectProperty", "DatatypeProperty", "AnnotationProperty")}
FILES = pytest.mark.parametrize("path", [CORE, MHW, SHAPES], ids=lambda path: path.name)


def named_subjects(path: Path, predicate: ox.NamedNode) -> set[ox.NamedNode]:
    """The named things of a file that have a value for a property."""
    return {q.subject for q in read_turtle(path) if q.predicate == predicate and isinstance(q.subject, ox.NamedNode)}


@pytest.mark.parametrize("name", TERMS)
def test_each_constant_is_declared_in_the_core_file(name: str) -> None:
    kinds = {q.object for q in read_turtle(CORE) if q.subject == TERMS[name] and q.predicate == terms.RDF_TYPE}
    assert kinds & KINDS


def test_the_code_knows_every_core_term_of_our_own() -> None:
    declared = {node for node in named_subjects(CORE, terms.RDF_TYPE) if node.value.startswith(terms.SF_NS)}
    assert declared == {node for node in TERMS.values() if node.value.startswith(terms.SF_NS)}


@FILES
def test_each_file_names_its_version(path: Path) -> None:
    quads = read_turtle(path)
    [ontology] = [q.subject for q in quads if q.object == terms.term("owl:Ontology")]
    [version] = [q.object for q in quads if q.subject == ontology and q.predicate == terms.term("owl:versionIRI")]
    assert isinstance(ontology, ox.NamedNode)
    assert isinstance(version, ox.NamedNode)
    assert version.value.startswith(f"{ontology.value}/")


@FILES
@pytest.mark.parametrize("predicate", [terms.RDFS_LABEL, terms.RDFS_COMMENT], ids=["label", "comment"])
def test_every_named_thing_has_a_label_and_a_comment(path: Path, predicate: ox.NamedNode) -> None:
    assert named_subjects(path, terms.RDF_TYPE) <= named_subjects(path, predicate)
