"""Search as an operation of the HTTP API, for completion as one types and for programs."""

from flask import Response, jsonify, request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag
from pydantic import BaseModel, Field

from web.browse.found import Found, find
from web.browse.search import MAX_QUERY
from web.site import Site

_MAX_IRI = 2000
_MAX_OFFSET = 1000


class SearchQuery(BaseModel):
    """What is looked for."""

    q: str = Field(max_length=MAX_QUERY, description="The beginning of one or more words of a name, or an IRI.")
    type: str = Field(
        "",
        max_length=_MAX_IRI,
        description="The IRI of a class: only its individuals. sf:Entity for all entities; owl:Class, "
        "owl:ObjectProperty or sf:Condition for terms of the vocabulary.",
    )
    limit: int = Field(10, ge=1, le=100, description="How many results at most.")
    offset: int = Field(0, ge=0, le=_MAX_OFFSET, description="How many results to pass over.")
    lang: str = Field(
        "",
        max_length=35,
        pattern=r"^[A-Za-z0-9-]*$",
        description="The language of the labels shown, as a tag; where empty, the first of Accept-Language.",
    )


class SearchResult(BaseModel):
    """One thing of the graph."""

    iri: str
    label: str
    lang: str = Field(description="The language of the label; empty where it has none.")
    matched: str | None = Field(description="The name that fits, where it is not the label.")
    matched_lang: str | None = Field(description="The language of that name; empty where it has none.")
    matched_by: str | None = Field(description="What kind of name it is: label, alternative label, local name.")
    type_label: str = Field(description="What kind of thing it is, in words.")
    page: str = Field(description="The address of its page.")
    homonym: bool = Field(description="Whether other things bear the same label.")
    note: str = Field(description="What tells it from them: its topic, or the end of its IRI.")
    context: str = Field(description="The beginning of its context, for those that others share a name with.")


class SearchFacet(BaseModel):
    """How many of the things that fit are of a class."""

    iri: str
    label: str
    count: int


class SearchAnswer(BaseModel):
    """What fits, best first: exactly, by its beginning, by the beginnings of its words, but for typing errors."""

    total: int
    results: list[SearchResult]
    types: list[SearchFacet]


def search_api(site: Site) -> APIBlueprint:
    """The operation at /api/search."""
    area = APIBlueprint("search_api", __name__, url_prefix="/api")

    @area.get(
        "/search",
        tags=[Tag(name="graph", description="What the graph holds.")],
        summary="Find entities and terms of the vocabulary by any of their names",
        responses={200: SearchAnswer},
    )
    def search(query: SearchQuery) -> Response:
        language = query.lang or request.accept_languages.best or "en"
        answer = find(site.view, query.q, kind=query.type, language=language, limit=query.limit, offset=query.offset)
        types = [SearchFacet(iri=iri, label=label, count=count) for iri, label, count in answer.by_class]
        body = SearchAnswer(total=answer.total, results=[_result(found) for found in answer.found], types=types)
        response = jsonify(body.model_dump())
        response.headers["Cache-Control"] = "no-cache"
        response.vary.add("Accept-Language")
        return response

    return area


def _result(found: Found) -> SearchResult:
    hit, matched = found.hit, found.hit.matched
    return SearchResult(
        iri=hit.iri,
        label=hit.shown.text,
        lang=hit.shown.language,
        matched=matched.text if matched else None,
        matched_lang=matched.language if matched else None,
        matched_by=matched.kind if matched else None,
        type_label=found.kind,
        page=request.script_root + found.page,
        homonym=hit.homonym,
        note=found.note,
        context=found.context,
    )
