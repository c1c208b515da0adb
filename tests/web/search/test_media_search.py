"""The page and the operation that search by media, over a real index; and what strangers send them."""

import io
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from agents.engine import Engine
from scoutfly import Scoutfly, main
from tests.kg.media.stage import film, picture, png_that_says, tone
from tests.web.stage import site_of
from tests.zoo import BASE, animals, import_zoo, write_zoo
from web.app import create_app
from web.site import Site, WebSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("zoo")
    said = animals()
    said[0]["nick"] = said[0]["about"] = "<script>alert('zoo')</script>"
    said[1]["name"] = "<img src=x onerror=alert(1)>"
    said[0]["likes"] = {}
    write_zoo(found, said)
    scoutfly = Scoutfly(found / "home")
    import_zoo(found, scoutfly.home)
    assert CliRunner().invoke(main, ["--home", str(found / "home"), "index", "build"]).exit_code == 0
    return found


@pytest.fixture
def client(folder: Path) -> FlaskClient:
    scoutfly = Scoutfly(folder / "home")
    settings = WebSettings(hosts=("localhost",))
    return create_app(Site(scoutfly.engine, scoutfly.home, None, settings, scoutfly.media_retriever)).test_client()


def send(client: FlaskClient, *paths: Path, address: str = "/search/media", **fields: str):  # type: ignore[no-untyped-def]
    files = [(io.BytesIO(path.read_bytes()), "x") for path in paths]
    return client.post(address, data={**fields, "files": files}, content_type="multipart/form-data")


def test_the_form_says_what_is_searched(client: FlaskClient) -> None:
    page = client.get("/search/media")
    assert page.status_code == 200
    assert "Searched: image, video, audio, audiovisual." in page.text


def test_a_picture_is_found_with_what_the_graph_says(client: FlaskClient, folder: Path) -> None:
    page = send(client, folder / "media" / "lion.png", k="1").text
    assert "distance 0.000" in page
    assert 'href="/id/zoo/lion"' in page
    assert f'<img src="/media?{urlencode({"iri": f"{BASE}media/lion.png"})}"' in page
    assert "lives in" in page
    assert "image encoded by classical-image" in page


def test_what_the_graph_says_stays_text(client: FlaskClient, folder: Path) -> None:
    page = send(client, folder / "media" / "zebra.png", k="8").text
    assert "<img src=x" not in page
    assert "&lt;img src=x onerror" in page
    assert "<script>alert" not in page


def test_a_sequence_is_shown_by_its_first_frame(client: FlaskClient, tmp_path: Path) -> None:
    page = send(client, film(tmp_path / "film.mp4")).text
    assert "frames%2F1" in page


def test_the_operation_says_the_same(client: FlaskClient, folder: Path) -> None:
    said = send(client, folder / "media" / "roar.wav", address="/api/search/media?k=1&hops=2").get_json()
    assert said["hits"][0]["items"] == [f"{BASE}media/roar.wav"]
    assert said["topics"][0]["label"] == "Lion"
    assert max(one["hop"] for one in said["triplets"]) == 2
    assert said["encoders"]["audio"].startswith("classical-audio")


def test_what_strangers_send(client: FlaskClient, folder: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.png"
    cut.write_bytes((folder / "media" / "lion.png").read_bytes()[:70])
    text = tmp_path / "text.png"
    text.write_text("<script>")
    for path, reason in (
        (cut, "File 1 is damaged"),
        (text, "File 1 is no picture, film or sound of a kind that is known."),
        (png_that_says(tmp_path / "vast.png", 30_000, 30_000), "File 1 has more than the 50,000,000 pixels"),
    ):
        answer = send(client, path)
        assert answer.status_code == 400
        assert reason in answer.text
        problem = send(client, path, address="/api/search/media")
        assert problem.status_code == 422
        assert problem.mimetype == "application/problem+json"
        assert reason in problem.get_json()["detail"]


def test_what_cannot_be_looked_for(client: FlaskClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lion = folder / "media" / "lion.png"
    assert send(client).status_code == 400
    assert send(client, lion, text="lion").status_code == 400
    assert send(client, *[lion] * 5).status_code == 400
    assert send(client, lion, k="0").status_code == 400
    assert send(client, lion, tau="near").status_code == 400
    assert send(client, text="lion").status_code == 409
    monkeypatch.setattr("web.search.asking.MOST_BYTES", 100)
    assert "too large" in send(client, lion).text


def test_a_page_of_another_site_cannot_send_files(client: FlaskClient, folder: Path) -> None:
    data = {"files": [(io.BytesIO((folder / "media" / "lion.png").read_bytes()), "x")]}
    for address in ("/search/media", "/api/search/media"):
        answer = client.post(address, data=data, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403
        data = {"files": [(io.BytesIO(b"x"), "x")]}


def test_without_an_index_it_says_how_to_make_one(tmp_path: Path) -> None:
    write_zoo(tmp_path)
    scoutfly = Scoutfly(tmp_path / "home")
    import_zoo(tmp_path, scoutfly.home)
    client = create_app(Site(scoutfly.engine, scoutfly.home, retriever=scoutfly.media_retriever)).test_client()
    assert "scoutfly index build" in client.get("/search/media").text
    answer = send(client, tone(tmp_path / "a.wav"))
    assert answer.status_code == 409
    assert "there is no index of sounds" in answer.text.lower()


def test_a_graph_elsewhere_cannot_be_searched(engine: Engine, tmp_path: Path) -> None:
    client = create_app(site_of(engine)).test_client()
    assert "cannot be searched here" in client.get("/search/media").text
    assert send(client, picture(tmp_path / "a.png")).status_code == 400


def test_an_entity_says_how_large_its_media_are(client: FlaskClient) -> None:
    assert "image/png, 64 by 48 px" in client.get("/id/zoo/lion").text
    assert "audio/wav, 1.0 s" in client.get("/id/zoo/lion/roar").text


def test_the_description_says_that_files_are_sent(client: FlaskClient) -> None:
    operation = client.get("/openapi.json").get_json()["paths"]["/api/search/media"]["post"]
    assert "files" in operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]


def test_an_entity_shows_the_frames_of_its_sequence(client: FlaskClient) -> None:
    page = client.get("/id/zoo/lion/roar").text
    assert page.count("frames%2F") >= 3
    assert "Keyframes in order" in page
