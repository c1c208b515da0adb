"""The entities and captions that one import mints out of names, each declared once, where it is first met.

A row that turns out to be bad takes back what it has minted. What a name denotes is the business of ``classes``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.errors import BadTerm
from kg.importer import Job
from kg.importers.classes import Names, Place
from kg.importers.statements import caption_iri, caption_quads, entity_quads
from kg.iri import clean, mint
from ontology import terms


@dataclass(frozen=True, slots=True)
class _Entity:
    name: str
    place: Place


@dataclass(slots=True)
class Entities:
    """What has been minted so far for a job; start each row with :meth:`begin`."""

    job: Job
    names: Names
    _minted: dict[ox.NamedNode, _Entity] = field(default_factory=dict)
    _fresh: list[ox.NamedNode] = field(default_factory=list)
    _captions: dict[ox.NamedNode, tuple[ox.NamedNode, str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._minted)

    def begin(self) -> None:
        """Start a row."""
        self._fresh.clear()

    def take_back(self) -> None:
        """Forget the entities that the row has minted, since it is rejected."""
        for iri in self._fresh:
            del self._minted[iri]
        self._fresh.clear()

    def place(self, topic: str, name: str) -> Place:
        """What ``name`` denotes in the sub-graph of ``topic`` (a slug). Raises BadTerm for a name without letters."""
        return self.names.place(self.names.key(topic, name))

    def entity(self, topic: str, name: str) -> tuple[ox.NamedNode, list[ox.Quad]]:
        """The entity that a name denotes in a sub-graph, with what declares it where it is met for the first time.

        Raises BadTerm for a name that makes no IRI, or the IRI of another thing.
        """
        place = self.place(topic, name)
        iri = ox.NamedNode(self.job.base_iri + "/".join(place.segments))
        known = self._minted.get(iri)
        clash = known is not None and (known.place.topic, known.place.shared) != (place.topic, place.shared)
        if clash or iri in self._captions:
            raise BadTerm(f"{clean(name)!r} would have the IRI of another thing: {iri.value}")
        if known is not None:
            return iri, []
        quads = list(entity_quads(iri, clean(name), graph=self.job.graph, classes=self._classes(place)))
        self._minted[iri] = _Entity(clean(name), place)
        self._fresh.append(iri)
        return iri, quads

    def caption(self, entity: ox.NamedNode, text: str, *, describes: Iterable[ox.NamedNode]) -> list[ox.Quad]:
        """A caption of an entity. A shared word may be described in several sub-graphs: each text is one caption."""
        number = 1
        while self._is_taken(caption_iri(entity, number), entity, text):
            number += 1
        self._captions[caption_iri(entity, number)] = (entity, text)
        return list(
            caption_quads(
                entity,
                text,
                graph=self.job.graph,
                caption_class=terms.HUMAN_CAPTION,
                describes=describes,
                number=number,
            )
        )

    def count(self) -> None:
        """Fill in what the report says of entities, when all rows are read."""
        self.job.report.entities += len(self._minted)
        for iri, entity in self._minted.items():
            if mint(self.job.base_iri, entity.name).encoded:
                self.job.report.encoded.append(f"{entity.name!r} became <{iri.value}>")

    def _is_taken(self, iri: ox.NamedNode, entity: ox.NamedNode, text: str) -> bool:
        return iri in self._minted or self._captions.get(iri, (entity, text)) != (entity, text)

    def _classes(self, place: Place) -> list[ox.NamedNode]:
        named = [place.entity_class] if place.entity_class is not None else []
        # A walk asks for the class itself, so what the class of topics implies is said outright.
        if place.topic or place.entity_class in self.names.signatures.topics:
            return [*named, terms.TOPIC_ENTITY]
        return named or [terms.ENTITY]
