"""
The frame of the HTTP API: an application that answers odd requests soberly, and the description at /openapi.json.

Operations under /api are described by their own pydantic models (flask_openapi3); what follows a standard of its own,
SPARQL's protocol or linked data, by the files in ``web/openapi``, of which those are shown that this server answers.
Every operation gets the same errors, problem+json (see web.problems).
"""

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from flask import Blueprint, Response, current_app, jsonify, request
from flask.json.provider import DefaultJSONProvider
from flask_openapi3.models.info import Info
from flask_openapi3.openapi import OpenAPI
from pydantic import ValidationError
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from web.bodies import WholeRequest
from web.errors import BadParameters
from web.failures import new_failure
from web.site import Site

Described = dict[str, Any]
"""A part of an OpenAPI document: https://spec.openapis.org/oas/v3.1.0."""
FOLDER = Path(__file__).with_name("openapi")
SECURITY: list[dict[str, list[str]]] = [{"token": []}]
"""The ``security`` of an operation that changes the graph."""
_LONE = re.compile(r"\\u[dD][89a-fA-F]")
_METHODS = {"get", "put", "post", "delete", "patch", "head"}
_MAX_FAULTS = 20
_LIBRARY_SCHEMAS = ("ValidationErrorModel", "UnprocessableEntity")


class SoberJson(DefaultJSONProvider):
    """Reads JSON that can be kept and written again: nothing nested without end, no half of a surrogate pair."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Raises ValueError, which flask answers with 400."""
        try:
            value = json.loads(s, parse_constant=_refuse_constant, **kwargs)
            if _LONE.search(s if isinstance(s, str) else s.decode("ascii", "ignore")):
                json.dumps(value, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error
        return value


class Application(OpenAPI):
    """Flask with the API's description; logs what was not foreseen under an id (see web.failures)."""

    json_provider_class = SoberJson
    request_class = WholeRequest

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Called by flask with all that a request runs. None of it is a coroutine, and looking takes time."""
        return func

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Called by flask with what a view raised. The path is quoted: it may hold line ends."""
        self.logger.error("failure %s: %s %r", new_failure(), request.method, request.path, exc_info=exc_info)


def make_application(import_name: str) -> Application:
    """An application without areas."""
    about = metadata("scoutfly")
    return Application(
        import_name,
        info=Info(title="Scoutfly", version=about["Version"]),
        doc_ui=False,
        validation_error_callback=refuse_parameters,
    )


def refuse_parameters(error: ValidationError) -> Response:
    """
    What flask_openapi3 calls with a request that is not as described.

    Raises BadParameters; BadRequest and UnsupportedMediaType where the body is no JSON at all.
    """
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    if any(not fault["loc"] for fault in faults) and request.method in {"POST", "PUT", "PATCH"}:
        if not request.is_json:
            raise UnsupportedMediaType("This address takes JSON: send it as application/json.")
        if request.get_json(silent=True) is None and request.get_data().strip() != b"null":
            raise BadRequest("The body is not JSON that can be read: look for a missing quote, comma or bracket.")
    raise BadParameters(tuple(_fault(fault["loc"], fault["msg"]) for fault in faults[:_MAX_FAULTS]))


def openapi_blueprint(site: Site) -> Blueprint:
    """The description itself."""
    del site
    area = Blueprint("openapi", __name__)

    @area.get("/openapi.json")
    def description() -> Response:
        return jsonify(describe(cast(OpenAPI, current_app), root=request.script_root or "/"))

    return area


def describe(app: OpenAPI, *, root: str = "/") -> Described:
    """The OpenAPI 3.1 document of all that ``app`` answers to programs; ``root`` is where it is mounted."""
    made: Described = copy.deepcopy(app.api_doc)
    paths: Described = {path: _made(path, item) for path, item in made["paths"].items()}
    tags: list[Described] = list(made.get("tags", []))
    frame, parts = _written()
    components: Described = frame["components"]
    for name, schema in made["components"]["schemas"].items():
        if name not in _LIBRARY_SCHEMAS:
            components["schemas"][name] = schema
    registered = {_template(str(rule)) for rule in app.url_map.iter_rules()}
    for part in parts:
        shown = {path: item for path, item in part["paths"].items() if path in registered}
        paths |= {path: _joined(paths.get(path, {}), item) for path, item in shown.items()}
        if shown and "description" in part:
            tags.append({"name": part["name"], "description": part["description"]})
        for kind, held in part.get("components", {}).items():
            components.setdefault(kind, {}).update(held)
    return {
        "openapi": "3.1.0",
        "info": frame["info"] | {"version": app.info.version},
        "servers": [{"url": root, "description": "this server"}],
        "tags": tags,
        "paths": {path: _with_errors(item) for path, item in sorted(paths.items())},
        "components": components,
    }


def _joined(made: Described, written: Described) -> Described:
    """What is written of a path, over what the library made of it, which it completes."""
    return made | {key: made.get(key, {}) | value if key in _METHODS else value for key, value in written.items()}


def _made(path: str, item: Described) -> Described:
    """A path item of the library, without what it says of errors, and with names that can be used."""
    for method, operation in item.items():
        operation["operationId"] = "_".join([method, *re.findall(r"\w+", path.removeprefix("/api"))])
        operation["description"] = operation.get("description", "").replace("<br/>", "\n").strip()
        operation["responses"].pop("422", None)
    return item


def _with_errors(item: Described) -> Described:
    """A path item, each operation of which says what an error looks like."""
    for operation in (item[method] for method in _METHODS & set(item)):
        answers: Described = operation["responses"]
        answers |= {status: {"$ref": "#/components/responses/TooLong"} for status in ("414", "431")}
        answers["default"] = {"$ref": "#/components/responses/Problem"}
    return item


def _fault(place: tuple[int | str, ...], reason: str) -> tuple[str, str, str]:
    """Where a value stands in the request, what it is called, and what is wrong with it."""
    name = ".".join(map(str, place))
    if place and place[0] in (request.view_args or {}):
        at = "path"
    else:
        at = "query" if request.method in {"GET", "HEAD", "DELETE"} else "body"
    return at, name, reason.removeprefix("Value error, ")


def _template(rule: str) -> str:
    """
    A rule of werkzeug as OpenAPI writes a path.

    >>> _template("/id/<source>/<path:rest>")
    '/id/{source}/{rest}'
    """
    return re.sub(r"<(?:[^<>:]+:)?([^<>]+)>", r"{\1}", rule)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


@cache
def _texts() -> tuple[str, ...]:
    """The hand-written files, the frame first."""
    paths = sorted(FOLDER.glob("*.json"), key=lambda path: (path.stem != "frame", path.stem))
    return tuple(path.read_text(encoding="utf-8") for path in paths)


def _written() -> tuple[Described, list[Described]]:
    """The frame and the other hand-written parts; new each time, since they are filled in."""
    frame, *parts = (cast(Described, json.loads(text)) for text in _texts())
    return frame, parts
