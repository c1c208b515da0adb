"""Media files of a source: found after a restart, with the type that the graph or the content says, in ranges."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.home import Home
from kg.importing import import_path
from tests.web.entity.conftest import BASE, app_over, png, wav

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
GRAPH = """
<cat> a ex:Animal ; rdfs:label "Cat" ; sf:hasMedia <picture>, <sound>, <sketch>, <away>, <lost>, <bare>, <text>,
  <frame1>, <frame0>, <film>, <iri-path> ; sf:hasCaption <c1>, <c2> .
<picture> a sf:Image ; schema:contentUrl "media/cat.bin" ; schema:encodingFormat "image/png" ; sf:sha256 "ab12" .
<sound> a sf:Audio ; schema:contentUrl "media/purr.png" ; schema:encodingFormat "audio/wav" .
<sketch> a sf:Image ; schema:contentUrl "media/sketch.svg" ; schema:encodingFormat "image/svg+xml" .
<away> a sf:Image ; schema:contentUrl "https://elsewhere.example/cat.png" ; schema:encodingFormat "image/png" .
<lost> a sf:Image ; schema:contentUrl "media/lost.png" ; schema:encodingFormat "image/png" .
<bare> a sf:Image ; schema:contentUrl "media/cat.bin" .
<text> a sf:Image ; schema:contentUrl "media/page.png" ; schema:encodingFormat "text/html" .
<stated> a sf:Image ; schema:contentUrl "media/notes.toml" ; schema:encodingFormat "image/png" .
<frame0> a sf:Keyframe ; schema:contentUrl "media/cat.bin" ; schema:encodingFormat "image/png" ;
  sf:keyframeOf <film> ; sf:frameIndex 2 .
<frame1> a sf:Keyframe ; schema:contentUrl "media/cat.bin" ; schema:encodingFormat "image/png" ;
  sf:keyframeOf <film> ; sf:frameIndex 10 .
