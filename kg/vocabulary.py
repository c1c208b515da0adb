"""The vocabulary's own triples inside a home: loaded once, and again when the files that come with Scoutfly change."""

import hashlib

import pyoxigraph as ox

from kg.draft import Draft
from kg.home import Home, Snapshot
from ontology import terms
from ontology.files import CORE, MHW, bundled_quads


def ontology_hash() -> str:
    """The hash of the vocabulary's files."""
    digest = hashlib.sha256()
    for path in (CORE, MHW):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def refresh_ontology(draft: Draft) -> bool:
    """Make the ontology graph of a draft that of the files; says whether it was not yet."""
    mark = ox.Quad(terms.ONTOLOGY_GRAPH, terms.SHA256, ox.Literal(ontology_hash()), terms.SOURCES_GRAPH)
    marks = draft.quads(terms.ONTOLOGY_GRAPH, terms.SHA256, graph=terms.SOURCES_GRAPH)
    if marks == [mark]:
        return False
    draft.remove(marks)
    draft.remove_graphs([terms.ONTOLOGY_GRAPH, terms.INFERRED_GRAPH])
    triples = (ox.Quad(quad.subject, quad.predicate, quad.object, terms.ONTOLOGY_GRAPH) for quad in bundled_quads())
    draft.add([*triples, mark])
    return True


def recorded_hash(snapshot: Snapshot, graph: ox.NamedNode) -> str | None:
    """The content hash that the home holds of a graph's source; None for one that it does not know."""
    quads = snapshot.store.quads_for_pattern(graph, terms.SHA256, None, terms.SOURCES_GRAPH)
    return next((quad.object.value for quad in quads if isinstance(quad.object, ox.Literal)), None)


def has_current_ontology(home: Home) -> bool:
    """Whether the home's ontology graph is that of the files."""
    with home.snapshot() as snapshot:
        return recorded_hash(snapshot, terms.ONTOLOGY_GRAPH) == ontology_hash()
