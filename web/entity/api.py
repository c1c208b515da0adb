"""The operations /api/entity and /api/neighbourhood."""

from collections.abc import Iterable

import pyoxigraph as ox
from flask import Response, abort, jsonify
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag

from ontology import terms
from sparql.names import Named
from sparql.resource import described, is_mentioned
from web.entity.edges import Edge, Edges, counts_of, facts_of, read_edges
from web.entity.gallery import Caption, Item
from web.entity.models import (
    CaptionModel,
    EdgeModel,
    EdgesModel,
    EntityModel,
    EntityQuery,
    LinkModel,
    MediaModel,
    NeighbourhoodModel,
    NeighbourhoodQuery,
    NodeModel,
    TextModel,
)
from web.entity.negotiation import FORMS
from web.entity.page import Reader, conditions_of
from web.entity.pages import node_of, reader_maker, shortened
from web.entity.shown import EntityPage
from web.entity.words import Link, Value, Words, named_in, texts
from web.site import Site

_TAGS = [Tag(name="graph", description="What the graph holds.")]


def entity_api(site: Site) -> APIBlueprint:
    """What is known of a resource, and what it is connected to."""
    area = APIBlueprint("entity_api", __name__, url_prefix="/api")
    reader_of = reader_maker(site)

    @area.get("/entity", tags=_TAGS, summary="What is known of a resource", responses={200: EntityModel})
    def entity(query: EntityQuery) -> Response:
        reader, iri = reader_of(), node_of(query.iri)
        page = reader.page(iri)
        if page is None:
            abort(404, f"This graph says nothing about {shortened(query.iri)}")
        return _answer(_entity(page, reader))

    @area.get(
        "/neighbourhood",
        tags=_TAGS,
        summary="The resources that one is connected to by relations",
        responses={200: NeighbourhoodModel},
    )
    def neighbourhood(query: NeighbourhoodQuery) -> Response:
        reader, iri = reader_of(), node_of(query.iri)
        found = _neighbourhood(reader, iri, query)
        if not found.edges and not is_mentioned(reader.store, iri):
            abort(404, f"This graph says nothing about {shortened(query.iri)}")
        return _answer(found)

    return area


def _answer(model: EntityModel | NeighbourhoodModel) -> Response:
    response: Response = jsonify(model.model_dump())
    response.vary.add("Accept-Language")
    return response


def _entity(page: EntityPage, reader: Reader) -> EntityModel:
    addresses = reader.view.addresses
    return EntityModel(
        iri=page.iri,
        label=page.name.text,
        kind=", ".join(link.label for link in page.types),
        href=reader.root + addresses.page_of(page.iri),
        labels=_texts(page.labels),
        alternative_labels=_texts(page.alternatives),
        types=[_link(link) for link in page.types],
        contexts=_texts(page.contexts),
        captions=[_caption(caption) for caption in page.captions],
        media=[_media(item) for item in page.gallery.items],
        edges=[
            EdgesModel(
                relation=group.base.iri,
                label=group.base.label,
                direction="in" if group.is_incoming else "out",
                total=group.total,
                is_relation=group.is_relation,
            )
            for group in (*page.outgoing, *page.incoming)
        ],
        sources=[origin.title for origin in page.origins],
        data={form.media_type: reader.root + addresses.data_of(page.iri, form.suffix) for form in FORMS},
    )


def _neighbourhood(reader: Reader, iri: ox.NamedNode, query: NeighbourhoodQuery) -> NeighbourhoodModel:
    only = node_of(query.relation) if query.relation else None
    triples = [] if query.direction == "in" else described(reader.store, iri)
    counts = {} if query.direction == "out" else counts_of(reader.view, iri)
    edges = read_edges(reader.store, iri, triples, counts, limit=query.limit, only=only, relations_only=True)
    total = sum(group.total for group in (*edges.outgoing, *edges.incoming))
    named = [edge for edge in edges.edges() if isinstance(edge.other, ox.NamedNode)]
    if query.direction == "both":  # an edge from it to itself is one edge, and seen from both ends
        total -= sum(edge.other == iri for group in edges.outgoing for edge in group.edges)
        named = [edge for edge in named if not edge.is_incoming or edge.other != iri]
    chosen = _shared(named, query.limit)
    nodes, shown = _drawn(reader, iri, edges, chosen)
    return NeighbourhoodModel(center=iri.value, nodes=nodes, edges=shown, total=total, truncated=len(shown) < total)


def _shared(edges: list[Edge], limit: int) -> list[Edge]:
    """At most ``limit`` of the edges, a fair part of them incoming where there are both kinds."""
    away = [edge for edge in edges if not edge.is_incoming]
    back = [edge for edge in edges if edge.is_incoming]
    kept = min(len(back), max(limit - len(away), limit // 3))
    return [*away[: limit - kept], *back[:kept]]


def _drawn(
    reader: Reader, iri: ox.NamedNode, edges: Edges, chosen: list[Edge]
) -> tuple[list[NodeModel], list[EdgeModel]]:
    said = facts_of(reader.store, iri, chosen)
    bases = {edge.relation: edges.relations[edge.relation].base for edge in chosen}
    conditions = (known.condition for known in edges.relations.values() if known.condition)
    others = [edge.other for edge in chosen]
    words = reader.words(named_in([iri, *others, *bases.keys(), *bases.values(), *conditions]))
    drawn = []
    for edge in chosen:
        triple, base, condition = edge.triple(iri), bases[edge.relation], edges.relations[edge.relation].condition
        facts = [fact.said for fact in said.get(triple, ())]
        drawn.append(
            EdgeModel(
                id=f"{triple.subject.value} {triple.predicate.value} {triple.object.value}",  # type: ignore[union-attr]
                source=triple.subject.value,  # type: ignore[union-attr]  # both ends are IRIs
                target=triple.object.value,  # type: ignore[union-attr]
                relation=edge.relation.value,
                relation_label=words.label(edge.relation),
                base=base.value,
                base_label=words.label(base),
                condition=words.label(condition) if condition else "",
                conditions=list(conditions_of(edge.relation, facts, edges, words)),
                information=[text.text for one in facts for text in texts(one.get(terms.INFORMATION, ()))],
            )
        )
    nodes = dict.fromkeys([iri, *others])
    return [_node(node, words) for node in nodes if isinstance(node, ox.NamedNode)], drawn


def _node(iri: ox.NamedNode, words: Words) -> NodeModel:
    link, types = words.link(iri), words.called.get(iri, Named()).types
    return NodeModel(
        iri=link.iri, label=link.label, kind=link.kind, href=link.href, types=[kind.value for kind in types]
    )


def _link(link: Link) -> LinkModel:
    return LinkModel(iri=link.iri, label=link.label, kind=link.kind, href=link.href)


def _texts(values: Iterable[Value]) -> list[TextModel]:
    return [TextModel(text=value.text, language=value.language) for value in values]


def _caption(caption: Caption) -> CaptionModel:
    return CaptionModel(text=caption.text.text, language=caption.text.language, writer=caption.writer)


def _media(item: Item) -> MediaModel:
    return MediaModel(
        iri=item.link.iri,
        label=item.link.label,
        kind=item.kind,
        href=item.link.href,
        src=item.src,
        remote=item.remote,
        media_type=item.media_type,
        sha256=item.sha256,
        frame=item.frame,
        captions=[_caption(caption) for caption in item.captions],
    )
