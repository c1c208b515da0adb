"""Loads an RDF file into a draft: in bulk where it is sound, mended where it is not.

Afterwards the object properties that the file uses are declared as base relations, so that a walk can follow them.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import pyoxigraph as ox

from kg.draft import Draft
from kg.errors import ImportFailed
from kg.importer import Job
from kg.iri import clean, last_part
from kg.line_parts import load_parts
from kg.mending import Mender, explain
from kg.rdf_files import BY_LINE, WITH_GRAPHS, RdfFile
from ontology import terms

_NOT_RELATIONS = (
    *(iri for prefix, iri in terms.PREFIXES.items() if prefix not in ("mhw", "xsd")),
    "https://schema.org/",
)
_REIFIES = terms.term("rdf:reifies")
_OTHER_PROPERTIES = (terms.term("owl:DatatypeProperty"), terms.term("owl:AnnotationProperty"))


def load_rdf(draft: Draft, file: RdfFile, job: Job) -> None:
    """Add the triples of ``file`` to the job's graph, graph names merged. Raises ImportFailed, with the line."""
    with ThreadPoolExecutor(1) as pool:
        examined = pool.submit(file.examine)  # hashing goes on beside the loader, which does not hold the interpreter
        try:
            _load(draft, file, job)
        except SyntaxError as error:
            raise explain(error, file.name) from error
        except MemoryError as error:
            raise ImportFailed(f"{file.name} holds a term that is too long: {error}") from error
        examined.result()
    _refuse_rdf_12(draft, job, file)


def _load(draft: Draft, file: RdfFile, job: Job) -> None:
    if file.syntax not in WITH_GRAPHS:
        try:
            return _load_in_bulk(draft, file, job)
        except SyntaxError:
            if job.report.strict:
                raise
        job.progress(f"{file.name} breaks the rules of its syntax: reading it again, to mend what can be mended")
        draft.remove_graphs([job.graph])
    return _load_mended(draft, file, job)


def _load_in_bulk(draft: Draft, file: RdfFile, job: Job) -> None:
    if file.gzipped:
        with file.open() as stream:
            draft.load(stream, file.syntax, base_iri=job.base_iri, graph=job.graph)
    elif file.syntax in BY_LINE:
        load_parts(draft, file.path, file.syntax, base_iri=job.base_iri, graph=job.graph)
    else:
        draft.load(file.path, file.syntax, base_iri=job.base_iri, graph=job.graph)


def _load_mended(draft: Draft, file: RdfFile, job: Job) -> None:
    mender = Mender(job.graph, base_iri=job.base_iri, report=job.report, file=file.name)
    with file.open() as stream:
        read = mender.lines if file.syntax in BY_LINE else mender.document
        draft.add(read(stream, file.syntax))


def _refuse_rdf_12(draft: Draft, job: Job, file: RdfFile) -> None:
    """Triple terms and directions make a whole dump unreadable to tools of RDF 1.1."""
    reifier = draft.first(_REIFIES, graph=job.graph)
    subject: object = reifier.subject if reifier and isinstance(reifier.object, ox.Triple) else None
    if subject is None and file.content.maybe_rdf_12:
        pattern = "{ ?s ?p ?o FILTER(isTriple(?o) || hasLANGDIR(?o)) }"
        found = draft.select(f"SELECT ?s WHERE {{ GRAPH {job.graph} {pattern} }} LIMIT 1")
        subject = found[0]["s"] if found else None
    if subject is not None:
        raise ImportFailed(
            f"{file.name} says something of {subject} in RDF 1.2, which other tools cannot read: "
            "write triple terms as rdf:Statement, and leave out text directions"
        )


def declare_relations(draft: Draft, job: Job) -> None:
    """Make a base relation of each property between two IRIs that is none yet."""
    predicates = draft.select(f"SELECT DISTINCT ?p WHERE {{ GRAPH {job.graph} {{ ?s ?p ?o }} }}")
    settled = _settled(draft)
    for predicate in sorted({row["p"] for row in predicates}, key=str):
        if isinstance(predicate, ox.NamedNode) and predicate not in settled and _is_relation(draft, predicate, job):
            job.catalogue.relation(predicate, namespace="", label=_label(draft, predicate))


def _settled(draft: Draft) -> set[object]:
    """The properties that a graph other than the catalogue says to be relations, or to be of another kind."""
    kinds = " ".join(str(kind) for kind in _OTHER_PROPERTIES)
    rows = draft.select(
        f"SELECT DISTINCT ?p WHERE {{ "
        f"{{ GRAPH ?g {{ ?p {terms.BASE_RELATION} ?base }} FILTER(?g != {terms.CATALOGUE_GRAPH}) }} "
        f"UNION {{ VALUES ?kind {{ {kinds} }} GRAPH ?g {{ ?p {terms.RDF_TYPE} ?kind }} }} }}"
    )
    return {row["p"] for row in rows}


def _is_relation(draft: Draft, predicate: ox.NamedNode, job: Job) -> bool:
    if predicate.value.startswith(_NOT_RELATIONS):
        return False
    first = draft.first(predicate, graph=job.graph)
    if first is None or not isinstance(first.object, ox.NamedNode):
        return False
    between_iris = f"{{ ?s {predicate} ?o FILTER(isIRI(?s) && isIRI(?o)) }}"
    return bool(draft.select(f"SELECT ?s WHERE {{ GRAPH {job.graph} {between_iris} }} LIMIT 1"))


def _label(draft: Draft, predicate: ox.NamedNode) -> str:
    """The property's own label, English or untagged first; else its local name taken apart into words."""
    labels = [quad.object for quad in draft.quads(predicate, terms.RDFS_LABEL)]
    literals = [label for label in labels if isinstance(label, ox.Literal) and clean(label.value)]
    if literals:
        rank = {"en": 0, "": 1}
        return min(literals, key=lambda x: (rank.get((x.language or "").split("-")[0], 2), x.value)).value
    return words(unquote(last_part(predicate.value)))


def words(name: str) -> str:
    """A local name as words.

    >>> words("hasAttackActionOf"), words("part_of"), words("P31"), words("hasURL")
    ('has attack action of', 'part of', 'P31', 'has URL')
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-.]+", " ", name)
    parts = [part if part[1:] != part[1:].lower() or part[1:].isdigit() else part.lower() for part in spaced.split()]
    return " ".join(parts) or name
