"""Brings the datasets of the protocol into the text of an update, since the store takes none beside it.

``using-graph-uri`` stands for USING clauses, https://www.w3.org/TR/sparql11-protocol/#update-dataset: they come before
the WHERE of each operation that has one. WHERE outside of braces is a keyword of these operations and nothing else.
"""

from collections.abc import Sequence

import pyoxigraph as ox

from kg.sparql_text import Token, tokens
from sparql.errors import Malformed


def with_dataset(text: str, *, using: Sequence[str], using_named: Sequence[str]) -> str:
    """The text with the graphs in it. Raises Malformed where it names graphs of its own, or a name is no IRI.

    >>> with_dataset("DELETE WHERE { ?s ?p ?o }", using=["http://example.org/g"], using_named=[])
    'DELETE { ?s ?p ?o } USING <http://example.org/g> WHERE { ?s ?p ?o }'
    """
    if not using and not using_named:
        return text
    try:
        names = [f"USING {ox.NamedNode(iri)}" for iri in using]
        names += [f"USING NAMED {ox.NamedNode(iri)}" for iri in using_named]
    except ValueError as error:
        raise Malformed(f"a graph of the request is no IRI: {error}") from error
    clauses = " ".join(names) + " "
    parts, done = [], 0
    for where, template in _operations(text):
        parts += [text[done : where.start], template, clauses]
        done = where.start
    return "".join([*parts, text[done:]])


def _operations(text: str) -> list[tuple[Token, str]]:
    """Each WHERE of an operation, with the template that DELETE WHERE leaves out."""
    found: list[tuple[Token, str]] = []
    depth, opened, before = 0, 0, ""
    short = False
    for token in tokens(text):
        if token.text == "{":
            opened = token.start if depth == 0 else opened
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth == 0 and short:
                where, _ = found.pop()
                found.append((where, text[opened : token.end] + " "))
                short = False
        elif depth == 0 and token.text in ("USING", "WITH"):
            raise Malformed(
                f"the update names graphs with {token.text}, and so does the request: name them in one place"
            )
        elif depth == 0 and token.text == "WHERE":
            found.append((token, ""))
            short = before == "DELETE"
        before = token.text
    return found
