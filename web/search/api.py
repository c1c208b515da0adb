"""Search by media as an operation of the HTTP API."""

from flask import Response, jsonify, request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag
from pydantic import BaseModel, Field
from werkzeug.exceptions import UnprocessableEntity

from agents.media_report import evidence_to_json
from web.errors import BadForm
from web.rates import spend
from web.search.asking import Wanted, search
from web.search.pages import MAX_PARTS, MAX_REQUEST
from web.site import Site


class MediaSearchQuery(BaseModel):
    """How to look."""

    text: str = Field("", max_length=500, description="Words to look for, in the place of files.")
    question: str = Field("", max_length=500, description="What the triplets are to help with; blank keeps all.")
    k: int = Field(5, ge=1, le=50, description="How many items of each modality.")
    tau: float | None = Field(None, ge=0, le=1e6, description="The farthest that an item may be (L2 distance).")
    hops: int = Field(1, ge=1, le=3, description="How many triples away from the items.")
    grasp: bool = Field(True, description="Whether to drop triplets that are not seen or heard in what is sent.")


class Named(BaseModel):
    """An entity."""

    iri: str
    label: str


class MediaHit(BaseModel):
    """An item found; two for a film and its sound."""

    items: list[str]
    index: str
    distance: float
    shows: list[Named]


class MediaTriplet(BaseModel):
    """A triple that items lead to; ``stage`` and ``reason`` say of one that was dropped why it was."""

    head: Named
    relation: str
    label: str
    condition: str | None
    tail: Named
    items: list[str]
    hop: int
    evidenced: bool
    stage: str = ""
    reason: str = ""


class StageCost(BaseModel):
    """What a stage took."""

    stage: str
    by: str
    seconds: float
    memory_bytes: int


class MediaSearchAnswer(BaseModel):
    """What was found."""

    hits: list[MediaHit]
    triplets: list[MediaTriplet]
    dropped: list[MediaTriplet]
    topics: list[Named]
    encoders: dict[str, str]
    costs: list[StageCost]
    cut: bool = Field(description="Whether there were more triplets than are looked at.")
    unsearched: list[str] = Field(description="Kinds of media that were sent and that no index holds.")


def media_search_api(site: Site) -> APIBlueprint:
    """The operation at /api/search/media."""
    area = APIBlueprint("media_search_api", __name__, url_prefix="/api")

    @area.post(
        "/search/media",
        tags=[Tag(name="graph", description="What the graph holds.")],
        summary="Find media of the graph that are like a file, and what the graph says of them",
        description=(
            "Pictures, films and sounds as multipart/form-data in `files`, told by their bytes and not kept; or "
            "`text`, where texts and media share an encoder."
        ),
        responses={200: MediaSearchAnswer},
    )
    def media_search(query: MediaSearchQuery) -> Response:
        spend("ask")
        request.max_content_length, request.max_form_parts = MAX_REQUEST, MAX_PARTS
        wanted = Wanted(query.text, query.question, query.k, query.tau, query.hops, query.grasp)
        try:
            evidence = search(site, request.files.getlist("files"), wanted)
        except BadForm as error:
            raise UnprocessableEntity(str(error)) from error
        response = jsonify(MediaSearchAnswer.model_validate(evidence_to_json(evidence)).model_dump())
        response.headers["Cache-Control"] = "no-store"
        return response

    return area
