"""Imports a file or a folder into a home: whole or not at all, and the same twice as once.

Picks the importer, takes back what an earlier import of the same source brought, loads, declares the relations that are
new, and publishes the new generation. What the rows mean is the importers' business.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyoxigraph as ox

from kg.catalogue import SourceCatalogue
from kg.draft import Draft
from kg.errors import BadTerm, ImportFailed, NothingImported
from kg.home import Home
from kg.importer import Importer, Job, Progress
from kg.importers import IMPORTERS
from kg.iri import DATA_NS, file_slug, parse_iri
from kg.media_roots import MediaRoots
from kg.rdf_files import RdfFile, is_rdf, plain_name, refuse_foreign_file
from kg.rdf_loading import declare_relations, load_rdf
from kg.report import ImportReport
from kg.source_counts import MOST_BY_EDGES, count_entities, count_topics
from kg.sources import Source, withdraw
from kg.vocabulary import refresh_ontology
from ontology import terms
from ontology.errors import OntologyError
from ontology.files import READABLE


def silent(_: str) -> None:
    """The progress of those who want none."""


def import_path(
    home: Home,
    path: Path,
    *,
    strict: bool = False,
    base_iri: str | None = None,
    name: str | None = None,
    dry_run: bool = False,
    media_root: Path | None = None,
    importer: Importer | None = None,
    progress: Progress = silent,
) -> ImportReport:
    """Import the source at ``path`` into ``home`` in the place of an earlier one of the same name.

    ``name`` is by default that of the file or folder; ``base_iri`` is where relative IRIs and new individuals stand.
    A ``dry_run`` reads and reports as in earnest, and leaves the home as it is. ``media_root`` is the folder in which
    the media files lie whose paths the source gives: by default the source itself, where it is a folder. ``importer``
    reads the source, where its files do not say who can.
    Raises ImportFailed (NothingImported, with the report, where no row was sound) and StoreError; the home is then as
    it was.
    """
    if not path.exists():
        raise ImportFailed(f"{path}: there is no such file or folder")
    title = source_title(path, name)
    slug = file_slug(title)
    rdf = RdfFile(path) if importer is None and is_rdf(path) else None
    importer = importer or (None if rdf else pick(path))
    report = ImportReport(source=slug, strict=strict, base_iri=_base(base_iri, slug, importer))
    report.kind = str(rdf.syntax) if rdf else importer.kind if importer else ""
    progress(f"reading {path} ({report.kind}) as the source {slug!r}")
    files = importer.files(path) if importer else ()
    with home.write(publish=not dry_run) as draft:
        refresh_ontology(draft)
        if withdraw(draft, slug):
            report.note(f"an earlier import of the source {slug!r} was replaced; another --name keeps both")
        job = Job(path, slug, report.base_iri, report, _catalogue(draft, slug), progress, media_root)
        before = len(draft)
        _fill(draft, job, rdf=rdf, importer=importer)
        report.triples = len(draft) - before
        report.rows_read = report.rows_read or report.triples
        if not report.triples:
            raise NothingImported(report)
        sha256 = rdf.content.sha256 if rdf else content_hash(files, path)
        _finish(draft, job, title=title, sha256=sha256)
        _count(draft, job, minted=importer is not None)
        progress(f"{report.triples} triples read" + ("" if dry_run else "; publishing the new generation"))
    if not dry_run:
        MediaRoots(home.path).record(slug, media_root or (path if importer and path.is_dir() else None))
    return report


def source_title(path: Path, name: str | None) -> str:
    """What the source at ``path`` is called: ``name``, or what its file or folder is called."""
    return name or Path(plain_name(path.resolve())).stem


def pick(path: Path) -> Importer:
    """The importer for a source that is no RDF file. Raises ImportFailed, saying what can be read."""
    for importer in IMPORTERS:
        if importer.recognises(path):
            return importer
    kinds = ", ".join(importer.kind for importer in IMPORTERS)
    if path.is_file():
        refuse_foreign_file(path)
    raise ImportFailed(f"{path} is of no kind that can be imported: {READABLE}; so is each of: {kinds}")


def content_hash(files: Iterable[Path], root: Path) -> str:
    """The hash of some files below ``root``, their names and bytes."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(root) if file != root else ''}\0".encode())
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _base(base_iri: str | None, slug: str, importer: Importer | None) -> str:
    if base_iri is None:
        return f"{DATA_NS}{slug}/"
    try:
        base = parse_iri(base_iri).iri.value
    except BadTerm as error:
        raise ImportFailed(f"--base-iri: {error}") from error
    if importer is not None and not base.endswith(("/", "#")):
        raise ImportFailed(f"--base-iri {base} must end in / or #, since names are put after it")
    return base


def _catalogue(draft: Draft, slug: str) -> SourceCatalogue:
    quads = [*draft.quads(graph=terms.ONTOLOGY_GRAPH), *draft.quads(graph=terms.CATALOGUE_GRAPH)]
    return SourceCatalogue(quads, marker=terms.source_graph(slug))


def _fill(draft: Draft, job: Job, *, rdf: RdfFile | None, importer: Importer | None) -> None:
    try:
        if rdf:
            load_rdf(draft, rdf, job)
            declare_relations(draft, job)
        elif importer:
            draft.add(_told(importer.read(job), job))
    except OntologyError as error:
        raise ImportFailed(str(error)) from error


def _told(quads: Iterable[ox.Quad], job: Job) -> Iterator[ox.Quad]:
    for number, quad in enumerate(quads, 1):
        if number % 100_000 == 0:
            job.progress(f"{number} triples read")
        yield quad


def _finish(draft: Draft, job: Job, *, title: str, sha256: str) -> None:
    report = job.report
    report.labels = {iri.value: label for iri, label in job.catalogue.minted.items()}
    report.new_relations = list(report.labels)
    report.relations = len(report.new_relations)
    source = Source(job.slug, title, report.kind, sha256, report.base_iri, report.triples)
    draft.add([*job.catalogue.quads(), *source.quads()])


def _count(draft: Draft, job: Job, *, minted: bool) -> None:
    """Say how many entities there are: importers count those that they mint, an RDF file names its own."""
    report = job.report
    if not minted:
        by_edges = report.triples <= MOST_BY_EDGES
        report.entities = count_entities(draft, job.graph, by_edges=by_edges)
        if not by_edges:
            report.note("the source is large: only entities that have a class are counted")
    report.topic_entities = count_topics(draft, job.graph)
    if not report.topic_entities:
        report.note(
            "this source has no topic entities: questions about it have to name the entity to start from, "
            "unless some are marked, a sf:TopicEntity"
        )
