"""Files out and in: a dataset is downloaded whole; a bad upload is told why, a good one is found by search."""

import gzip
from pathlib import Path

import pyoxigraph as ox
import pytest

from tests.web.flows.conftest import Visitor
from tests.web.flows.premises import KITCHEN, TOKEN

pytestmark = pytest.mark.browser
ROWS = "head,relation,tail\nZanzibar Clove,goes into,Winter Tea\nMalabar Pepper,,Soup\n"


def test_a_dataset_is_downloaded_in_a_format_of_choice(visitor: Visitor) -> None:
    visitor.go("/download")
    visitor.click("Download", within="nav[aria-label=Pages]")
    link = visitor.until(
        lambda: next(iter(visitor.all("main a[href$='/download/source/kitchen.ttl.gz']")), None), "the kitchen"
    )
    visitor.run("arguments[0].closest('details').open = true; arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()
    content = gzip.decompress(visitor.downloaded("kitchen.ttl.gz"))
    triples = list(ox.parse(content, format=ox.RdfFormat.TURTLE))
    assert ox.NamedNode(KITCHEN + "kettle") in {triple.subject for triple in triples}


def test_a_bad_file_is_refused_with_its_place_and_nothing_changes(visitor: Visitor, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ttl"
    bad.write_text('@prefix ex: <http://example.org/bad/> .\nex:a ex:p "unfinished .\n', encoding="utf-8")
    sign_in(visitor)
    send(visitor, bad)
    assert visitor.one("h1").text == "Not imported"
    told = visitor.one("[role=alert], .notice").text
    assert "bad.ttl" in told
    assert "line 2" in told.lower()
    assert "The graph is as it was." in visitor.text
    visitor.click("Remove from the list")
    visitor.until(lambda: visitor.path == "/import")


def test_a_good_file_is_tried_then_imported_then_found_and_withdrawn(visitor: Visitor, tmp_path: Path) -> None:
    table = tmp_path / "spices.csv"
    table.write_text(ROWS, encoding="utf-8")
    sign_in(visitor)
    send(visitor, table)
    assert visitor.one("h1").text == "Checked: nothing is changed yet"
    assert visitor.one("#rejected").text == "Rejected rows 1"
    visitor.click("Import it")
    visitor.until(lambda: visitor.one("h1").text == "Imported")
    visitor.one("header input[name=q]").send_keys("zanzibar")
    visitor.until(lambda: [one for one in visitor.all("[role=option]") if "Zanzibar Clove" in one.text]).pop().click()
    visitor.until(lambda: visitor.path.startswith("/id/spices/"))
    assert "Winter Tea" in visitor.text
    visitor.go("/import")
    row = next(item for item in visitor.all("#held ~ ul > li") if "spices" in item.text)
    row.find_element("css selector", "summary").click()
    row.find_element("css selector", "input[name=sure]").send_keys("spices")
    visitor.click("Withdraw this source")
    visitor.until(lambda: "The source spices was withdrawn." in visitor.text)
    visitor.click("Sign out")
    visitor.one("#token")


def sign_in(visitor: Visitor) -> None:
    visitor.allowed = ["Password forms should have"]  # a hint of Chromium's; there is no name to go with the token
    visitor.go("/import")
    visitor.one("#token").send_keys(TOKEN)
    visitor.click("Sign in")
    visitor.one("#files")


def send(visitor: Visitor, path: Path) -> None:
    """Sends a file by the form, and waits for the end of the trial."""
    visitor.one("#files").send_keys(str(path))
    visitor.click("Send and check")
    visitor.until(lambda: visitor.path.startswith("/import/") and visitor.one("h1").text not in {"Being checked"})
