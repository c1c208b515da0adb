"""Saves what can be saved of an RDF document that breaks the rules, and reports every place.

An IRI with illegal characters is percent-encoded, a language tag is normalised or dropped, and what is no triple even
then is rejected, with its line in the syntaxes that hold one triple a line. A strict import rejects them all, and so
stops at the first.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import IO

import pyoxigraph as ox

from kg.errors import BadTerm, ImportFailed
from kg.iri import parse_iri
from kg.literals import language_tag
from kg.report import ImportReport
from kg.store import Term

_BATCH = 5000
_TAGGED = re.compile(r'^(?P<before>.*")@(?P<tag>[^\s"<]+)(?P<after>\s*(?:<[^>]*>|_:\S+)?\s*\.\s*(?:#.*)?)$', re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Mender:
    """Makes lawful quads, all in ``graph``, of what a lenient parser gives."""

    def __init__(self, graph: ox.NamedNode, *, base_iri: str, report: ImportReport, file: str) -> None:
        self._graph = graph
        self._base_iri = base_iri
        self._report = report
        self._file = file
        self._blank: dict[ox.BlankNode, ox.BlankNode] = {}
        self._named_graphs: set[str] = set()

    def document(self, stream: IO[bytes], syntax: ox.RdfFormat) -> Iterator[ox.Quad]:
        """The quads of a document, mended. Raises SyntaxError where not even a lenient parser can go on."""
        for quad in ox.parse(stream, syntax, base_iri=self._base_iri, lenient=True, rename_blank_nodes=True):
            mended = self._quad(quad)
            if mended is not None:
                yield mended
        self._note_graphs()

    def lines(self, stream: IO[bytes], syntax: ox.RdfFormat) -> Iterator[ox.Quad]:
        """The quads of a document of one triple or quad a line; lines that cannot be mended are rejected."""
        first = 1
        while batch := list(islice(stream, _BATCH)):
            self._report.rows_read += len(batch)
            try:
                quads = list(ox.parse(b"".join(batch), syntax))
            except SyntaxError:
                quads = [quad for row, line in enumerate(batch, first) for quad in self._line(line, syntax, row)]
            yield from (self._placed(quad) for quad in quads)
            first += len(batch)
        self._note_graphs()

    def _line(self, line: bytes, syntax: ox.RdfFormat, row: int) -> list[ox.Quad]:
        try:
            return list(ox.parse(line, syntax))
        except SyntaxError as error:
            reason = _reason(error)
        try:
            text = self._retagged(line.decode(), row)
            quads = list(ox.parse(text.encode(), syntax, lenient=True))
        except UnicodeDecodeError:
            self._report.reject(self._file, "the line is not UTF-8", row=row)
            return []
        except SyntaxError:
            self._report.reject(self._file, reason, row=row)
            return []
        if self._report.strict:
            self._report.reject(self._file, reason, row=row)
        mended = [self._quad(quad, row=row, rename=False) for quad in quads]
        return [quad for quad in mended if quad is not None]

    def _retagged(self, line: str, row: int) -> str:
        match = _TAGGED.match(line)
        if match is None:
            return line
        tag = self._tag(match["tag"], match["before"][-40:], row)
        return match["before"] + (f"@{tag}" if tag else "") + match["after"]

    def _quad(self, quad: ox.Quad, *, row: int | None = None, rename: bool = True) -> ox.Quad | None:
        if not _SCHEME.match(quad.predicate.value):
            reason = f"{quad.predicate.value!r} names no predicate: the document gives it no IRI"
            self._report.reject(self._file, reason, row=row)
            return None
        try:
            mended = ox.Quad(
                self._node(quad.subject, row),  # type: ignore[arg-type]
                self._node(quad.predicate, row),  # type: ignore[arg-type]
                self._node(quad.object, row),
                quad.graph_name,
            )
        except BadTerm as error:
            self._report.reject(self._file, str(error), row=row)
            return None
        return self._placed(mended) if rename else mended

    def _node(self, term: Term, row: int | None) -> Term:
        if isinstance(term, ox.NamedNode):
            return self._iri(term, row)
        if isinstance(term, ox.Literal):
            return self._literal(term, row)
        if isinstance(term, ox.Triple):
            raise BadTerm("a triple term (RDF 1.2) cannot be read by other tools: write it as a rdf:Statement")
        return term

    def _iri(self, node: ox.NamedNode, row: int | None) -> ox.NamedNode:
        try:
            return ox.NamedNode(node.value)
        except ValueError:
            mended = parse_iri(node.value, base=self._base_iri).iri
        what = f"<{node.value}> became <{mended.value}>"
        if self._report.strict:
            self._report.reject(self._file, f"<{node.value}> is no IRI", row=row)
        self._report.encoded.append(f"{self._where(row)}: {what}")
        return mended

    def _literal(self, literal: ox.Literal, row: int | None) -> ox.Literal:
        if literal.direction is not None:
            raise BadTerm("a text with a direction (RDF 1.2) cannot be read by other tools: leave the direction out")
        if literal.language is None:
            return ox.Literal(literal.value, datatype=self._iri(literal.datatype, row))
        try:
            return ox.Literal(literal.value, language=literal.language)
        except ValueError:
            tag = self._tag(literal.language, literal.value[:40], row)
        return ox.Literal(literal.value, language=tag) if tag else ox.Literal(literal.value)

    def _tag(self, text: str, shown: str, row: int | None) -> str | None:
        """The tag as it should be, or None for a text that is no tag at all."""
        try:
            tag = language_tag(text)
            if tag == text.lower():
                return tag
        except BadTerm:
            tag = None
        if self._report.strict:
            self._report.reject(self._file, f"{text!r} is not a language tag", row=row)
        became = f"became {tag}" if tag else "is not a language tag: the text was kept without it"
        self._report.retagged.append(f"{self._where(row)}, {shown!r}: {text!r} {became}")
        return tag

    def _placed(self, quad: ox.Quad) -> ox.Quad:
        """The quad in the source's graph, its blank nodes renamed so that those of two sources never meet."""
        if not isinstance(quad.graph_name, ox.DefaultGraph):
            self._named_graphs.add(str(quad.graph_name))
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.BlankNode):
            subject = self._blank.setdefault(subject, ox.BlankNode())
        if isinstance(value, ox.BlankNode):
            value = self._blank.setdefault(value, ox.BlankNode())
        return ox.Quad(subject, quad.predicate, value, self._graph)

    def _note_graphs(self) -> None:
        if self._named_graphs:
            self._report.note(
                f"{len(self._named_graphs)} named graphs of the document were merged into the source's own"
            )

    def _where(self, row: int | None) -> str:
        return self._file if row is None else f"{self._file}, line {row}"


def explain(error: SyntaxError, file: str) -> ImportFailed:
    """The error of a parser as one line, with file and line number where the parser knows it."""
    reason = _reason(error)
    if "LoadDocumentCallback" in reason:
        reason = "it refers to a context on the network, which is never fetched: put the context into the document"
    return ImportFailed(f"{file}, line {error.lineno}: {reason}" if error.lineno else f"{file}: {reason}")


def _reason(error: SyntaxError) -> str:
    return re.sub(r"^Parser error at line \d+ (?:column \d+|between .*?): ", "", error.msg)
