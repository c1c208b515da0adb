"""C5: a file called ``.owl`` is in OWL's functional syntax, and the parser's message says nothing of that.

The syntax is named, and so are those that are read.
"""

import pyoxigraph as ox
import pytest

from ontology.errors import NotRdf
from ontology.files import parse_rdf

FUNCTIONAL = [
    b"Prefix(:=<https://example.org/>)\nOntology(<https://example.org/>\nDeclaration(Class(:A))\n)",
    b"# saved by an editor\n\nOntology(<https://example.org/> )",
]


@pytest.mark.parametrize("text", FUNCTIONAL)
def test_functional_syntax_is_named_with_what_is_read_instead(text: bytes) -> None:
    with pytest.raises(NotRdf) as raised:
        parse_rdf(text, "soma.owl", syntax=ox.RdfFormat.RDF_XML)
    assert raised.value.found == "OWL in functional syntax"
    for name in ("soma.owl", "Turtle", "RDF/XML", "JSON-LD"):
        assert name in str(raised.value)
