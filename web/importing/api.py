"""``/api/import`` and ``/api/sources``: what the import page does, for programs, by bearer token."""

import json

from flask import Response, request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag
from pydantic import BaseModel, ConfigDict, Field
from werkzeug.exceptions import NotFound, ServiceUnavailable, UnprocessableEntity

from kg.home import Home
from web.api import SECURITY
from web.download.datasets import DataSet, read_datasets
from web.errors import BadForm, ImportBusy, NoSuchImport, NoSuchSource
from web.importing.arriving import checked_base, checked_name, free_space, save_body, save_files
from web.importing.jobs import Upload, Uploads
from web.importing.limits import DEFAULTS, ImportLimits
from web.importing.withdrawing import withdraw_source
from web.importing.worker import FILES
from web.problems import sentence
from web.site import Site
from web.tokens import require_token

_TAG = Tag(name="Import", description="Adding sources to the graph, and taking them out again.")
_ELSEWHERE = "The graph lies behind an endpoint elsewhere: it has no sources here."


class ImportQuery(BaseModel):
    """How to import what is sent."""

    dry_run: bool = Field(False, description="Read and report, and leave the graph as it is.")
    name: str = Field("", max_length=100, description="The name of the source, which replaces one of the same name.")
    base: str = Field("", max_length=500, description="What new and relative IRIs start with.")
    strict: bool = Field(False, description="Stop at the first bad row, with nothing changed.")
    file: str = Field("", max_length=200, description="What a body that is no form is called, e.g. graph.ttl.gz.")
    wait: int = Field(20, ge=0, le=60, description="How many seconds to wait for the end before answering 202.")


class ImportPath(BaseModel):
    """Which upload."""

    upload_id: str = Field(pattern="^[0-9a-f]{32}$")


class SourcePath(BaseModel):
    """Which source."""

    slug: str = Field(min_length=1, max_length=200)


class Rejected(BaseModel):
    """A row that was not imported."""

    file: str
    reason: str
    sheet: str | None = None
    row: int | None = None
    column: str | None = None


class Report(BaseModel):
    """What an import did; lists are cut at 10,000."""

    model_config = ConfigDict(extra="allow")

    source: str
    kind: str
    base_iri: str
    rows_read: int
    triples: int
    entities: int = Field(description="Entities found: minted out of names, or named by an RDF file.")
    topic_entities: int = Field(0, description="How many of them are topic entities, from which answers start.")
    new_relations: list[str]
    labels: dict[str, str]
    media_found: int
    media_missing: list[str]
    rejected: list[Rejected]
    rejected_rows: int
    notes: list[str]


class ImportAnswer(BaseModel):
    """
    How far an upload is.

    ``phase`` is received, checking, checked (a dry run that is over), importing, done or failed.
    """

    id: str
    name: str
    phase: str
    progress: str = ""
    message: str = ""
    report: Report | None = None


class SourceAnswer(BaseModel):
    """One source of the graph."""

    slug: str
    title: str
    kind: str
    base_iri: str
    triples: int
    sha256: str = Field(description="The hash of its content.")
    description: str = ""
    licence: str = ""
    creator: str = ""


class SourcesAnswer(BaseModel):
    """The sources of the graph, by their short names."""

    sources: list[SourceAnswer]


def importing_api(site: Site, limits: ImportLimits = DEFAULTS) -> APIBlueprint:
    """The operations."""
    area = APIBlueprint("import_api", __name__, url_prefix="/api", abp_tags=[_TAG])
    views = Operations(site, limits)

    @area.post(
        "/import",
        summary="Import files",
        description=(
            "Files as multipart/form-data in `files`, or one file as the body: RDF, a table of triples, a workbook, or "
            "a zip archive of a folder. Answers 200 at the end, 202 with `Location` where it takes longer than `wait`."
        ),
        security=SECURITY,
        responses={200: ImportAnswer, 202: ImportAnswer},
    )
    def send(query: ImportQuery) -> Response:
        return views.send(query)

    @area.get("/import/<upload_id>", summary="How far an import is", security=SECURITY, responses={200: ImportAnswer})
    def state(path: ImportPath) -> Response:
        return views.state(path.upload_id)

    @area.get("/sources", summary="The sources of the graph", responses={200: SourcesAnswer})
    def sources() -> Response:
        return views.sources()

    @area.delete("/sources/<slug>", summary="Withdraw a source", security=SECURITY, responses={204: None})
    def delete(path: SourcePath) -> Response:
        return views.withdraw(path.slug)

    return area


