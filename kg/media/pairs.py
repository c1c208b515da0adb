"""Which films and sounds belong together: they show the same entity, or evidence the same fact."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

import pyoxigraph as ox

from kg.home import Snapshot
from kg.media.items import MediaItem
from ontology import terms

MOST_OF_ONE = 64
"""Pairs of one entity or fact."""
Pair = tuple[ox.NamedNode, ox.NamedNode]


def audiovisual_pairs(snapshot: Snapshot, items: Iterable[MediaItem]) -> list[Pair]:
    """Pairs of a video item and an audio item of ``items``, sorted; at most MOST_OF_ONE of each entity or fact."""
    modality = {item.iri: item.modality for item in items}
    shown: dict[object, list[ox.NamedNode]] = defaultdict(list)
    for name in (terms.HAS_MEDIA, terms.EVIDENCE):
        for quad in snapshot.store.quads_for_pattern(None, name, None, None):
            if quad.object in modality:
                shown[quad.subject].append(quad.object)  # type: ignore[arg-type]  # what is an item is an IRI
    found = {pair for some in shown.values() for pair in islice(_pairs(some, modality), MOST_OF_ONE)}
    return sorted(found, key=lambda pair: (pair[0].value, pair[1].value))


def _pairs(items: list[ox.NamedNode], modality: Mapping[ox.NamedNode, str]) -> Iterator[Pair]:
    ordered = sorted(set(items), key=lambda item: item.value)
    films = [item for item in ordered if modality[item] == "video"]
    sounds = [item for item in ordered if modality[item] == "audio"]
    return product(films, sounds)
