"""
What the endpoint says of itself: a SPARQL service description, and the graph in the words of VoID and DCAT.

https://www.w3.org/TR/sparql11-service-description/, https://www.w3.org/TR/void/#well-known. What a query may use is
said in comments, since no vocabulary for limits is in use.
"""

import io
from collections.abc import Iterator
from urllib.parse import quote

import pyoxigraph as ox

from kg.exporting import FORMATS, export
from kg.home import Snapshot
from kg.metadata import OWN_WORDS, describe
from ontology import terms
from sparql.guard.limits import Limits
from web.endpoint.generations import Generations
from web.site import WebSettings

SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS_NS = "http://www.w3.org/ns/formats/"
_RESULTS = (
    *("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"),
    *("Turtle", "N-Triples", "N-Quads", "TriG", "RDF_XML", "JSON-LD"),
)
_READ = ("Turtle", "N-Triples", "RDF_XML", "JSON-LD")
_PREFIXES = {**terms.PREFIXES, "sd": SD, "formats": _FORMATS_NS}
_MIB = 1 << 20
_COUNTED_QUADS = 200_000
"""Up to this many quads it is counted what differs, which takes a second and 200 MB."""
_COMMENT = terms.RDFS_COMMENT
_DUMP, _IDENTIFIER, _TITLE = (terms.term(name) for name in ("void:dataDump", "dcterms:identifier", "dcterms:title"))
_TYPE = terms.RDF_TYPE
_SYNTAXES = {fmt.syntax.media_type: fmt for fmt in FORMATS.values()}
Said = tuple[ox.NamedNode | ox.BlankNode, ox.NamedNode, ox.NamedNode | ox.BlankNode | ox.Literal]


def describe_service(generations: Generations, settings: WebSettings, *, root: str, media_type: str) -> bytes:
    """The service description, for a server whose addresses start with ``root``. Raises kg.errors.StoreError."""
    graphs = generations.once(_graphs)
    return _written(list(_service(root, settings, graphs)), media_type)


def describe_graph(generations: Generations, *, root: str, media_type: str) -> bytes:
    """The graph as a data set. Raises kg.errors.StoreError."""
    dataset = ox.NamedNode(f"{root}/.well-known/void#dataset")
    own = generations.once(_dataset)
    said = [(dataset if triple.subject == _ANY else triple.subject, triple.predicate, triple.object) for triple in own]
    said += [
        (dataset, terms.term("void:sparqlEndpoint"), ox.NamedNode(f"{root}/sparql")),
        (dataset, terms.term("dcat:landingPage"), ox.NamedNode(f"{root}/")),
        *((dataset, _DUMP, ox.NamedNode(f"{root}/download/graph{fmt.suffix}")) for fmt in FORMATS.values()),
    ]
    for triple in own:
        if triple.predicate == _IDENTIFIER and isinstance(triple.object, ox.Literal):
            name = quote(triple.object.value, safe="")
            said.append((triple.subject, _DUMP, ox.NamedNode(f"{root}/download/source/{name}.ttl")))
    return _written(said, media_type)  # type: ignore[arg-type]  # subjects of triples of RDF 1.1


def limits_in_words(limits: Limits) -> list[str]:
    """What a query may use, a sentence each."""
    return [
        f"A query is ended after {limits.seconds:g} seconds, with status 503.",
        f"A query may use {limits.memory_bytes // _MIB} MiB of memory beside the graph; more is answered with 503.",
        f"An answer may have {limits.answer_bytes // _MIB} MiB; a longer one is refused with 503, never cut short. "
        "Ask for it in pages, by LIMIT and OFFSET with ORDER BY.",
        f"A query may have {limits.query_bytes // 1024} KiB and nest {limits.nesting:,} brackets. "
        "Send long ones by POST.",
        f"{limits.workers} queries are answered at once, {limits.long_running} more that take longer; who finds no "
        "place is told by status 503 and Retry-After when to ask again.",
        "SERVICE and LOAD are refused: no query reaches another server.",
    ]


