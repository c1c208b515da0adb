"""What was found by media, as the page shows it: each item with its player, its distance, and whom it shows."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from agents.media_retrieval import Evidence
from ontology import terms
from sparql.lifting import items_of
from sparql.resource import Said, captions, statements
from web.entity.gallery import Curator, Item
from web.entity.page import Reader
from web.entity.words import Link


@dataclass(frozen=True, slots=True)
class Found:
    """One hit: its items as a page shows them (of an image sequence its first keyframe), and the entities shown."""

    items: tuple[Item, ...]
    index: str
    distance: float
    entities: tuple[Link, ...]


def shown(evidence: Evidence, reader: Reader) -> tuple[Found, ...]:
    """The hits, in their order. Raises kg.errors.StoreError."""
    hit_items = [ox.NamedNode(iri) for iri in dict.fromkeys(iri for hit in evidence.hits for iri in hit.items)]
    said = dict(statements(reader.store, hit_items))
    first = _first_frames(reader, evidence, said)
    stands_for = {iri: first.get(iri, iri) for iri in hit_items}
    said |= statements(reader.store, list(first.values()))
    entities = [entity.iri for some in evidence.shown.values() for entity in some]
    words = reader.words([*hit_items, *first.values(), *entities])
    curator = Curator(words, reader.files, captions(reader.store, list(stands_for.values())))
    return tuple(
        Found(
            tuple(
                curator.item(node, said.get(node, {}))
                for node in dict.fromkeys(stands_for[ox.NamedNode(iri)] for iri in hit.items)
            ),
            hit.index,
            hit.distance,
            tuple(
                words.link(iri)
                for iri in dict.fromkeys(entity.iri for item in hit.items for entity in evidence.shown.get(item, ()))
            ),
        )
        for hit in evidence.hits
    )


def _first_frames(
    reader: Reader, evidence: Evidence, said: Mapping[ox.NamedNode, Said]
) -> dict[ox.NamedNode, ox.NamedNode]:
    """The first keyframe of each image sequence among the hits."""
    sequences = {iri for iri, about in said.items() if terms.IMAGE_SEQUENCE in about.get(terms.RDF_TYPE, ())}
    if not sequences:
        return {}
    owners = [entity.iri for iri in sequences for entity in evidence.shown.get(iri.value, ())]
    candidates = {ox.NamedNode(item) for items in items_of(reader.store, owners).values() for item in items}
    found: dict[ox.NamedNode, tuple[int, ox.NamedNode]] = {}
    for frame, about in statements(reader.store, sorted(candidates, key=lambda iri: iri.value)).items():
        place = min((int(v.value) for v in about.get(terms.FRAME_INDEX, ()) if isinstance(v, ox.Literal)), default=0)
        for whole in about.get(terms.KEYFRAME_OF, ()):
            if whole in sequences and isinstance(whole, ox.NamedNode):
                found[whole] = min(found.get(whole, (place, frame)), (place, frame), key=lambda pair: pair[0])
    return {whole: frame for whole, (_, frame) in found.items()}
