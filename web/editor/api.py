"""What a query editor needs to know of the graph, for ours and for others."""

from flask import Response, jsonify, request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag
from pydantic import BaseModel, Field

from web.editor.vocabulary import words_of
from web.site import Site


class ClassModel(BaseModel):
    """A class of the graph."""

    iri: str
    label: str
    count: int = Field(description="How many individuals the graph says it has.")


class RelationModel(BaseModel):
    """A property of the graph."""

    iri: str
    label: str
    count: int = Field(description="How many triples have it.")
    base: str | None = Field(description="The IRI of its base relation, for relations between entities.")
    condition: str | None = Field(description="What must hold, in words, for a conditioned relation.")


class VocabularyModel(BaseModel):
    """The words of the graph, most used first."""

    prefixes: dict[str, str]
    classes: list[ClassModel]
    relations: list[RelationModel]


def editor_api(site: Site) -> APIBlueprint:
    """The operation at /api/vocabulary."""
    area = APIBlueprint("vocabulary", __name__, url_prefix="/api")

    @area.get(
        "/vocabulary",
        tags=[Tag(name="graph", description="What the graph holds.")],
        summary="The prefixes, classes and relations of the graph",
        responses={200: VocabularyModel},
    )
    def vocabulary() -> Response:
        view = site.view
        response = jsonify(view.once(words_of))
        # To be asked again each time, and answered by 304 while the graph is the same.
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    return area
