"""D10: an image path in a graph, or a link in its folder, made a server give away files from elsewhere.

A media item's path is resolved and must stay inside the folder of its source, links included. An address names an item,
never a path; and only pictures, sounds and films are sent.
"""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.entity.conftest import BASE, imported, png

PATHS = [
    "../secret.png", "../../etc/passwd", "/etc/passwd", "..\\\\secret.png", "media/../../secret.png", "out.png",
    "up/secret.png", "C:\\\\Windows\\\\win.ini", "file:///etc/passwd", ".hidden.png", ".git/config.png", "shown.png",
    "", ".", "media", "http://elsewhere.example/x.png", "//elsewhere.example/x.png", "notes.txt", "page.html",
]  # fmt: skip
IRIS = ["media/%2E%2E/%2E%2E/secret.png", "%2Fetc%2Fpasswd", "http://elsewhere.example/secret.png"]


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    folder = tmp_path / "files"
    (folder / "media").mkdir(parents=True)
    (folder / ".git").mkdir()
    (tmp_path / "secret.png").write_bytes(png() + b"secret")
    for name in ("good.png", ".hidden.png", ".git/config.png"):
        (folder / name).write_bytes(png())
    (folder / "notes.txt").write_text("notes", encoding="utf-8")
    (folder / "page.html").write_text("<script>", encoding="utf-8")
    (folder / "out.png").symlink_to(tmp_path / "secret.png")
    (folder / "up").symlink_to(tmp_path)
    (folder / "shown.png").symlink_to(folder / ".hidden.png")
    items = [f'<m{n}> a sf:Image ; schema:contentUrl "{path}" .' for n, path in enumerate(PATHS)]
    items += [f"<i{n}> a sf:Image ; schema:contentUrl <{iri}> ." for n, iri in enumerate(IRIS)]
    items.append('<good> a sf:Image ; schema:contentUrl "good.png" .')
    return imported(tmp_path, {"source": "\n".join(items)}, media_root=folder).test_client()


@pytest.mark.parametrize("item", [*(f"m{n}" for n in range(len(PATHS))), *(f"i{n}" for n in range(len(IRIS)))])
def test_nothing_from_outside_is_sent(client: FlaskClient, item: str) -> None:
    response = client.get("/media", query_string={"iri": BASE + item})
    assert response.status_code == 404
    assert b"IHDR" not in response.data
    page = client.get(f"/id/source/{item}")
    assert page.status_code == 200
    assert b"<img" not in page.data


def test_what_is_inside_is_sent(client: FlaskClient) -> None:
    assert client.get("/media", query_string={"iri": BASE + "good"}, buffered=True).data == png()


@pytest.mark.parametrize(
    "address", ["/media?iri=../secret.png", "/media?iri=/etc/passwd", "/media?iri=good.png", "/media"]
)
def test_an_address_names_no_path(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 400
