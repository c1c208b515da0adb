"""The media items behind an answer: those that evidence a fact of a kept route, and those of the entities on it.

Not those of the topic itself, which every route starts from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from agents.walk import WalkResult
from kg.store import Store, Term
from ontology import terms
from sparql.graph import Caption
from sparql.template import bind


@dataclass(slots=True)
class UsedMedia:
    """A media item that the answer stands on.

    ``entity`` is the IRI of the entity that it shows or whose fact it evidences, ``evidences`` whether it is a fact's
    evidence, ``score`` that of the best route it is on. ``urls`` are as the graph gives them, perhaps relative paths.
    Captions of the item itself come before those of its entity.
    """

    iri: str
    entity: str
    entity_label: str
    evidences: bool
    score: float
    label: str = ""
    kinds: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)


def media_used(store: Store, result: WalkResult) -> list[UsedMedia]:
    """The media items of the kept routes, each once, those of the best route first. Raises kg.errors.StoreError."""
    found: dict[str, UsedMedia] = {}
    of_entities: dict[str, tuple[Caption, ...]] = {}
    for item, captions in _on_routes(result):
        known = found.setdefault(item.iri, item)
        known.evidences |= item.evidences
        known.score = max(known.score, item.score)
        of_entities.setdefault(item.iri, captions)
    if found:
        _describe(store, found)
    for iri, captions in of_entities.items():
        found[iri].captions += [caption for caption in captions if caption not in found[iri].captions]
    return list(found.values())


def media_to_json(items: Sequence[UsedMedia]) -> list[dict[str, object]]:
    """The items, JSON-able."""
    return [
        {
            "iri": item.iri,
            "label": item.label,
            "url": item.urls[0] if item.urls else "",
            "types": item.kinds,
            "format": item.formats[0] if item.formats else "",
            "captions": [{"text": caption.text, "model": caption.model} for caption in item.captions],
            "entity": item.entity,
            "entity_label": item.entity_label,
            "evidence": item.evidences,
            "score": item.score,
        }
        for item in items
    ]


def _on_routes(result: WalkResult) -> Iterable[tuple[UsedMedia, tuple[Caption, ...]]]:
    for scored in result.paths:
        score = round(sum(scored.scores), 6)
        for edge in scored.path.edges:
            entity = edge.tail
            evidence = {item.value for fact in edge.facts for item in fact.evidence}
            for iri in (*sorted(evidence), *(item.value for item in entity.media)):
                yield UsedMedia(iri, entity.iri.value, entity.label, iri in evidence, score), entity.captions


def _describe(store: Store, found: dict[str, UsedMedia]) -> None:
    for row in store.select(bind("media_items", items=_lawful(found))):
        item, value = found[_text(row["item"])], _text(row["value"])
        match _text(row["property"]):
            case terms.RDF_TYPE.value:
                item.kinds.append(value)
            case terms.RDFS_LABEL.value:
                item.label = item.label or value
            case terms.CONTENT_URL.value:
                item.urls.append(value)
            case terms.ENCODING_FORMAT.value:
                item.formats.append(value)
            case terms.CAPTION_TEXT.value:
                item.captions.append(Caption(value, _text(row.get("model")) or None))
    for item in found.values():
        item.kinds, item.urls, item.formats = (sorted(set(values)) for values in (item.kinds, item.urls, item.formats))


def _lawful(iris: Iterable[str]) -> list[ox.NamedNode]:
    """Those that can be asked about: a lenient parser takes IRIs that no query can name."""
    lawful = []
    for iri in iris:
        try:
            lawful.append(ox.NamedNode(iri))
        except ValueError:
            continue
    return lawful


def _text(term: Term | None) -> str:
    return term.value if isinstance(term, (ox.NamedNode, ox.Literal)) else ""
