"""The import page: signing in with the token, sending files, the trial and its report, importing, withdrawing."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kg.errors import StoreError
from kg.home import Home
from web.download.datasets import read_datasets
from web.errors import BadForm, ImportBusy, NoSuchImport, NoSuchSource
from web.importing.arriving import checked_base, checked_name, free_space, save_files
from web.importing.choosing import READ_KINDS
from web.importing.jobs import Upload, Uploads
from web.importing.limits import DEFAULTS, ImportLimits
from web.importing.sessions import FIELD, close_session, form_token, has_session, open_session, require_form_token
from web.importing.withdrawing import withdraw_source
from web.importing.worker import FILES
from web.problems import sentence
from web.rates import refuse_spent, spend
from web.site import Site
from web.tokens import is_token

_WAIT_S = 4.0
"""A small upload is read while the browser waits, so that its report comes at once."""
_SHOWN = 200
View = Callable[..., AnyResponse]


def importing_blueprint(site: Site, limits: ImportLimits = DEFAULTS) -> Blueprint:
    """The page and its forms."""
    area = Blueprint("importing", __name__)
    pages = Pages(site, limits)
    area.add_url_rule("/import", "form", pages.form)
    area.add_url_rule("/import", "send", pages.guarded(pages.send, sends=True), methods=["POST"])
    area.add_url_rule("/import/sign-in", "sign_in", pages.sign_in, methods=["POST"])
    area.add_url_rule("/import/sign-out", "sign_out", pages.guarded(pages.sign_out), methods=["POST"])
    area.add_url_rule("/import/withdraw", "withdraw", pages.guarded(pages.withdraw), methods=["POST"])
    area.add_url_rule("/import/<upload_id>", "upload", pages.guarded(pages.upload))
    area.add_url_rule("/import/<upload_id>/state.json", "state", pages.guarded(pages.state))
    area.add_url_rule("/import/<upload_id>/report.json", "report", pages.guarded(pages.report))
    for word, view in (("check", pages.check), ("publish", pages.publish), ("discard", pages.discard)):
        area.add_url_rule(f"/import/<upload_id>/{word}", word, pages.guarded(view), methods=["POST"])
    return area


class Pages:
    """The views, bound to one site."""

    def __init__(self, site: Site, limits: ImportLimits) -> None:
        self._site, self._limits = site, limits
        self._uploads = Uploads(site.home, limits) if site.home else None

    def guarded(self, view: View, *, sends: bool = False) -> View:
        """
        A view for those who have signed in; its forms have to come from a page of the same session.

        ``sends``: files come with the form, so it may be as large as an upload, once the session is seen to hold.
        """

        @wraps(view)
        def guard(**values: Any) -> AnyResponse:
            if not has_session(request, self._site.settings):
                return self._form(status=403, fault="Sign in with the token first.")
            if sends:
                request.max_content_length = self._limits.upload_bytes
                request.max_form_parts = self._limits.files + 10
            if request.method == "POST":
                require_form_token(request, self._site.settings)
            try:
                return view(**values)
            except NoSuchImport as error:
                abort(404, sentence(error))

        return guard

    def form(self) -> AnyResponse:
        """The way in: how to turn importing on, the form for the token, or the form for files."""
        return self._form()

    def sign_in(self) -> AnyResponse:
        """Exchange the token for a cookie."""
        refuse_spent("token")
        if not is_token(request.form.get("token", ""), self._site.settings):
            spend("token")
            return self._form(status=403, fault="That is not the token of this server.", field="token")
        response = redirect(url_for("importing.form"), 303)
        open_session(request, response, self._site.settings)
        return response

    def sign_out(self) -> AnyResponse:
        """Take the cookie back."""
        response = redirect(url_for("importing.form"), 303)
        close_session(request, response)
        return response

    def send(self) -> AnyResponse:
        """Receive files and read them as a trial."""
        typed = {key: request.form.get(key, "") for key in ("name", "base")}
        try:
            upload = self._receive(typed["name"], typed["base"], strict="strict" in request.form)
        except BadForm as error:
            return self._form(status=400, fault=str(error), field=error.field, typed=typed)
        except ImportBusy as error:
            return self._form(status=503, fault=sentence(error), typed=typed)
        try:
            self._of_home().start(upload.id, publish=False, patience_s=_WAIT_S)
            self._of_home().wait(upload.id, seconds=_WAIT_S)
        except ImportBusy as error:
            self._of_home().note(upload.id, str(error))
        return redirect(url_for("importing.upload", upload_id=upload.id), 303)

    def upload(self, upload_id: str) -> AnyResponse:
        """How far an upload is, with the report of the trial or of the import."""
        return self._shown(self._of_home().get(upload_id))

    def state(self, upload_id: str) -> AnyResponse:
        """For the script of the page: whether there is news."""
        upload = self._of_home().get(upload_id)
        return _json({"phase": upload.phase, "running": upload.running, "progress": upload.progress})

    def report(self, upload_id: str) -> AnyResponse:
        """The report as a file."""
        upload = self._of_home().get(upload_id)
        response = _json({"phase": upload.phase, "message": upload.message, "report": upload.report}, indent=2)
        response.headers["Content-Disposition"] = 'attachment; filename="import-report.json"'
        return response

    def check(self, upload_id: str) -> AnyResponse:
        """Read an upload as a trial, again or at last."""
        return self._start(upload_id, publish=False)

    def publish(self, upload_id: str) -> AnyResponse:
        """Import what a trial has read."""
        if self._of_home().get(upload_id).phase != "checked":
            abort(409, "Only an upload that was read as a trial, and is not imported yet, can be imported.")
        return self._start(upload_id, publish=True)

    def discard(self, upload_id: str) -> AnyResponse:
        """Forget an upload."""
        try:
            self._of_home().discard(upload_id)
        except ImportBusy as error:
            abort(409, sentence(error))
        return redirect(url_for("importing.form"), 303)

    def withdraw(self) -> AnyResponse:
        """Take a source back."""
        slug = request.form.get("slug", "")
        if request.form.get("sure") != slug:
            return self._form(status=400, fault="Type the short name of the source to withdraw it.", field="sure")
        try:
            withdraw_source(self._home(), slug)
        except NoSuchSource as error:
            abort(404, sentence(error))
        except StoreError as error:
            return self._form(status=503, fault=sentence(error))
        return redirect(url_for("importing.form", withdrawn=slug), 303)

    def _receive(self, name: str, base: str, *, strict: bool) -> Upload:
        checked = checked_base(base)
        uploads = self._of_home()
        if not free_space(self._home().path, request.content_length or 0):
            raise BadForm("files", "The server's disk has no room for that.")
        with uploads.receiving() as folder:
            paths = save_files(request.files.getlist("files"), folder / FILES, self._limits)
            return uploads.keep(folder, name=checked_name(name, paths), base=checked, strict=strict)

    def _start(self, upload_id: str, *, publish: bool) -> AnyResponse:
        uploads = self._of_home()
        try:
            uploads.start(upload_id, publish=publish, patience_s=_WAIT_S)
        except ImportBusy as error:
            return self._shown(uploads.get(upload_id), fault=sentence(error), status=503)
        uploads.wait(upload_id, seconds=_WAIT_S)
        return redirect(url_for("importing.upload", upload_id=upload_id), 303)

    def _shown(self, upload: Upload, *, fault: str = "", status: int = 200) -> AnyResponse:
        text = render_template(
            "importing/upload.html",
            upload=upload,
            fault=fault,
            shown=_SHOWN,
            form_token=self._token(),
            field_name=FIELD,
        )
        return _private(make_response(text, status))

    def _form(
        self, *, status: int = 200, fault: str = "", field: str = "", typed: dict[str, str] | None = None
    ) -> AnyResponse:
        settings, home = self._site.settings, self._site.home
        if home is None or not settings.token:
            return make_response(render_template("importing/off.html", elsewhere=home is None), status)
        if not has_session(request, settings):
            return _private(make_response(render_template("importing/sign_in.html", fault=fault, field=field), status))
        text = render_template(
            "importing/form.html",
            fault=fault,
            field=field,
            typed=typed or {},
            limits=self._limits,
            kinds=READ_KINDS,
            sources=read_datasets(home, self._site.view.about.sources),
            uploads=self._of_home().all(),
            withdrawn=request.args.get("withdrawn", "")[:100],
            form_token=self._token(),
            field_name=FIELD,
        )
        return _private(make_response(text, status))

    def _token(self) -> str:
        return form_token(request, self._site.settings)

    def _of_home(self) -> Uploads:
        if self._uploads is None:
            abort(404, "The graph lies behind an endpoint elsewhere: nothing can be imported here.")
        return self._uploads

    def _home(self) -> Home:
        if self._site.home is None:
            abort(404, "The graph lies behind an endpoint elsewhere: nothing can be imported here.")
        return self._site.home


def _json(values: dict[str, object], *, indent: int | None = None) -> Response:
    text = json.dumps(values, ensure_ascii=False, indent=indent)
    return Response(text, mimetype="application/json", headers={"Cache-Control": "no-store"})


def _private(response: Response) -> Response:
    """What stands on these pages is for whoever signed in: nothing keeps it."""
    response.headers["Cache-Control"] = "no-store"
    return response
