"""
What the graph knows of a question's media: items like them, the triplets those lead to, and what of these is of use.

Modality-wise retrieval and GRASP of M3KG-RAG over the RDF graph (section 3.2): search, lift (equation 3), prune. The
entities that the items show propose where a walk may start; the triplets that are kept can be answered from directly
(equation 6) or go to the walk as what the media show.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyoxigraph as ox

from agents.roles import Path, Question
from kg.store import Store
from ontology import terms
from retrieval.encoder import TextEncoder
from retrieval.grasp import Cost, Grasp, SimilarityFilter, Thresholds, TripletFilter
from retrieval.grounding.base import Grounder
from retrieval.grounding.exemplar import ExemplarGrounder
from retrieval.media_index import IndexName
from retrieval.search import TOP_K, Hit, MediaQuery, MediaSearcher
from retrieval.triplets import Triplet
from sparql.graph import Edge, Entity
from sparql.lifting import Lifted, items_of, lift

_SAID = 3
"""Entities that a question is told its media are like."""


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """
    ``k`` items a modality, none farther than ``tau`` of its index; ``hops`` from the items; which stages of GRASP.

    ``eta`` are the thresholds of grounding.
    """

    k: int = TOP_K
    tau: Mapping[IndexName, float] = field(default_factory=dict)
    hops: int = 1
    grounding: bool = True
    filtering: bool = True
    eta: Thresholds = field(default_factory=Thresholds)


@dataclass(frozen=True, slots=True)
class DroppedTriplet:
    """A triplet that GRASP dropped, by which stage and why."""

    lifted: Lifted
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    What was found: ``hits`` in the order of their rank, whom each item shows, the triplets kept and dropped.

    ``topics`` are topic entities that a walk may start from, most likely first; ``encoders`` say by whom each index
    was made; ``cut`` that there were more triplets than are looked at; ``unsearched`` names kinds of media that were
    asked with and that no index holds.
    """

    hits: tuple[Hit, ...]
    shown: Mapping[str, tuple[Entity, ...]]
    triplets: tuple[Lifted, ...]
    dropped: tuple[DroppedTriplet, ...]
    topics: tuple[Entity, ...]
    costs: tuple[Cost, ...]
    encoders: Mapping[IndexName, str]
    cut: bool
    unsearched: tuple[str, ...] = ()

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that the items show, those of the nearest items first."""
        found = {entity.iri: entity for hit in self.hits for item in hit.items for entity in self.shown.get(item, ())}
        return tuple(found.values())

    def paths(self) -> tuple[Path, ...]:
        """Each triplet kept as a path of one edge: what an answer is written from (equation 6), evidence first."""
        return tuple(
            Path(one.head, (Edge(one.head.iri, one.relation, one.tail),))
            for one in sorted(self.triplets, key=lambda one: (not one.evidenced, one.hop))
        )


class MediaRetriever:
    """Retrieval over ``store`` by the indexes of ``searcher``. For many threads."""

    def __init__(
        self, store: Store, searcher: MediaSearcher, texts: TextEncoder, *, triplet_filter: TripletFilter | None = None
    ) -> None:
        self._store, self._searcher = store, searcher
        self._filter = triplet_filter or SimilarityFilter(texts)

    def there(self) -> list[IndexName]:
        """The indexes that there are. Raises retrieval.errors.IndexDamaged."""
        return self._searcher.there()

    def retrieve(self, question: str, query: MediaQuery, *, settings: RetrievalSettings | None = None) -> Evidence:
        """
        What the graph knows of ``query``, pruned for ``question`` (which may be blank: then nothing is filtered).

        Raises retrieval.errors.RetrievalError (IndexMissing before any index was built) and kg.errors.StoreError.
        """
        chosen = settings or RetrievalSettings()
        hits = self._searcher.search(query, k=chosen.k, tau=chosen.tau)
        return self._evidence(question, query, hits, chosen)

    def retrieve_text(self, text: str, *, settings: RetrievalSettings | None = None) -> Evidence:
        """The same for a text, in a space that texts share with media (the baseline of Table 4)."""
        chosen = settings or RetrievalSettings()
        return self._evidence(text, MediaQuery(), self._searcher.search_text(text, k=chosen.k), chosen)

    def _evidence(self, question: str, query: MediaQuery, hits: Sequence[Hit], settings: RetrievalSettings) -> Evidence:
        items = [ox.NamedNode(iri) for iri in dict.fromkeys(iri for hit in hits for iri in hit.items)]
        lifted = lift(self._store, items, hops=settings.hops)
        triplets = [as_triplet(one) for one in lifted.triples]
        pruned = self._grasp(triplets, query, settings).prune(triplets, question, query)
        dropped = tuple(DroppedTriplet(lifted.triples[one.place], one.stage, one.reason) for one in pruned.dropped)
        shown = {item.value: entities for item, entities in lifted.shown.items()}
        kept = tuple(lifted.triples[place] for place in pruned.kept)
        encoders = {name: str(self._searcher.opened(name).manifest.fingerprint) for name in {hit.index for hit in hits}}
        topics = _topics(hits, shown, lifted.triples)
        unsearched = tuple(self._searcher.unsearched(query))
        return Evidence(tuple(hits), shown, kept, dropped, topics, pruned.costs, encoders, lifted.cut, unsearched)

    def _grasp(self, triplets: Sequence[Triplet], query: MediaQuery, settings: RetrievalSettings) -> Grasp:
        seen = heard = None
        if settings.grounding and query:
            items = items_of(self._store, (iri for one in triplets for iri in (one.head, one.tail)))
            seen, heard = self._grounder("visual", items), self._grounder("audio", items)
        return Grasp(seen, heard, self._filter if settings.filtering else None, settings.eta)

    def _grounder(self, sense: str, items: Mapping[ox.NamedNode, Sequence[str]]) -> Grounder | None:
        name: IndexName = "image" if sense == "visual" else "audio"
        if name not in self._searcher.there():
            return None
        opened = self._searcher.opened(name)
        return ExemplarGrounder("visual" if sense == "visual" else "audio", opened.index, opened.encoders[0], items)


def with_evidence(question: Question, evidence: Evidence) -> Question:
    """The question as a walk is told it: where to start, unless the asker said, and what its media are like."""
    topic = question.topic or next((topic.iri.value for topic in evidence.topics), "")
    names = list(dict.fromkeys(entity.label for entity in evidence.entities))[:_SAID]
    told = f"Its media are most like those of {', '.join(names)}." if names else ""
    return replace(question, topic=topic, extra=" ".join(filter(None, (question.extra, told))))


def as_triplet(lifted: Lifted) -> Triplet:
    """The triple with its words alone."""
    return Triplet(
        lifted.head.iri,
        lifted.relation.iri,
        lifted.tail.iri,
        lifted.head.label,
        lifted.relation.label,
        lifted.tail.label,
        lifted.relation.condition_label or "",
        " ".join(lifted.head.contexts),
        " ".join(lifted.tail.contexts),
    )


def _topics(
    hits: Sequence[Hit], shown: Mapping[str, tuple[Entity, ...]], triples: Iterable[Lifted]
) -> tuple[Entity, ...]:
    """The topic entities that items show, or that a triple leads from to what they show; those of near items first."""
    above: dict[ox.NamedNode, list[Entity]] = {}
    for one in triples:
        if terms.TOPIC_ENTITY in one.head.types:
            above.setdefault(one.tail.iri, []).append(one.head)
    found: dict[ox.NamedNode, Entity] = {}
    for hit in hits:
        for entity in (entity for item in hit.items for entity in shown.get(item, ())):
            candidates = [entity] if terms.TOPIC_ENTITY in entity.types else above.get(entity.iri, [])
            found |= {topic.iri: topic for topic in candidates if topic.iri not in found}
    return tuple(found.values())
