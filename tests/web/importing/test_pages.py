"""The import page: who may, what is asked first, what the report says, what is left in the graph."""

import gzip
import io
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.home import Home
from kg.media_roots import MediaRoots
from kg.sources import recorded
from tests.web.importing.conftest import GRAPH, TOKEN, Send, form_token_of, zipped
from tests.web.markup import Page
from tests.web.stage import site_of, stage
from web.app import create_app
from web.importing.sessions import COOKIE
from web.site import Site, WebSettings

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def text_of(response: object) -> str:
    return Page(response.get_data(as_text=True)).text  # type: ignore[attr-defined]


def sources(home: Home) -> list[str]:
    with home.snapshot() as snapshot:
        return [source.slug for source in recorded(snapshot)]


def act(client: FlaskClient, page: object, word: str) -> object:
    """Presses a button of an upload's page."""
    token = form_token_of(client)
    address = page.request.path  # type: ignore[attr-defined]
    return client.post(f"{address}/{word}", data={"form_token": token}, follow_redirects=True)


def test_a_trial_first_and_the_graph_on_a_second_word(client: FlaskClient, send: Send, home: Home) -> None:
    before = home.current()
    page = send({"Machines.ttl": GRAPH})
    assert "Checked: nothing is changed yet" in text_of(page)
    assert "made of" in text_of(page)
    assert (home.current(), sources(home)) == (before, ["first"])
    done = act(client, page, "publish")
    assert "The graph holds the source machines now." in text_of(done)
    assert sources(home) == ["first", "machines"]
    report = json.loads(client.get(f"{page.request.path}/report.json").data)["report"]
    assert (report["triples"], report["new_relations"]) == (2, ["http://example.org/madeOf"])
    folder = home.path / "uploads" / page.request.path.rsplit("/", 1)[-1]
    assert not (folder / "files").exists()
    assert not (folder / "source").exists()
    assert client.get("/download/source/machines.nt", buffered=True).status_code == 200  # the site follows its home


def test_importing_twice_and_other_buttons_out_of_turn(client: FlaskClient, send: Send) -> None:
    page = send({"m.ttl": GRAPH})
    act(client, page, "publish")
    assert act(client, page, "publish").status_code == 409  # type: ignore[attr-defined]
    assert act(client, page, "discard").status_code == 200  # type: ignore[attr-defined]
    assert client.get(page.request.path).status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("page.ttl", b"<!DOCTYPE html><html><body>Sign in</body></html>", "is an HTML page"),
        ("page.owl", b"\n<html><head></head></html>", "is an HTML page"),
        ("empty.ttl", b"", "is empty: it has 0 bytes"),
        ("graph.bin", GRAPH, "no ending that tells what it is"),
        ("graph", GRAPH, "no ending that tells what it is"),
        ("picture.png", PNG, "no ending that tells what it is"),
        ("picture.ttl", PNG, "PNG picture"),
        ("graph.ttl.gz", b"\x1f\x8bnot gzip", "broken gzip"),
        ("graph.ttl", zipped({"a.ttl": GRAPH}), "zip archive"),
        ("Node.xlsx", b"PK\x03\x04 nonsense", "broken"),
        ("book.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "password"),
        ("broken.ttl", b"<http://example.org/a> <http", "broken.ttl"),
        ("archive.zip", b"PK\x03\x04" + bytes(50), "broken"),
        ("archive.zip", zipped({"../../evil.ttl": GRAPH}), "leads out"),
        ("archive.zip", zipped({"a.ttl": GRAPH, "b.ttl": GRAPH}), "2 sources (a.ttl, b.ttl)"),
        ("archive.zip", zipped({"inner.zip": zipped({"a.ttl": GRAPH})}), "no ending that tells"),
        ("archive.zip", zipped({"readme.md": b"hello", "x.pdf": b"%PDF"}), "can be imported"),
        ("list.csv", b"a,b\n1,2\n", "list.csv"),
        ("zero.nt", b"# nothing\n", "no sound triple"),
    ],
)
def test_files_that_cannot_be_imported(send: Send, home: Home, name: str, content: bytes, said: str) -> None:
    page = send({name: content}, name="x1")
    assert said in text_of(page), text_of(page)
    assert "Not imported" in text_of(page)
    assert str(home.path) not in text_of(page)
    assert sources(home) == ["first"]


