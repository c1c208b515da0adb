"""
Writes one download to a file, in a process of its own: sorting a million triples takes a gigabyte and half a minute.

``python -m web.download.writer`` (see web.processes). The file appears whole or not at all, and beside it what is to be
known of it. Unpacked, it has the bytes that ``scoutfly export`` writes.
"""

import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox

from kg.disk import is_full
from kg.errors import GraphError, StoreError
from kg.exporting import FORMATS, Format, export
from kg.home import Home, Snapshot
from kg.selection import described, everything, of_class, of_sources
from ontology import terms
from web.processes import Values, work

_CHUNK = 1 << 20
SIDECAR = ".json"


def write(job: Values, say: Callable[[str], None]) -> Values:
    """
    Make the file that ``job`` names: home, generation, part, name, format, plain (its path), packed (path or "").

    Answers with "moved" where the home has another generation by now, with "failed" and the reason where the format
    cannot hold the graph.
    """
    fmt, plain = FORMATS[str(job["format"])], Path(str(job["plain"]))
    try:
        if not (plain.exists() and _sidecar(plain).exists()):
            with Home(Path(str(job["home"]))).snapshot() as snapshot:
                if snapshot.number != job["generation"]:
                    return {"moved": snapshot.number}
                say("reading the graph")
                quads = _chosen(snapshot, str(job["part"]), str(job["name"]), fmt)
            say(f"writing {len(quads)} statements")
            count = export(quads, fmt, plain)
            _describe(plain, count)
        if job["packed"]:
            say("packing the file")
            _pack(plain, Path(str(job["packed"])))
    except (GraphError, OSError) as error:
        if is_full(error):
            return {"full": True}
        if isinstance(error, (OSError, StoreError)):  # whose words name places on the disk: they are for the log
            raise
        return {"failed": str(error)}
    return {}


def _chosen(snapshot: Snapshot, part: str, name: str, fmt: Format) -> list[ox.Quad]:
    if part == "source":
        quads = of_sources(snapshot, [name])
        return quads + described(snapshot, quads, sources=[name], in_graph=fmt.has_graphs)
    if part == "class":
        quads = of_class(snapshot, ox.NamedNode(name))
        title = f"The entities of the class {_label(snapshot, name)}"
        return quads + described(snapshot, quads, title=title, in_graph=fmt.has_graphs)
    quads = everything(snapshot)
    said = described(snapshot, quads, in_graph=fmt.has_graphs)
    return said if part == "metadata" else quads + said


def _label(snapshot: Snapshot, iri: str) -> str:
    labels = snapshot.store.quads_for_pattern(ox.NamedNode(iri), terms.RDFS_LABEL, None, None)
    return min((quad.object.value for quad in labels if isinstance(quad.object, ox.Literal)), default=iri)


def _pack(plain: Path, packed: Path) -> None:
    """No name and no time in the header: the same graph gives the same bytes here, too."""
    temporary = packed.with_name(f".{packed.name}.{os.getpid()}.tmp")
    try:
        with (
            plain.open("rb") as source,
            temporary.open("xb") as target,
            gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0, compresslevel=6) as stream,
        ):
            shutil.copyfileobj(source, stream, _CHUNK)
        temporary.replace(packed)
    finally:
        temporary.unlink(missing_ok=True)
    statements = json.loads(_sidecar(plain).read_text(encoding="utf-8"))["statements"]
    _describe(packed, statements)


def _sidecar(path: Path) -> Path:
    return path.with_name(path.name + SIDECAR)


def _describe(path: Path, statements: int) -> None:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    known = {"statements": statements, "bytes": path.stat().st_size, "sha256": digest}
    temporary = path.with_name(f".{path.name}{SIDECAR}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(known), encoding="utf-8")
    temporary.replace(_sidecar(path))


if __name__ == "__main__":
    work(write)