class Operations:
    """The operations, bound to one site."""

    def __init__(self, site: Site, limits: ImportLimits) -> None:
        self._site, self._limits = site, limits
        self._uploads = Uploads(site.home, limits) if site.home else None

    def send(self, query: ImportQuery) -> Response:
        """Receive, read and, but for a dry run, import."""
        require_token(request, self._site.settings)
        uploads = self._of_home()
        request.max_content_length = self._limits.upload_bytes
        request.max_form_parts = self._limits.files + 10
        try:
            upload = self._receive(query, uploads)
        except BadForm as error:
            raise UnprocessableEntity(str(error)) from error
        except ImportBusy as error:
            raise ServiceUnavailable(sentence(error), retry_after=10) from error
        try:
            uploads.start(upload.id, publish=not query.dry_run, patience_s=query.wait)
        except ImportBusy as error:
            uploads.discard(upload.id)  # it is sent again, and must not wait here as well
            raise ServiceUnavailable(sentence(error), retry_after=10) from error
        return self._answer(uploads.wait(upload.id, seconds=query.wait))

    def state(self, upload_id: str) -> Response:
        """How far an upload is."""
        require_token(request, self._site.settings)
        try:
            return _json(_shown(self._of_home().get(upload_id)))
        except NoSuchImport as error:
            raise NotFound(sentence(error)) from error

    def sources(self) -> Response:
        """Those of the current generation."""
        found = read_datasets(self._home(), self._site.view.about.sources)
        return _json(SourcesAnswer(sources=[_source(one) for one in found]))

    def withdraw(self, slug: str) -> Response:
        """Take a source out."""
        require_token(request, self._site.settings)
        try:
            withdraw_source(self._home(), slug)
        except NoSuchSource as error:
            raise NotFound(sentence(error)) from error
        return Response(status=204)

    def _receive(self, query: ImportQuery, uploads: Uploads) -> Upload:
        base = checked_base(query.base)
        if not free_space(self._home().path, request.content_length or 0):
            raise ServiceUnavailable("The server's disk has no room for that.")
        with uploads.receiving() as folder:
            files = folder / FILES
            if request.mimetype == "multipart/form-data":
                paths = save_files(request.files.getlist("files") or request.files.getlist("file"), files, self._limits)
            else:
                paths = [save_body(request, files, file_name=query.file, limits=self._limits)]
            return uploads.keep(folder, name=checked_name(query.name, paths), base=base, strict=query.strict)

    def _answer(self, upload: Upload) -> Response:
        """200 with the report, 202 where it is still being read, a problem where it came to nothing."""
        if upload.phase == "failed":
            raise UnprocessableEntity(upload.told)
        if upload.phase == "received":  # another process was writing
            self._of_home().discard(upload.id)
            raise ServiceUnavailable(upload.told, retry_after=10)
        response = _json(_shown(upload), status=202 if upload.running else 200)
        response.headers["Location"] = f"{request.script_root}/api/import/{upload.id}"
        return response

    def _of_home(self) -> Uploads:
        if self._uploads is None:
            raise NotFound(_ELSEWHERE)
        return self._uploads

    def _home(self) -> Home:
        if self._site.home is None:
            raise NotFound(_ELSEWHERE)
        return self._site.home


def _shown(upload: Upload) -> ImportAnswer:
    report = Report.model_validate(upload.report) if upload.report else None
    return ImportAnswer(
        id=upload.id,
        name=upload.name,
        phase=upload.phase,
        progress=upload.progress,
        message=upload.told,
        report=report,
    )


def _source(one: DataSet) -> SourceAnswer:
    return SourceAnswer.model_validate(one, from_attributes=True)


def _json(values: BaseModel, *, status: int = 200) -> Response:
    text = json.dumps(values.model_dump(mode="json"), ensure_ascii=False)
    return Response(text, status, mimetype="application/json", headers={"Cache-Control": "no-store"})
