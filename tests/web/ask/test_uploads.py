"""Pictures with a question: told by their bytes, bounded, named by us, shown on the run's page and to a model."""

import io
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from agents.domain import Domain
from agents.engine import Engine
from agents.llm import build_llm_policy
from agents.roles import Policy
from agents.runs import RunFolder
from tests.fakes import FakeRoles, ScriptedChat, little_graph
from tests.web.markup import Page
from tests.web.stage import finish, site_of
from web.app import create_app
from web.ask.uploads import MAX_BYTES, kind_of, read_picture, size_of
from web.errors import BadForm


def png(width: int = 3, height: int = 2) -> bytes:
    """A whole picture, however large it says it is."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = zlib.compress(b"\0" * min((width + 1) * height, 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


GIF = b"GIF89a" + struct.pack("<HH", 5, 4) + b"\x00\x00\x00;"
JPEG = (
    b"\xff\xd8\xff\xe0" + struct.pack(">H", 16) + b"JFIF\x00" + bytes(9)
    + b"\xff\xff\xc0" + struct.pack(">HBHHB", 11, 8, 7, 9, 1) + bytes(3) + b"\xff\xd9"
)  # fmt: skip
WEBP_X = b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + b"\x0f\0\0" + b"\x07\0\0"
WEBP_L = b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8L" + struct.pack("<I", 9) + b"/" + struct.pack("<I", 11 | 5 << 14)
WEBP = b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8 " + bytes(7) + b"\x9d\x01\x2a" + struct.pack("<HH", 8, 6)


@pytest.mark.parametrize(
    ("content", "kind", "size"),
    [
        (png(), "png", (3, 2)),
        (GIF, "gif", (5, 4)),
        (JPEG, "jpg", (9, 7)),
        (WEBP_X, "webp", (16, 8)),
        (WEBP_L, "webp", (12, 6)),
        (WEBP, "webp", (8, 6)),
    ],
)
def test_pictures_are_known_by_their_first_bytes(content: bytes, kind: str, size: tuple[int, int]) -> None:
    assert kind_of(content) == kind
    assert size_of(content, kind) == size
    assert read_picture(content, 1).suffix == kind


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no PNG, JPEG, WebP or GIF"),
        (b"<svg onload='alert(1)'/>", "no PNG, JPEG, WebP or GIF"),
        (b"\x00\x00\x00\x18ftypmp42", "Films and sounds can be searched by"),
        (b"%PDF-1.7", "no PNG"),
        (b"GIF89a", "its size cannot be read"),
        (b"\x89PNG\r\n\x1a\n", "its size cannot be read"),
        (b"\xff\xd8\xff", "its size cannot be read"),
        (b"\xff\xd8" + b"\xff" * 50, "its size cannot be read"),
        (b"RIFF\0\0\0\0WEBPxxxx" + bytes(40), "its size cannot be read"),
        (png(0, 5), "its size cannot be read"),
        (png(60_000, 60_000), "it has 60,000 by 60,000 pixels"),
        (png() + bytes(MAX_BYTES), "5 MB are the most"),
    ],
)
def test_what_is_no_picture_or_too_much_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(BadForm, match=said):
        read_picture(content, 1)


NAMES = ["../../x.png", "/etc/passwd", "a\\..\\b.png", "x.html", "\u202egnp.exe", "a" * 500, ".."]


class Sees(FakeRoles):
    """A policy that can see."""

    @property
    def policy(self) -> Policy:
        return replace(super().policy, sees=True)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    players = {"sees": Sees().policy, "blind": FakeRoles().policy}
    engine = Engine(little_graph("root>a"), lambda name: players[name], tuple(players), RunFolder(tmp_path / "runs"))
    return create_app(site_of(engine))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def send(client: FlaskClient, *files: tuple[bytes, str], **typed: str) -> tuple[int, str, str]:
    """Status, address and page of an answer."""
    fields = {"question": "Where to?", "topic": "http://example.org/root", "policy": "sees", **typed}
    data = MultiDict([*fields.items(), *(("images", (io.BytesIO(content), name)) for content, name in files)])
    response = client.post("/ask", data=data, content_type="multipart/form-data")
    if response.status_code == 303:
        finish(client.application, response.headers["Location"])
    return response.status_code, response.headers.get("Location", ""), response.get_data(as_text=True)


@pytest.mark.parametrize(
    "name", ["../../x.png", "/etc/passwd", "a\\..\\b.png", "x.html", "\u202egnp.exe", "a" * 500, ".."]
)
def test_a_picture_is_kept_under_our_name_and_shown(client: FlaskClient, tmp_path: Path, name: str) -> None:
    status, address, _ = send(client, (png(), name), (GIF, "b"))
    assert status == 303
    folder = tmp_path / "runs" / address.rsplit("/", 1)[-1]
    kept = sorted(path.name for path in folder.iterdir() if path.suffix not in {".json", ".jsonl"})
    assert kept == ["image-1.png", "image-2.gif"]
    assert (folder / "image-1.png").read_bytes() == png()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"]
    page = Page(client.get(address).get_data(as_text=True))
    assert [image["src"] for image in page.all("img")] == [f"{address}/media/{name}" for name in kept]
    picture = client.get(f"{address}/media/image-1.png")
    assert (picture.mimetype, picture.get_data()) == ("image/png", png())
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    assert str(tmp_path) not in client.get(f"{address}.json").get_data(as_text=True)
    assert client.get(f"{address}.json").get_json()["question"]["caption"] == "what is seen"
    assert name not in client.get(f"{address}.json").get_data(as_text=True) or name == ".."


def test_only_the_pictures_of_a_run_are_served(client: FlaskClient, tmp_path: Path) -> None:
    _, address, _ = send(client, (png(), "a.png"))
    folder = tmp_path / "runs" / address.rsplit("/", 1)[-1]
    (tmp_path / "secret").write_bytes(png())
    (folder / "image-3.png").symlink_to(tmp_path / "secret")
    (folder / "image-4.png").mkdir()
    for name in (
        "image-2.png",
        "image-3.png",
        "image-4.png",
        "status.json",
        "..%2f..%2fsecret",
        "image-1.png%00",
        "lock",
    ):
        assert client.get(f"{address}/media/{name}").status_code == 404, name


def test_a_policy_that_cannot_see_needs_the_caption(client: FlaskClient, tmp_path: Path) -> None:
    status, _, html = send(client, (png(), "a.png"), policy="blind")
    assert status == 400
    assert "The blind policy cannot see pictures: say here what they show" in html
    (at_fault,) = [attributes for _, attributes in Page(html).tags if "aria-invalid" in attributes]
    assert at_fault["id"] == "caption"
    assert not (tmp_path / "runs").exists()
    status, address, _ = send(client, (png(), "a.png"), policy="blind", caption="A tail.")
    assert status == 303
    assert client.get(f"{address}.json").get_json()["question"]["images"] == ["image-1.png"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([(b"<svg/>", "a.png")], "File 1 is no PNG, JPEG, WebP or GIF picture."),
        ([(png(), "a.png"), (b"%PDF", "b.png")], "File 2 is no PNG"),
        ([(png(), "a.png")] * 5, "At most 4 pictures"),
        ([(png(60_000, 60_000), "bomb.png")], "60,000 by 60,000 pixels"),
    ],
)
def test_what_will_not_do_is_said_beside_the_field(
    client: FlaskClient, tmp_path: Path, files: list[tuple[bytes, str]], said: str
) -> None:
    status, _, html = send(client, *files)
    assert status == 400
    assert said in html
    assert "Pictures have to be chosen again." in html
    (at_fault,) = [attributes for _, attributes in Page(html).tags if "aria-invalid" in attributes]
    assert at_fault["id"] == "images"
    assert "Where to?" in html
    assert not (tmp_path / "runs").exists()


def test_a_file_field_that_was_left_empty_is_no_picture(client: FlaskClient) -> None:
    status, address, _ = send(client, (b"", ""))
    assert status == 303
    assert client.get(f"{address}.json").get_json()["question"]["images"] == []


def test_too_many_bytes_are_refused_unread(client: FlaskClient) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n'
    body = head + png() + bytes(4 * MAX_BYTES + 300_000) + b"\r\n--b--\r\n"
    assert client.post("/ask", data=body, content_type="multipart/form-data; boundary=b").status_code == 413


def test_a_model_is_shown_the_picture(tmp_path: Path) -> None:
    chat = ScriptedChat(["It spits fire.", '{"numbers": [1]}', '{"verdict": "yes"}', "There."])
    policy = build_llm_policy({"default": chat}, Domain())
    engine = Engine(little_graph("root>a"), lambda _: policy, ("llm",), RunFolder(tmp_path / "runs"))
    client = create_app(site_of(engine)).test_client()
    status, address, _ = send(client, (png(), "../../etc/x.png"), policy="llm")
    assert status == 303
    (shown,) = [message.images for message in chat.asked[0].messages if message.images]
    assert [path.name for path in shown] == ["image-1.png"]
    assert client.get(f"{address}.json").get_json()["question"]["caption"] == "It spits fire."
    form = Page(client.get("/ask").get_data(as_text=True))
    assert "llm looks at them when no caption is given" in " ".join(form.text.split())
    assert "llm: scripted" in form.text
