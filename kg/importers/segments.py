"""An identifier as one segment of an IRI, so that it can be read back: letter case and every character count.

``kg.iri.slug`` makes names that people typed alike; identifiers and file names must stay apart as they are.
"""

from urllib.parse import quote

from kg.errors import BadTerm

# What a path segment may hold as it is (RFC 3986, pchar), beside what quote() always keeps.
_KEPT = "!$&'()*+,;=:@"


def segment(text: str) -> str:
    """``text`` with what a path segment may not hold percent-encoded; non-ASCII letters stay.

    Raises BadTerm for an empty text or one that is no Unicode.

    >>> segment("Q42"), segment("Planned/Actual date"), segment("..")
    ('Q42', 'Planned%2FActual%20date', '%2E%2E')
    """
    if not text:
        raise BadTerm("an identifier is empty")
    if any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise BadTerm(f"{text!r} is not UTF-8")
    if text in {".", ".."}:  # these mean a folder wherever IRIs are resolved
        return text.replace(".", "%2E")
    return "".join(char if ord(char) >= 0xA0 else quote(char, safe=_KEPT) for char in text)
