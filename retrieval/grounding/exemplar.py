"""
Exemplar grounding: an entity is present as far as the query looks or sounds like that entity's own media.

The embedded default, which needs no detector. A distance d becomes a presence exp(-(d / s)^2), where s is how far an
item of the index is, in the middle, from its nearest other one: at that distance presence is 0.37 by any encoder.
An entity without media of the kind has presence 0; a triplet neither of whose ends has any cannot be judged.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pyoxigraph as ox

from retrieval.encoders.base import MediaEncoder, Vectors
from retrieval.grounding.base import Scores
from retrieval.search import MediaQuery
from retrieval.triplets import Triplet
from retrieval.vectors import VectorIndex

Items = Mapping[ox.NamedNode, Sequence[str]]
"""The IRIs of the media items of each entity."""


class ExemplarGrounder:
    """
    Grounds in the frames of a query by an index of pictures, or in its sounds by one of sounds.

    Seen, a triplet scores the sum of its head and its tail, each at its best frame (equation 4). Heard, it scores its
    louder end: most triplets have one end that makes a sound.
    """

    def __init__(
        self, sense: Literal["visual", "audio"], index: VectorIndex, encoder: MediaEncoder[Any], items: Items
    ) -> None:
        self._sense, self._index, self._encoder, self._items = sense, index, encoder, items
        self.name = f"exemplar ({encoder.fingerprint.name})"

    def scores(self, triplets: Sequence[Triplet], query: MediaQuery) -> Scores:
        """See :class:`retrieval.grounding.base.Grounder`."""
        media = query.glimpses if self._sense == "visual" else query.sounds
        if not media or not triplets:
            return np.zeros(len(triplets))
        asked = self._encoder.encode(media)
        ends = {iri for triplet in triplets for iri in (triplet.head, triplet.tail)}
        presence = {iri: self._presence(iri, asked) for iri in ends}
        pairs = np.array([(presence[triplet.head], presence[triplet.tail]) for triplet in triplets])
        known = np.nan_to_num(pairs)
        scores = known.sum(axis=1) if self._sense == "visual" else known.max(axis=1)
        return np.where(np.isnan(pairs).all(axis=1), np.nan, scores)

    def _presence(self, entity: ox.NamedNode, asked: Vectors) -> float:
        own = self._index.vectors_of(self._items.get(entity, ()))
        if not len(own):
            return float("nan")
        distances = np.linalg.norm(asked[:, None, :] - own[None, :, :], axis=2)
        return float(np.exp(-((distances.min() / self._index.neighbour_distance) ** 2)))
