"""What a graph says of its media that the leave-out protocol asks: whom each item shows, and their topics."""

from collections import defaultdict
from collections.abc import Mapping

import pyoxigraph as ox

from kg.home import Snapshot
from ontology import terms

Owners = Mapping[ox.NamedNode, frozenset[ox.NamedNode]]


def owners_of_media(snapshot: Snapshot) -> Owners:
    """The entities of each item: those that have it, or have the film or sequence that it is a keyframe of."""
    owners: dict[ox.NamedNode, set[ox.NamedNode]] = defaultdict(set)
    for quad in snapshot.store.quads_for_pattern(None, terms.HAS_MEDIA, None, None):
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
            owners[quad.object].add(quad.subject)
    for quad in snapshot.store.quads_for_pattern(None, terms.KEYFRAME_OF, None, None):
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
            owners[quad.subject] |= owners.get(quad.object, set())
    return {item: frozenset(some) for item, some in owners.items() if some}


def topics_of_entities(snapshot: Snapshot, entities: frozenset[ox.NamedNode]) -> Owners:
    """The topic entities that each entity belongs to: itself where it is one, else those that a triple leads from."""
    found = snapshot.store.quads_for_pattern(None, terms.RDF_TYPE, terms.TOPIC_ENTITY, None)
    topics = {quad.subject for quad in found if isinstance(quad.subject, ox.NamedNode)}
    belonging: dict[ox.NamedNode, set[ox.NamedNode]] = defaultdict(set)
    for topic in topics:
        if topic in entities:
            belonging[topic].add(topic)
        for graph in snapshot.asserted_graphs():
            for quad in snapshot.store.quads_for_pattern(topic, None, None, graph):
                if quad.object in entities and quad.object not in topics:
                    belonging[quad.object].add(topic)  # type: ignore[index]  # what is in entities is an IRI
    return {entity: frozenset(some) for entity, some in belonging.items()}
