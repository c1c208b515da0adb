"""Reads an RDF document of a stranger. Runs inside a worker."""

import io
from collections.abc import Iterable

import pyoxigraph as ox

from kg.errors import ImportFailed
from kg.xml_entities import refuse_entity_bombs
from sparql.errors import GuardError, Malformed, Refused
from sparql.guard.answering import GRAPHS, Bounded
from sparql.guard.frames import Settings


def read(document: bytes, settings: Settings, *, answer_bytes: int) -> bytes:
    """The document as N-Quads, its blank nodes renamed. Raises GuardError, MemoryError."""
    syntax = GRAPHS[settings["media_type"]]
    if syntax == ox.RdfFormat.RDF_XML:
        _refuse_entity_bombs(document)
    out = Bounded(answer_bytes)
    try:
        quads: Iterable[ox.Quad] = ox.parse(
            document, syntax, base_iri=str(settings["base_iri"]), rename_blank_nodes=True
        )
        ox.serialize(quads, out, ox.RdfFormat.N_QUADS)  # type: ignore[arg-type]
    except (SyntaxError, ValueError) as error:
        raise _malformed(error) from error
    return out.getvalue()


def _refuse_entity_bombs(document: bytes) -> None:
    try:
        refuse_entity_bombs(lambda: io.BytesIO(document), "the document")
    except ImportFailed as error:
        raise Refused(str(error)) from error


def _malformed(error: Exception) -> GuardError:
    message = " ".join(str(error).split())
    return Malformed(message, line=getattr(error, "lineno", None), column=getattr(error, "offset", None))