def test_files_that_can(client: FlaskClient, send: Send, write_workbook: Callable[..., Path], tmp_path: Path) -> None:
    relations = write_workbook(
        tmp_path / "odd name.xlsx",
        [["Head", "Relation", "Information", "Condition", "Tail"], ["A", "leads to", "", "", "B"]],
    ).read_bytes()
    nodes = write_workbook(tmp_path / "n.xlsx", [["Name", "i", "v", "a", "b"], ["A"], ["B"]]).read_bytes()
    for files in (
        {"g.ttl.gz": gzip.compress(GRAPH)},
        {"t.csv": b"head,relation,tail\nA,leads to,B\n"},
        {"t.tsv": b"A\tleads to\tB\nB\tleads to\tC\n"},
        {"Relations.xlsx": relations, "Node.xlsx": nodes},
        {"my relations.xlsx": relations, "my nodes.xlsx": nodes},
        {"folder.zip": zipped({"top/g.ttl": GRAPH, "top/.DS_Store": b"x", "__MACOSX/top/._g.ttl": b"x"})},
    ):
        page = send(files, name="sent")
        assert "Checked" in text_of(page), (list(files), text_of(page))


def test_rejected_rows_are_told_with_their_places(client: FlaskClient, send: Send) -> None:
    page = send({"t.csv": b"head,relation,tail\nA,leads to,B\nA,,C\n,leads to,C\n"})
    text = text_of(page)
    assert "Rejected rows 2" in text
    assert "the relation is missing" in text
    rejected = json.loads(client.get(f"{page.request.path}/report.json").data)["report"]["rejected"]
    assert [(one["file"], one["row"], one["column"]) for one in rejected] == [
        ("t.csv", 3, "relation"),
        ("t.csv", 4, "head"),
    ]


def test_the_media_of_an_archive_are_kept_with_the_home(
    client: FlaskClient, send: Send, home: Home, write_workbook: Callable[..., Path], tmp_path: Path
) -> None:
    nodes = write_workbook(tmp_path / "n.xlsx", [["Name", "i", "v", "a", "b"], ["A", "a.png"], ["B", "none.png"]])
    relations = write_workbook(tmp_path / "r.xlsx", [["h", "r", "i", "c", "t"], ["A", "leads to", "", "", "B"]])
    members = {
        "mmkg/A/Node.xlsx": nodes.read_bytes(),
        "mmkg/A/Relations.xlsx": relations.read_bytes(),
        "mmkg/A/Knowledge_Images/a.png": PNG,
    }
    page = send({"set.zip": zipped(members)})
    assert "none.png" in text_of(page)
    act(client, page, "publish")
    root = MediaRoots(home.path).read()["set"]
    assert (root / "mmkg/A/Knowledge_Images/a.png").read_bytes() == PNG
    assert not list(root.rglob("*.xlsx"))
    again = send({"set.zip": zipped(members)})
    act(client, again, "publish")
    newer = MediaRoots(home.path).read()["set"]
    assert newer != root
    assert not root.exists()
    withdrawn = client.post(
        "/import/withdraw", data={"form_token": form_token_of(client), "slug": "set", "sure": "set"}
    )
    assert withdrawn.status_code == 303
    assert sources(home) == ["first"]
    assert not newer.exists()


def test_names_that_are_paths_or_hold_control_characters(client: FlaskClient, send: Send, home: Home) -> None:
    for name in ("../../../evil.ttl", "..\\..\\evil.ttl", "/etc/cron.d/evil.ttl", "ev\x1b[2Jil\x00.ttl", ".ttl"):
        page = send({name: GRAPH}, name="odd")
        assert "Checked" in text_of(page) or "Not imported" in text_of(page), (name, text_of(page))
    assert not list(home.path.parent.glob("evil*"))
    inside = [path for path in (home.path / "uploads").rglob("*") if path.is_file()]
    assert all(path.name.isprintable() and not path.is_symlink() for path in inside)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "bundled-mhw"}, "name"),
        ({"name": "!!!"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a\x07b"}, "name"),
        ({"base": "no iri"}, "base"),
        ({"base": "javascript:alert(1)"}, "base"),
        ({"base": "http://example.org/" + "x" * 500}, "base"),
    ],
)
def test_fields_that_will_not_do(send: Send, home: Home, fields: dict[str, str], field: str) -> None:
    page = send({"g.ttl": GRAPH}, **fields)
    assert page.status_code == 400
    assert Page(page.get_data(as_text=True)).all("input", id=field)[0]["aria-invalid"] == "true"
    assert list((home.path / "uploads").glob("*")) == []


def test_no_file_at_all(client: FlaskClient) -> None:
    page = client.post("/import", data={"form_token": form_token_of(client), "files": (io.BytesIO(b""), "")})
    assert page.status_code == 400
    assert "Choose a file" in text_of(page)


def test_markup_in_names_and_reasons_stays_text(send: Send) -> None:
    script = "<script>alert(1)</script>"
    page = send({"t.csv": f"head,relation,tail\nA,leads to,B\nA,{script},\n".encode()}, name=f"{script} x")
    shown = Page(page.get_data(as_text=True))
    shown.check_harmless()
    assert script in shown.text


