"""
Terms of the graph as a page shows them: links with names, literals with language and datatype, blank nodes laid out.

Text stays text: escaping is the template's, and what is put into an address is only ever the page of an IRI. A blank
node has no page: what is stated of it stands where it stands, to a depth that a reader can follow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyoxigraph as ox

from kg.store import Store, Term
from ontology import terms
from sparql.names import LABELS, Named, names, preferred
from sparql.resource import Said
from web.about import ROLES
from web.addresses import Addresses
from web.entity.media import is_web_address

LONGEST_TEXT = 4_000
"""Characters of a literal on a page; the data hold it whole."""
VALUES_SHOWN = 50
"""Values of one property on a page."""
_DEEPEST = 6
_FIRST, _REST, _NIL = terms.term("rdf:first"), terms.term("rdf:rest"), terms.term("rdf:nil")
_PLAIN = {terms.term("xsd:string").value, terms.term("rdf:langString").value}


@dataclass(frozen=True, slots=True)
class Link:
    """An IRI by a name; ``href`` is the address of its page, ``kind`` says in words what sort of thing it is."""

    iri: str
    href: str
    label: str
    language: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """
    A value: a ``link``, a text, or a blank node with its ``rows``; a list has ``items``.

    ``href`` is set for a literal that is a web address; ``cut`` where the text is not whole.
    """

    text: str = ""
    link: Link | None = None
    language: str = ""
    datatype: Link | None = None
    href: str = ""
    cut: bool = False
    rows: "tuple[Row, ...]" = ()
    items: "tuple[Value, ...] | None" = None


@dataclass(frozen=True, slots=True)
class Row:
    """A property with its values; ``more`` are those left out."""

    property: Link
    values: tuple[Value, ...]
    more: int = 0
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Names for a page, read for all of its IRIs at once."""

    addresses: Addresses
    root: str = ""
    languages: Sequence[str] = ()
    called: Mapping[ox.NamedNode, Named] = field(default_factory=dict)

    def link(self, iri: ox.NamedNode) -> Link:
        """A link to the page of an IRI."""
        named = self.called.get(iri, Named())
        name = preferred(iri, named.labels, self.languages)
        return Link(iri.value, self.href(iri), name.text, name.language or "", self.kind(named.types))

    def href(self, iri: ox.NamedNode) -> str:
        """The address of the page of an IRI."""
        return self.root + self.addresses.page_of(iri.value)

    def label(self, iri: ox.NamedNode) -> str:
        """What an IRI is called."""
        return preferred(iri, self.called.get(iri, Named()).labels, self.languages).text

    def kind(self, types: Iterable[ox.NamedNode]) -> str:
        """What sort of thing has these types, in words; what it is to a walk is left out."""
        return ", ".join(self.label(iri) for iri in types if iri.value not in ROLES)

    def value(self, term: Term, about: Mapping[object, Said] | None = None) -> Value:
        """A term as it is shown; ``about`` is what is stated of the blank nodes that it leads to."""
        return self._value(term, about or {}, ())

    def rows(self, said: Said, about: Mapping[object, Said] | None = None) -> tuple[Row, ...]:
        """Properties with their values, by name."""
        return self._rows(said, about or {}, ())

    def _rows(self, said: Said, about: Mapping[object, Said], above: tuple[object, ...]) -> tuple[Row, ...]:
        rows = [
            Row(self.link(prop), tuple(self._value(value, about, above) for value in shown), len(values) - len(shown))
            for prop, values in said.items()
            if isinstance(prop, ox.NamedNode)
            for shown in [sorted(values, key=_order)[:VALUES_SHOWN]]
        ]
        return tuple(sorted(rows, key=lambda row: (row.property.label.casefold(), row.property.iri)))

    def _value(self, term: Term, about: Mapping[object, Said], above: tuple[object, ...]) -> Value:
        if isinstance(term, ox.NamedNode):
            return Value(link=self.link(term))
        if isinstance(term, ox.Literal):
            return self._literal(term)
        if isinstance(term, ox.BlankNode):
            return self._blank(term, about, above)
        return Value(text=str(term))

    def _literal(self, literal: ox.Literal) -> Value:
        text = literal.value[:LONGEST_TEXT]
        datatype = None if literal.datatype.value in _PLAIN else self.link(literal.datatype)
        href = literal.value if is_web_address(literal.value) else ""
        cut = len(text) < len(literal.value)
        return Value(text, language=literal.language or "", datatype=datatype, href=href, cut=cut)

    def _blank(self, node: ox.BlankNode, about: Mapping[object, Said], above: tuple[object, ...]) -> Value:
        if node in above:
            return Value(text="the unnamed thing above")
        if node not in about or len(above) >= _DEEPEST:
            return Value(text="something unnamed" if node not in about else "something unnamed, told in the data")
        inside = (*above, node)
        members = list_members(node, about)
        if members is not None:
            shown = tuple(self._value(member, about, inside) for member in members[:VALUES_SHOWN])
            return Value(items=shown, cut=len(shown) < len(members))
        return Value(rows=self._rows(about[node], about, inside))


def list_members(node: ox.BlankNode, about: Mapping[object, Said]) -> list[Term] | None:
    """The members of an RDF list that starts at ``node``; None where it is no well-formed one."""
    members: list[Term] = []
    seen: set[object] = set()
    cell: Term = node
    while cell != _NIL:
        said = about.get(cell, {})
        if cell in seen or set(said) - {terms.RDF_TYPE} != {_FIRST, _REST}:
            return None
        if len(said[_FIRST]) != 1 or len(said[_REST]) != 1:
            return None
        seen.add(cell)
        members.append(said[_FIRST][0])
        cell = said[_REST][0]
    return members


def find_words(
    store: Store, iris: Iterable[ox.NamedNode], *, addresses: Addresses, root: str, languages: Sequence[str]
) -> Words:
    """The names of all ``iris`` and of the classes that they are of. Raises kg.errors.StoreError."""
    called = names(store, iris)
    classes = {kind for named in called.values() for kind in named.types if kind.value not in ROLES}
    return Words(addresses, root, languages, called | names(store, classes - called.keys()))


def named_in(terms_: Iterable[object]) -> set[ox.NamedNode]:
    """The IRIs among some terms, datatypes of literals among them."""
    found: set[ox.NamedNode] = set()
    for term in terms_:
        if isinstance(term, ox.NamedNode):
            found.add(term)
        elif isinstance(term, ox.Literal) and term.datatype.value not in _PLAIN:
            found.add(term.datatype)
    return found


def texts(values: Iterable[Term], languages: Sequence[str] = ()) -> tuple[Value, ...]:
    """Literals as paragraphs, those in a language that the reader asked for first."""
    literals = sorted({value for value in values if isinstance(value, ox.Literal)}, key=str)
    wished = [language.partition("-")[0].lower() for language in languages]
    rank = {language: place for place, language in reversed(list(enumerate([*wished, "en", ""])))}
    literals.sort(key=lambda text: rank.get((text.language or "").partition("-")[0].lower(), len(rank) + 1))
    plain = Words(Addresses())
    return tuple(replace(plain.value(text), datatype=None) for text in literals)


def _order(term: Term) -> tuple[int, str]:
    return (0 if isinstance(term, ox.NamedNode) else 1 if isinstance(term, ox.Literal) else 2), str(term)


NAMING = {*LABELS, terms.SKOS_ALT_LABEL}
"""Properties that a page shows as names, not in its table."""
