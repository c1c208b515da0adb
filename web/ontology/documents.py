"""
The documents of the vocabulary, and where a term is explained: ``/ontology/mhw#hasAttackActionOf``.

A document is called after the last part of its namespace, and a term's anchor is what its IRI adds to the namespace.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyoxigraph as ox

from ontology import terms
from ontology.files import CORE, MHW, read_turtle


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the vocabulary; ``namespace`` is what the IRIs of its terms start with."""

    name: str
    path: Path
    namespace: str

    @property
    def quads(self) -> tuple[ox.Quad, ...]:
        """What the file states."""
        return _read(self.path)

    @property
    def terms(self) -> Mapping[str, str]:
        """The anchor of each term, by its IRI."""
        return _terms(self.path, self.namespace)

    @property
    def sha256(self) -> str:
        """The hash of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


DOCUMENTS = (Document("ns", CORE, terms.SF_NS), Document("mhw", MHW, terms.MHW_NS))


def document(name: str) -> Document | None:
    """The document with a name."""
    return next((one for one in DOCUMENTS if one.name == name), None)


def term_page(iri: str) -> str | None:
    """
    The address at which a term of the vocabulary is explained, from the root of the site; None for any other IRI.

    >>> term_page("https://w3id.org/scoutfly/ns#Entity"), term_page("http://example.org/")
    ('/ontology/ns#Entity', None)
    """
    for one in DOCUMENTS:
        if iri.startswith(one.namespace) and iri in one.terms:
            return f"/ontology/{one.name}#{one.terms[iri]}"
    return None


@cache
def _read(path: Path) -> tuple[ox.Quad, ...]:
    return tuple(read_turtle(path))


@cache
def _terms(path: Path, namespace: str) -> dict[str, str]:
    subjects = {quad.subject.value for quad in _read(path) if isinstance(quad.subject, ox.NamedNode)}
    return {
        iri: iri.removeprefix(namespace) for iri in sorted(subjects) if iri.startswith(namespace) and iri != namespace
    }
