"""B23: an editor completes the words of public vocabularies, and not the classes, relations and prefixes of the graph.

The editor is given those of the graph, used or declared, in the graph's own labels.
"""

from pathlib import Path

import pytest

from kg.home import Home
from tests.web.editor.conftest import FakeGuard, hostile_home, made_site
from tests.web.stage import stage


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return hostile_home(tmp_path)


def test_the_words_of_the_graph_are_offered(tmp_path: Path, home: Home) -> None:
    client = made_site(home, stage(tmp_path / "runs"), FakeGuard(home)).test_client()
    said = client.get("/api/vocabulary").get_json()
    classes = {word["iri"]: word for word in said["classes"]}
    relations = {word["iri"]: word for word in said["relations"]}
    assert classes["http://example.org/Kind"]["count"] >= 1
    assert relations["http://example.org/rel"]["label"] == "leads <u>to</u>"
    assert relations["http://example.org/rel-c"]["base"] == "http://example.org/rel"
    assert said["prefixes"]["sf"] == "https://w3id.org/scoutfly/ns#"
