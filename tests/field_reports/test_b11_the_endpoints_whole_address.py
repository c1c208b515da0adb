"""B11: an editor that knows its endpoint by a path alone opens dead links elsewhere, and loses a proxy's prefix.

The page holds the whole address, under the prefix that the server is mounted at.
"""

from pathlib import Path

import pytest

from kg.home import Home
from tests.web.editor.conftest import FakeGuard, hostile_home, made_site
from tests.web.stage import stage
from web.site import WebSettings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return hostile_home(tmp_path)


def test_the_address_is_whole_and_keeps_the_prefix(tmp_path: Path, home: Home) -> None:
    client = made_site(home, stage(tmp_path / "runs"), FakeGuard(home)).test_client()
    page = client.get("/query", base_url="https://graphs.example/scoutfly/").text
    assert 'data-endpoint="https://graphs.example/scoutfly/sparql"' in page
    assert "<code>https://graphs.example/scoutfly/sparql</code>" in page
    assert 'action="/scoutfly/query"' in page
    assert 'data-vocabulary="/scoutfly/api/vocabulary"' in page


def test_what_a_trusted_proxy_says_counts(tmp_path: Path, home: Home) -> None:
    settings = WebSettings(trusted_proxies=1)
    client = made_site(home, stage(tmp_path / "runs"), FakeGuard(home), settings=settings).test_client()
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "graphs.example", "X-Forwarded-Prefix": "/scoutfly"}
    assert 'data-endpoint="https://graphs.example/scoutfly/sparql"' in client.get("/query", headers=said).text
