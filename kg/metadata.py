"""Describes a graph for catalogues of data sets: VoID and DCAT.

https://www.w3.org/TR/void/#statistics, https://www.w3.org/TR/vocab-dcat-3/. Holds no date, so that the same graph has
the same description.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

import pyoxigraph as ox

from ontology import terms

DATASET = ox.NamedNode(terms.GRAPH_NS + "dataset")
"""What stands for an exported graph where its owner gives it no IRI."""
METADATA_GRAPH = ox.NamedNode(terms.GRAPH_NS + "metadata")

_LICENCE = terms.term("dcterms:license")
_TITLE = terms.term("dcterms:title")
_CREATOR = terms.term("dcterms:creator")
_DESCRIPTION = terms.term("dcterms:description")
OWN_WORDS = (_TITLE, _CREATOR, _DESCRIPTION, _LICENCE, terms.term("dcterms:issued"), terms.term("owl:versionInfo"))
"""What sources say of themselves."""
_SUBSET = terms.term("void:subset")
_VOCABULARIES = {terms.SF_NS, terms.MHW_NS, terms.PREFIXES["skos"], terms.PREFIXES["schema"]}


def describe(
    quads: Sequence[ox.Quad],
    *,
    sources: Iterable[ox.Quad] = (),
    iri: ox.NamedNode = DATASET,
    title: str | None = None,
    licence: ox.NamedNode | None = None,
) -> list[ox.Triple]:
    """What ``quads`` hold, as triples about ``iri``; ``sources`` are the records of the sources that they came from.

    Titles, creators and the description are those that the sources give of themselves in ``quads``; without a
    ``licence``, that of the sources is given where all have one and the same. Entities are the IRIs that have a type.
    """
    records = [quad.triple for quad in sources]
    graphs = sorted({str(record.subject): record.subject for record in records}.items())
    described = [graph for _, graph in graphs if isinstance(graph, ox.NamedNode)]
    own = _self_descriptions(quads, {graph for graph in described if graph != terms.ONTOLOGY_GRAPH})
    said = [
        ox.Triple(iri, terms.RDF_TYPE, terms.term("void:Dataset")),
        ox.Triple(iri, terms.RDF_TYPE, terms.term("dcat:Dataset")),
        ox.Triple(iri, _TITLE, ox.Literal(title or _joined_titles(records, own) or "A knowledge graph")),
        *(ox.Triple(iri, predicate, ox.Literal(count)) for predicate, count in _counts(quads)),
        *(ox.Triple(iri, terms.term("void:vocabulary"), ox.NamedNode(name)) for name in sorted(_used(quads))),
        *(ox.Triple(iri, _SUBSET, graph) for graph in described),
        *records,
    ]
    creators = {triple.object for triple in own if triple.predicate == _CREATOR}
    said += [ox.Triple(iri, _CREATOR, creator) for creator in sorted(creators, key=str)]
    if len({triple.subject for triple in records} - {terms.ONTOLOGY_GRAPH}) == 1:
        said += [ox.Triple(iri, _DESCRIPTION, t.object) for t in own if t.predicate == _DESCRIPTION]
    stated = licence or _common_licence(quads, [graph for graph in described if graph != terms.ONTOLOGY_GRAPH])
    if stated is not None:
        said.append(ox.Triple(iri, _LICENCE, stated))
    return said


def _self_descriptions(quads: Iterable[ox.Quad], graphs: Collection[ox.NamedNode]) -> list[ox.Triple]:
    return [quad.triple for quad in quads if quad.predicate in OWN_WORDS and quad.subject in graphs]


def _counts(quads: Sequence[ox.Quad]) -> Iterator[tuple[ox.NamedNode, int]]:
    typed = [quad for quad in quads if quad.predicate == terms.RDF_TYPE]
    yield terms.term("void:triples"), len({(quad.subject, quad.predicate, quad.object) for quad in quads})
    yield terms.term("void:entities"), len({quad.subject for quad in typed if isinstance(quad.subject, ox.NamedNode)})
    yield terms.term("void:classes"), len({quad.object for quad in typed})
    yield terms.term("void:properties"), len({quad.predicate for quad in quads})


def _used(quads: Sequence[ox.Quad]) -> set[str]:
    predicates = {quad.predicate.value for quad in quads}
    return {name for name in _VOCABULARIES if any(predicate.startswith(name) for predicate in predicates)}


def _joined_titles(records: Sequence[ox.Triple], own: Sequence[ox.Triple]) -> str:
    """What the sources are called: by themselves, else by whoever imported them."""
    titles = {
        triple.subject: triple.object.value
        for triple in (*records, *own)
        if triple.predicate == _TITLE and isinstance(triple.object, ox.Literal)
    }
    return ", ".join(sorted(title for graph, title in titles.items() if graph != terms.ONTOLOGY_GRAPH))


def _common_licence(quads: Sequence[ox.Quad], sources: Sequence[ox.NamedNode]) -> ox.NamedNode | None:
    licences = {quad.subject: quad.object for quad in quads if quad.predicate == _LICENCE}
    stated = {licences.get(source) for source in sources}
    only = stated.pop() if len(stated) == 1 else None
    return only if isinstance(only, ox.NamedNode) else None
