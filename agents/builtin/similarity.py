"""How well an entity fits a description, from its label and its captions."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from agents.roles import Overlay
from retrieval.encoder import TextEncoder, Vectors
from retrieval.lexicon import Lexicon, words
from sparql.graph import Entity

_CAPTION_WEIGHT = 2.0


class Similarity:
    """Compares descriptions with entities; vectors are kept, so a graph's captions are encoded once."""

    def __init__(self, encoder: TextEncoder, lexicon: Lexicon) -> None:
        self._encoder = encoder
        self.lexicon = lexicon
        self._encode_one = lru_cache(maxsize=20_000)(self._encode)

    def fit(self, description: str, entity: Entity, overlay: Overlay, *, hide: Iterable[str] = ()) -> float:
        """How well ``entity`` fits ``description``: label coverage plus twice the cosine to its best caption or
        context.

        ``hide`` are names that both texts share by necessity (the topic's), which would tell nothing.
        """
        hidden = {word for name in hide for word in words(name)}
        plain = _without(description, hidden)
        label = [word for word in words(entity.label) if word not in hidden]
        coverage = self.lexicon.soft_coverage(label, words(plain))
        return coverage + _CAPTION_WEIGHT * self._best_cosine(plain, self._texts(entity, overlay), hidden)

    def cosine(self, one: str, other: str) -> float:
        """Cosine of two texts."""
        return float(self._encode_one(one) @ self._encode_one(other))

    def _best_cosine(self, plain: str, texts: Sequence[str], hidden: set[str]) -> float:
        return max((self.cosine(plain, _without(text, hidden)) for text in texts), default=0.0)

    def _texts(self, entity: Entity, overlay: Overlay) -> Sequence[str]:
        if entity.iri in overlay:
            return [overlay[entity.iri]]
        return [caption.text for caption in entity.captions] or entity.contexts

    def _encode(self, text: str) -> Vectors:
        vector: Vectors = self._encoder.encode([text])[0]
        return vector


def _without(text: str, hidden: set[str]) -> str:
    return " ".join(word for word in words(text) if word not in hidden) if hidden else text
