"""What /api/entity and /api/neighbourhood take and give."""

from typing import Literal

from pydantic import BaseModel, Field

MOST_EDGES = 200
_LONGEST_IRI = 8_000


class EntityQuery(BaseModel):
    """Which resource."""

    iri: str = Field(min_length=1, max_length=_LONGEST_IRI, description="Its IRI.")


class NeighbourhoodQuery(EntityQuery):
    """Whose edges, and which of them."""

    direction: Literal["out", "in", "both"] = Field(
        "both", description="Those that lead from it, those that lead to it, or both."
    )
    relation: str | None = Field(
        None,
        min_length=1,
        max_length=_LONGEST_IRI,
        description="Only those of this relation, or of this base relation.",
    )
    limit: int = Field(60, ge=1, le=MOST_EDGES, description="How many edges at most.")


class TextModel(BaseModel):
    """A text and its language; "" where it has none."""

    text: str
    language: str = ""


class LinkModel(BaseModel):
    """A resource by name. ``href`` is the address of its page, ``kind`` says in words what sort of thing it is."""

    iri: str
    label: str
    kind: str = ""
    href: str


class CaptionModel(BaseModel):
    """A caption and who wrote it."""

    text: str
    language: str = ""
    writer: str = Field(description='"a person", "model ..." or "an unknown writer".')


class MediaModel(LinkModel):
    """A media item; ``kind`` is image, keyframe, video, audio or file."""

    src: str = Field("", description="The address of its file on this server; empty where it has none to show.")
    remote: str = Field("", description="Where it lies elsewhere, if anywhere.")
    media_type: str = ""
    sha256: str = ""
    frame: int | None = None
    captions: list[CaptionModel] = []


class EdgesModel(BaseModel):
    """How many edges of one base relation there are; other properties count as relations of their own."""

    relation: str
    label: str
    direction: Literal["out", "in"]
    total: int
    is_relation: bool = Field(description="Whether it is a relation of the catalogue.")


class EntityModel(LinkModel):
    """What is known of a resource, apart from its edges."""

    labels: list[TextModel]
    alternative_labels: list[TextModel]
    types: list[LinkModel]
    contexts: list[TextModel]
    captions: list[CaptionModel]
    media: list[MediaModel]
    edges: list[EdgesModel]
    sources: list[str] = Field(description="Titles of the sources that say something of it; empty where not known.")
    data: dict[str, str] = Field(description="Media type → address of its data in that type.")


class NodeModel(LinkModel):
    """A resource that is drawn."""

    types: list[str] = Field([], description="IRIs of its classes.")


class EdgeModel(BaseModel):
    """One edge. ``base`` is the relation without its condition."""

    id: str
    source: str
    target: str
    relation: str
    relation_label: str
    base: str
    base_label: str
    condition: str = Field("", description="The label of the condition of its relation; empty where it has none.")
    conditions: list[str] = Field(description="The conditions to show: those in free text, else that of the relation.")
    information: list[str]


class NeighbourhoodModel(BaseModel):
    """A resource with those that it is connected to by relations of the catalogue."""

    center: str
    nodes: list[NodeModel]
    edges: list[EdgeModel]
    total: int = Field(description="How many edges there are of those asked for.")
    truncated: bool = Field(description="Whether there are more than these.")