def limits_in_short(limits: Limits) -> str:
    """The same for a header: names with values, in seconds and bytes."""
    values = {
        "seconds": f"{limits.seconds:g}",
        "memory-bytes": limits.memory_bytes,
        "query-bytes": limits.query_bytes,
        "answer-bytes": limits.answer_bytes,
        "upload-bytes": limits.upload_bytes,
    }
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _service(root: str, settings: WebSettings, graphs: list[tuple[ox.NamedNode, int]]) -> Iterator[Said]:
    service, dataset, default = (ox.NamedNode(f"{root}/sparql#{name}") for name in ("service", "dataset", "default"))
    yield service, _TYPE, _sd("Service")
    yield service, _sd("endpoint"), ox.NamedNode(f"{root}/sparql")
    yield service, _sd("supportedLanguage"), _sd("SPARQL11Query")
    if settings.token:
        yield service, _sd("supportedLanguage"), _sd("SPARQL11Update")
        yield service, _COMMENT, ox.Literal(f"Updates go to {root}/sparql/update, with a bearer token.", language="en")
    if settings.union_default_graph:
        yield service, _sd("feature"), _sd("UnionDefaultGraph")
    yield service, _sd("feature"), _sd("EmptyGraphs")
    for name in _RESULTS:
        yield service, _sd("resultFormat"), ox.NamedNode(_FORMATS_NS + name)
    for name in _READ:
        yield service, _sd("inputFormat"), ox.NamedNode(_FORMATS_NS + name)
    for sentence in limits_in_words(settings.limits):
        yield service, _COMMENT, ox.Literal(sentence, language="en")
    yield service, _sd("defaultDataset"), dataset
    yield service, _sd("availableGraphs"), dataset
    yield from _dataset_said(dataset, default, settings, graphs)


def _dataset_said(
    dataset: ox.NamedNode, default: ox.NamedNode, settings: WebSettings, graphs: list[tuple[ox.NamedNode, int]]
) -> Iterator[Said]:
    union = "the asserted graphs seen as one" if settings.union_default_graph else "what no named graph holds"
    yield dataset, _TYPE, _sd("Dataset")
    yield dataset, _TYPE, _sd("GraphCollection")
    yield dataset, _sd("defaultGraph"), default
    yield default, _TYPE, _sd("Graph")
    yield default, _COMMENT, ox.Literal(f"The default graph is {union}.", language="en")
    for name, triples in graphs:
        node = ox.BlankNode()
        yield dataset, _sd("namedGraph"), node
        yield node, _TYPE, _sd("NamedGraph")
        yield node, _sd("name"), name
        graph = ox.BlankNode()
        yield node, _sd("graph"), graph
        yield graph, _TYPE, _sd("Graph")
        yield graph, terms.term("void:triples"), ox.Literal(triples)


def _graphs(snapshot: Snapshot) -> list[tuple[ox.NamedNode, int]]:
    """The asserted graphs and how many triples each holds."""
    counted = []
    for name in snapshot.asserted_graphs():
        rows = snapshot.store.query(f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {name} {{ ?s ?p ?o }} }}")
        counted.append((name, int(next(iter(rows))[0].value)))  # type: ignore[arg-type]
    return counted


_ANY = ox.NamedNode("urn:scoutfly:dataset")
"""Stands for the data set until it is known how the server is called."""
_COUNTS = tuple(terms.term(f"void:{name}") for name in ("triples", "entities", "classes", "properties"))


def _dataset(snapshot: Snapshot) -> list[ox.Triple]:
    small = len(snapshot.store) <= _COUNTED_QUADS
    records = [
        quad
        for quad in snapshot.store.quads_for_pattern(None, None, None, terms.SOURCES_GRAPH)
        if quad.subject != terms.ONTOLOGY_GRAPH
    ]
    graphs = {quad.subject for quad in records if isinstance(quad.subject, ox.NamedNode)}
    own = [
        quad
        for graph in sorted(graphs, key=str)
        for quad in snapshot.store.quads_for_pattern(graph, None, None, graph)
        if quad.predicate in OWN_WORDS
    ]
    titled = {quad.subject for quad in own if quad.predicate == _TITLE}
    said = describe(list(snapshot.asserted_quads()) if small else own, sources=records, iri=_ANY)
    # Of a source's two titles, its own is told, and not the name of its file.
    said = [triple for triple in said if triple.predicate != _TITLE or triple.subject not in titled]
    said += [quad.triple for quad in own]
    # Counting what differs takes as much memory as the graph; how much was imported stands in the sources' records.
    return [triple for triple in said if small or triple.subject != _ANY or triple.predicate not in _COUNTS]


def _written(said: list[Said], media_type: str) -> bytes:
    buffer = io.BytesIO()
    export((ox.Quad(*one) for one in said), _SYNTAXES[media_type], buffer, prefixes=_PREFIXES)
    return buffer.getvalue()


def _sd(name: str) -> ox.NamedNode:
    return ox.NamedNode(SD + name)
