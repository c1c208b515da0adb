"""The SPARQL behind a page, as it is sent, for readers who want to go on with it in the editor."""

import pyoxigraph as ox

from sparql.graph import neighbourhood_query
from sparql.template import bind

_BEHIND = (
    ("What is stated of it", "statements", "resources"),
    ("How much leads to it, by property", "incoming_counts", "resource"),
    ("What it is called, and its types", "called", "resources"),
    ("Its captions", "captions", "resources"),
)


def queries_behind(iri: ox.NamedNode) -> list[tuple[str, str]]:
    """What each query asks, and its text."""
    told = [(said, bind(name, **{parameter: [iri]}).strip()) for said, name, parameter in _BEHIND]
    return [
        *told,
        ("Its edges to others, with their facts, and what is known of these", neighbourhood_query([iri]).strip()),
    ]
