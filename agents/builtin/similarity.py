"""How well an entity fits a description, from its label and its captions."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from statistics import fmean

from agents.roles import Overlay
from retrieval.encoder import TextEncoder, Vectors
from retrieval.lexicon import Lexicon, words
from sparql.graph import Entity


class Similarity:
    """Compares descriptions with entities; vectors are kept, so a graph's captions are encoded once.

    ``background`` are descriptions of other things. A short label and a general caption fit everything a little, so
    what an entity's fit to these is on average is taken off ("hubness", Radovanovic et al. 2010). ``label`` is what the
    coverage of the label counts, ``caption`` the cosine to the best caption, ``usual`` what is taken off.
    """

    def __init__(
        self,
        encoder: TextEncoder,
        lexicon: Lexicon,
        background: Sequence[str] = (),
        *,
        label: float = 1.0,
        caption: float = 2.0,
        usual: float = 1.0,
    ) -> None:
        self._encoder = encoder
        self._background = background if usual else ()
        self._label, self._caption, self._usual_share = label, caption, usual
        self.lexicon = lexicon
        self._encode_one = lru_cache(maxsize=20_000)(self._encode)
        self._usual = lru_cache(maxsize=20_000)(self._usual_fit)

    def fit(self, description: str, entity: Entity, overlay: Overlay, *, hide: Iterable[str] = ()) -> float:
        """How well ``entity`` fits ``description``: label coverage and the cosine to its best caption or context,
        weighted.

        ``hide`` are names that both texts share by necessity (the topic's), which would tell nothing.
        """
        hidden = frozenset(word for name in hide for word in words(name))
        texts = self._texts(entity, overlay)
        return self._raw(description, entity.label, texts, hidden) - self._usual_share * self._usual(
            entity.label, texts, hidden
        )

    def _raw(self, description: str, label: str, texts: tuple[str, ...], hidden: frozenset[str]) -> float:
        plain = _without(description, hidden)
        named = [word for word in words(label) if word not in hidden]
        coverage = self.lexicon.soft_coverage(named, words(plain))
        return self._label * coverage + self._caption * self._best_cosine(plain, texts, hidden)

    def _usual_fit(self, label: str, texts: tuple[str, ...], hidden: frozenset[str]) -> float:
        fits = [self._raw(other, label, texts, hidden) for other in self._background]
        return fmean(fits) if fits else 0.0

    def cosine(self, one: str, other: str) -> float:
        """Cosine of two texts."""
        return float(self._encode_one(one) @ self._encode_one(other))

    def _best_cosine(self, plain: str, texts: Sequence[str], hidden: frozenset[str]) -> float:
        return max((self.cosine(plain, _without(text, hidden)) for text in texts), default=0.0)

    def _texts(self, entity: Entity, overlay: Overlay) -> tuple[str, ...]:
        if entity.iri in overlay:
            return (overlay[entity.iri],)
        return tuple(caption.text for caption in entity.captions) or entity.contexts

    def _encode(self, text: str) -> Vectors:
        vector: Vectors = self._encoder.encode([text])[0]
        return vector


def _without(text: str, hidden: frozenset[str]) -> str:
    return " ".join(word for word in words(text) if word not in hidden) if hidden else text