def test_without_a_token_it_is_off(home: Home, site: Site, tmp_path: Path) -> None:
    for made in (create_app(Site(site.build, home)), create_app(site_of(stage(tmp_path / "r")))):
        client = made.test_client()
        assert client.get("/import").status_code == 200
        for path in ("/import", "/import/withdraw", "/import/sign-out"):
            assert client.post(path, data={"token": "", "slug": "first", "sure": "first"}).status_code == 403
        assert client.post("/import/sign-in", data={"token": ""}).status_code == 403
    assert "SCOUTFLY_TOKEN" in text_of(create_app(Site(site.build, home)).test_client().get("/import"))
    assert sources(home) == ["first"]


def test_who_has_not_signed_in_may_nothing(app: Flask, send: Send, home: Home) -> None:
    page = send({"g.ttl": GRAPH})
    stranger = app.test_client()
    for path in (page.request.path, f"{page.request.path}/report.json", f"{page.request.path}/state.json"):
        assert stranger.get(path).status_code == 403
    for word in ("publish", "check", "discard"):
        assert stranger.post(f"{page.request.path}/{word}").status_code == 403
    assert stranger.post("/import", data={"files": (io.BytesIO(GRAPH), "g.ttl")}).status_code == 403
    stranger.set_cookie(COOKIE, "9999999999.00.00", path="/import")
    assert stranger.get(page.request.path).status_code == 403
    assert sources(home) == ["first"]


def test_a_wrong_token_is_neither_taken_nor_said_again(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client = app.test_client()
    for wrong in ("open sesam", "open sesame!", "", "x" * 500, "é\ud800".encode("utf-8", "replace").decode()):
        page = client.post("/import/sign-in", data={"token": wrong})
        assert page.status_code == 403
        assert "Set-Cookie" not in page.headers
        assert not wrong or wrong not in page.get_data(as_text=True)
    client.post("/import/sign-in", data={"token": TOKEN})
    assert TOKEN not in caplog.text
    assert TOKEN not in client.get("/import").get_data(as_text=True)


def test_the_cookie(client: FlaskClient, app: Flask, site: Site) -> None:
    set_cookie = client.post("/import/sign-in", data={"token": TOKEN}).headers["Set-Cookie"]
    assert "HttpOnly" in set_cookie
    assert "SameSite=Strict" in set_cookie
    assert "Path=/import" in set_cookie
    assert TOKEN not in set_cookie
    value = re.match(rf"{COOKIE}=([^;]+)", set_cookie)
    assert value is not None
    until, nonce, mac = value[1].split(".")
    for forged in (f"{int(until) + 1}.{nonce}.{mac}", f"{until}.{nonce}x.{mac}", f"1.{nonce}.{mac}", "..", "x"):
        other = app.test_client()
        other.set_cookie(COOKIE, forged, path="/import")
        assert "Sign in" in text_of(other.get("/import"))
    renewed = create_app(Site(site.build, site.home, settings=WebSettings(token="another"))).test_client()
    renewed.set_cookie(COOKIE, value[1], path="/import")
    assert "Sign in" in text_of(renewed.get("/import"))


def test_forms_from_elsewhere(client: FlaskClient, send: Send, home: Home) -> None:
    page = send({"g.ttl": GRAPH})
    address = f"{page.request.path}/publish"
    assert client.post(address).status_code == 403
    assert client.post(address, data={"form_token": "0" * 64}).status_code == 403
    strange = client.post(
        address, data={"form_token": form_token_of(client)}, headers={"Origin": "https://evil.example"}
    )
    assert strange.status_code == 403
    assert sources(home) == ["first"]


def test_a_trial_over_a_source_that_is_there_says_what_would_be(send: Send) -> None:
    page = send({"g.ttl": GRAPH}, name="first")
    assert "an earlier import of the source 'first' would be replaced; another name keeps both" in text_of(page)


def test_withdrawing_needs_the_name_typed(client: FlaskClient, home: Home) -> None:
    token = form_token_of(client)
    for sure in ("", "First", "x"):
        page = client.post("/import/withdraw", data={"form_token": token, "slug": "first", "sure": sure})
        assert page.status_code == 400
    assert sources(home) == ["first"]
    page = client.post("/import/withdraw", data={"form_token": token, "slug": "first", "sure": "first"})
    assert page.status_code == 303
    assert sources(home) == []


@pytest.mark.parametrize("upload_id", ["0" * 32, "x", "..", "%2e%2e%2fhome", "0" * 31 + "/"])
def test_uploads_that_are_not_there(client: FlaskClient, upload_id: str) -> None:
    assert client.get(f"/import/{upload_id}").status_code == 404
    for word in ("check", "publish", "discard"):
        page = client.post(f"/import/{upload_id}/{word}", data={"form_token": form_token_of(client)})
        assert page.status_code in (404, 405)


def test_an_old_upload_goes(client: FlaskClient, send: Send, home: Home) -> None:
    import os

    page = send({"g.ttl": GRAPH})
    folder = home.path / "uploads" / page.request.path.rsplit("/", 1)[-1]
    os.utime(folder, (1, 1))
    send({"h.ttl": GRAPH})
    assert not folder.exists()
