"""Reads a query file and binds terms into it.

A parameter is a ``$name`` in the file. It is replaced by terms that pyoxigraph has built, and so checked, and that it
writes out itself: no text of a user or a model ever becomes query syntax.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

import pyoxigraph as ox

from sparql.errors import TemplateError

_PARAMETER = re.compile(r"\$([a-z_]+)")


@cache
def read_template(name: str) -> str:
    """The text of ``queries/<name>.rq`` without its two comment lines."""
    lines = resources.files("sparql").joinpath("queries", f"{name}.rq").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


def bind(name: str, **parameters: Iterable[ox.NamedNode | ox.Literal]) -> str:
    """The query ``name`` with the terms of each parameter written in the place of ``$parameter``.

    Raises TemplateError where the file's parameters and those given differ, or a value is not a term.
    """
    template = read_template(name)
    wanted = set(_PARAMETER.findall(template))
    if wanted != set(parameters):
        raise TemplateError(f"query {name} takes {sorted(wanted)}, got {sorted(parameters)}")
    written = {key: " ".join(_write(term) for term in terms) for key, terms in parameters.items()}
    return _PARAMETER.sub(lambda match: written[match[1]], template)


def _write(term: ox.NamedNode | ox.Literal) -> str:
    if not isinstance(term, (ox.NamedNode, ox.Literal)):
        raise TemplateError(f"only IRIs and literals can be bound, not {term!r}")
    iri = term.datatype if isinstance(term, ox.Literal) else term
    try:
        ox.NamedNode(iri.value)  # a lenient parser makes nodes unchecked, and such an IRI may close its own bracket
    except ValueError as error:
        raise TemplateError(f"{iri.value!r} is no lawful IRI: {error}") from error
    return str(term)
