"""C4: what was fetched as an ontology is the web page of the file, or only its first part.

The page is called a page; a file that breaks off is reported with the line.
"""

import pyoxigraph as ox
import pytest

from ontology.errors import BadSyntax, NotRdf
from ontology.files import MHW, parse_rdf

PAGES = [
    b"<!DOCTYPE html>\n<html lang='en'><head><title>onto.owl</title>",
    b"\n\n  <!doctype HTML>",
    b"\xef\xbb\xbf<!-- saved --><HTML>",
    b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">',
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("syntax", [ox.RdfFormat.TURTLE, ox.RdfFormat.RDF_XML], ids=["turtle", "rdf-xml"])
def test_a_web_page_is_called_one(page: bytes, syntax: ox.RdfFormat) -> None:
    with pytest.raises(NotRdf, match=r"onto\.owl is an HTML page: fetch the file itself"):
        parse_rdf(page, "onto.owl", syntax=syntax)


def test_a_file_that_breaks_off_is_reported_with_its_line() -> None:
    part = MHW.read_bytes()[:10_000]
    with pytest.raises(BadSyntax) as raised:
        parse_rdf(part, "mhw.ttl", syntax=ox.RdfFormat.TURTLE)
    assert raised.value.line in {part.count(b"\n") + 1, part.count(b"\n") + 2}
