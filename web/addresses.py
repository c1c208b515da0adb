"""
Where the page and the data of an IRI are on this server.

An IRI under the base of a source has an address of its own, ``/id/<source>/<rest of the IRI>``, every other one
``/entity?iri=<IRI>``. Both answer for people and for programs (see web.data).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

import pyoxigraph as ox

from kg.home import Home
from ontology import terms

SUFFIXES = (".html", ".ttl", ".nt", ".jsonld", ".rdf")
"""What is put behind an address to ask for one format; an IRI that ends so itself has the other kind of address."""
_KEPT = "/:@!$&'()*+,;=~"
"""Characters that stand in a path as they are, besides letters, digits and -._ (RFC 3986, section 3.3)."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """``bases`` is the base IRI of each source, by the source's short name."""

    bases: Mapping[str, str] = field(default_factory=dict)

    def page_of(self, iri: str) -> str:
        """
        The address of an IRI, from the root of the site.

        >>> Addresses({"cafe": "http://example.org/"}).page_of("http://example.org/à la carte/#1")
        '/id/cafe/%C3%A0%20la%20carte/%231'
        >>> Addresses().page_of("urn:a?b")
        '/entity?iri=urn%3Aa%3Fb'
        """
        slug = max(
            (slug for slug, base in self.bases.items() if iri.startswith(base) and len(iri) > len(base)),
            key=lambda slug: len(self.bases[slug]),
            default=None,
        )
        rest = iri[len(self.bases[slug]) :] if slug else ""
        if not slug or _is_awkward(rest):
            return f"/entity?iri={quote(iri, safe='')}"
        return f"/id/{quote(slug, safe='')}/{quote(rest, safe=_KEPT)}"

    def data_of(self, iri: str, suffix: str) -> str:
        """
        The address of the data of an IRI in the format that ``suffix`` asks for.

        >>> Addresses({"cafe": "http://example.org/"}).data_of("http://example.org/tea", ".ttl")
        '/id/cafe/tea.ttl'
        >>> Addresses().data_of("urn:a", ".nt")
        '/entity.nt?iri=urn%3Aa'
        """
        path, mark, query = self.page_of(iri).partition("?")
        return f"{path}{suffix}{mark}{query}"

    def iri_at(self, slug: str, rest: str) -> str | None:
        """The IRI at ``/id/<slug>/<rest>``; None where no source is called so."""
        base = self.bases.get(slug)
        return None if base is None else base + rest


def escaped(rest: str) -> Iterator[str]:
    """
    The ways to percent-encode a path that programs use: with and without letters, delimiters and slashes.

    >>> list(dict.fromkeys(escaped("à (b)")))
    ['à%20(b)', 'à%20%28b%29', '%C3%A0%20(b)', '%C3%A0%20%28b%29']
    """
    for kept in (_KEPT, "/", ""):  # quote() would keep no letter beyond ASCII
        yield "".join(quote(letter, safe=kept, errors="replace") if letter.isascii() else letter for letter in rest)
    for kept in (_KEPT, "/", ""):
        yield quote(rest, safe=kept, errors="replace")


def read_addresses(home: Home) -> Addresses:
    """The bases that the sources of a home were imported under. Raises kg.errors.StoreError."""
    slugs: dict[object, str] = {}
    with home.snapshot() as snapshot:
        for quad in snapshot.store.quads_for_pattern(None, terms.term("dcterms:identifier"), None, terms.SOURCES_GRAPH):
            if isinstance(quad.object, ox.Literal):
                slugs[quad.subject] = quad.object.value
        spaces = snapshot.store.quads_for_pattern(None, terms.term("void:uriSpace"), None, terms.SOURCES_GRAPH)
        bases = {
            slugs[quad.subject]: quad.object.value
            for quad in spaces
            if quad.subject in slugs and isinstance(quad.object, ox.Literal)
        }
    return Addresses(dict(sorted(bases.items())))


def _is_awkward(rest: str) -> bool:
    """Whether a browser or a server would change the path, or take its end for a suffix of ours."""
    segments = rest.split("/")
    return "." in segments or ".." in segments or "\\" in rest or rest.lower().endswith(SUFFIXES)
