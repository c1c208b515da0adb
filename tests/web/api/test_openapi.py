"""The description at /openapi.json: valid, whole, true to what is answered, and right behind a proxy."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from web.importing.limits import DEFAULTS

METHODS = {"get", "put", "post", "delete", "patch", "head"}
Described = dict[str, Any]


@pytest.fixture
def description(client: FlaskClient) -> Described:
    response = client.get("/openapi.json")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    made: Described = response.get_json()
    return made


def operations(description: Described) -> Iterator[tuple[str, str, Described]]:
    for path, item in description["paths"].items():
        for method, operation in item.items():
            if method in METHODS:
                yield path, method, operation


def test_it_is_valid(description: Described) -> None:
    assert description["openapi"].startswith("3.1.")
    errors = [
        f"{list(error.absolute_path)}: {error.message}" for error in OpenAPIV31SpecValidator(description).iter_errors()
    ]
    assert errors == []


def test_it_says_what_it_is_of(description: Described) -> None:
    assert description["info"]["title"] == "Scoutfly"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", description["info"]["version"])
    assert description["info"]["license"]["identifier"] == "Apache-2.0"
    assert description["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_every_operation_under_api_is_in_it(app: Flask, description: Described) -> None:
    described = {(path, method) for path, method, _ in operations(description)}
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:[^<>:]+:)?([^<>]+)>", r"{\1}", str(rule))
        if path.startswith(("/api/", "/sparql", "/store")) or path in {"/healthz", "/metrics", "/openapi.json"}:
            missing = {(path, method.lower()) for method in rule.methods or () if method not in {"HEAD", "OPTIONS"}}
            assert missing <= described, missing - described


def test_it_names_nothing_that_is_not_answered(app: Flask, description: Described) -> None:
    adapter = app.url_map.bind("localhost")
    for path, method, _ in operations(description):
        assert adapter.match(re.sub(r"\{[^}]+\}", "x", path), method=method.upper())


def test_every_operation_tells_what_it_is_for_and_what_its_errors_look_like(description: Described) -> None:
    names = [operation.get("operationId") for _, _, operation in operations(description)]
    assert len(names) == len(set(names)) and all(names)
    schemes = description["components"]["securitySchemes"]
    tags = {tag["name"] for tag in description["tags"]}
    for path, method, operation in operations(description):
        where = f"{method} {path}"
        assert operation.get("summary"), where
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}, where
        assert "422" not in operation["responses"], where
        assert set(operation["tags"]) <= tags, where
        for wanted in operation.get("security", []):
            assert set(wanted) <= set(schemes), where


def test_texts_and_lists_that_are_sent_have_a_bound(description: Described) -> None:
    unbounded = []
    for path, method, operation in operations(description):
        for parameter in operation.get("parameters", []):
            schema = parameter["schema"]
            kinds = [schema, *schema.get("anyOf", [])]
            if any(
                kind.get("type") == "string" and not {"maxLength", "enum", "const", "pattern"} & set(kind)
                for kind in kinds
            ):
                unbounded.append(f"{method} {path} {parameter['name']}")
            if any(kind.get("type") == "integer" and not {"maximum", "enum"} & set(kind) for kind in kinds):
                unbounded.append(f"{method} {path} {parameter['name']}")
    assert unbounded == []


def test_the_server_is_where_it_is_mounted(client: FlaskClient) -> None:
    assert client.get("/openapi.json").get_json()["servers"][0]["url"] == "/"
    mounted = client.get("/openapi.json", environ_overrides={"SCRIPT_NAME": "/graphs"})
    assert mounted.get_json()["servers"][0]["url"] == "/graphs"
    assert client.get("/openapi.json").get_json()["servers"][0]["url"] == "/"


def test_files_to_import_are_described_as_the_page_takes_them(description: Described) -> None:
    content = description["paths"]["/api/import"]["post"]["requestBody"]["content"]
    files = content["multipart/form-data"]["schema"]["properties"]["files"]
    assert (files["type"], files["maxItems"], files["items"]["format"]) == ("array", DEFAULTS.files, "binary")
    assert f"{DEFAULTS.upload_bytes >> 20} MiB" in files["description"]
    for media_type in ("text/turtle", "application/octet-stream"):
        assert content[media_type]["schema"].get("maxLength", DEFAULTS.upload_bytes) >= DEFAULTS.upload_bytes