<film> a sf:Video ; schema:contentUrl "media/film" ; schema:encodingFormat "video/mp4" .
<iri-path> a sf:Image ; schema:contentUrl <media/a%20b.png> ; schema:encodingFormat "image/png" .
<c1> a sf:HumanCaption ; sf:text "A black cat." ; sf:describes <picture> .
<c2> a sf:GeneratedCaption ; sf:text "An animal." ; sf:model "seer-1" ; sf:setting "offline" .
"""


@pytest.fixture
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "media").mkdir(parents=True)
    contents = {"cat.bin": png(), "purr.png": wav(), "sketch.svg": SVG, "page.png": b"<script>", "a b.png": png()}
    contents["notes.toml"] = b"[private]\n"
    for name, content in {**contents, "film": b"\0\0\0\x18ftypmp42" + bytes(1000)}.items():
        (folder / "media" / name).write_bytes(content)
    return folder


@pytest.fixture
def client(make_app: Callable[..., Flask], media: Path) -> FlaskClient:
    return make_app({"cats": GRAPH}, media_root=media).test_client()


def _get(client: FlaskClient, name: str, **headers: str):  # type: ignore[no-untyped-def]  # of werkzeug's tests
    return client.get("/media", query_string={"iri": BASE + name}, headers=headers, buffered=True)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("picture", "image/png"), ("sound", "audio/wav"), ("bare", "image/png"), ("film", "video/mp4"),
     ("iri-path", "image/png")],
)  # fmt: skip
def test_a_file_comes_with_the_type_of_the_graph_or_of_its_content(
    client: FlaskClient, name: str, media_type: str
) -> None:
    response = _get(client, name)
    assert (response.status_code, response.mimetype) == (200, media_type)
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["Content-Disposition"].startswith("inline")


def test_a_picture_that_can_hold_scripts_comes_as_an_attachment(client: FlaskClient) -> None:
    response = _get(client, "sketch")
    assert response.data == SVG
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["away", "lost", "text", "stated", "cat", "nothing"])
def test_what_is_not_there_or_no_media_is_not_sent(client: FlaskClient, name: str) -> None:
    assert _get(client, name).status_code == 404


def test_a_film_is_sent_in_parts(client: FlaskClient, media: Path) -> None:
    content = (media / "media" / "film").read_bytes()
    response = _get(client, "film", Range="bytes=10-19")
    assert (response.status_code, response.data) == (206, content[10:20])
    assert response.headers["Content-Range"] == f"bytes 10-19/{len(content)}"
    assert _get(client, "film").headers["Accept-Ranges"] == "bytes"
    assert _get(client, "film", Range="bytes=5000-").status_code == 416


def test_it_is_not_sent_again_while_it_is_the_same(client: FlaskClient) -> None:
    assert _get(client, "picture", **{"If-None-Match": _get(client, "picture").headers["ETag"]}).status_code == 304


def test_the_page_shows_them_by_property(client: FlaskClient) -> None:
    page = client.get("/id/cats/cat").get_data(as_text=True)
    assert page.count('<img src="/media?iri=') == 6
    assert page.count("<audio controls") == page.count("<video controls") == 1
    assert 'alt="A black cat."' in page
    assert "By a person" in page and "By model seer-1, setting offline" in page
    assert "ab12" in page
    assert page.index("frame0") < page.index("frame1")
    assert 'href="https://elsewhere.example/cat.png"' in page and 'src="https:' not in page
    assert "there is no file" in page


def test_the_evidence_of_a_fact_is_shown_with_its_edge(make_app: Callable[..., Flask], media: Path) -> None:
    fact = """<cat> ex:eats <mouse> . ex:eats sf:baseRelation ex:eats . <fact> a sf:Fact, rdf:Statement ;
      rdf:subject <cat> ; rdf:predicate ex:eats ; rdf:object <mouse> ; sf:evidence <film>, <picture> ."""
    client = make_app({"cats": GRAPH + fact}, media_root=media).test_client()
    for name in ("cat", "mouse"):
        page = client.get(f"/id/cats/{name}").get_data(as_text=True)
        evidence = page.partition("Evidence (2)")[2].partition("</details></div>")[0]
        assert "<video controls" in evidence and "<img src=" in evidence and "A black cat." in evidence


def test_they_are_there_after_a_restart_and_gone_with_their_folder(
    client: FlaskClient, media: Path, tmp_path: Path
) -> None:
    del client
    again = app_over(Home(tmp_path / "home"), tmp_path).test_client()
    assert _get(again, "picture").data == png()
    media.rename(tmp_path / "moved")
    assert _get(again, "picture").status_code == 404
    assert again.get("/id/cats/cat").status_code == 200


def test_a_folder_brings_its_own_files(tmp_path: Path, write_workbook: Callable[..., Path]) -> None:
    folder = tmp_path / "data" / "Zinogre"
    write_workbook(folder / "Node.xlsx", [("Name",), ("Bite", "bite.png", None, "It bites.", None)])
    write_workbook(
        folder / "Relations.xlsx", [("Head", "Relation"), ("Zinogre", "has attack action of", None, None, "Bite")]
    )
    (folder / "Knowledge_Images").mkdir()
    (folder / "Knowledge_Images" / "bite.png").write_bytes(png())
    home = Home(tmp_path / "home")
    import_path(home, tmp_path / "data", base_iri=BASE)
    client = app_over(home, tmp_path).test_client()
    page = client.get("/id/data/zinogre/bite").get_data(as_text=True)
    assert "/media?iri=" in page and "It bites." in page
    address = page.split('<img src="')[1].split('"')[0].replace("&amp;", "&")
    assert client.get(address, buffered=True).data == png()


def test_without_a_folder_that_was_named_nothing_is_sent(make_app: Callable[..., Flask], media: Path) -> None:
    del media  # it lies where the paths would lead, and nobody said so
    assert _get(make_app({"cats": GRAPH}).test_client(), "picture").status_code == 404
