"""A browse through the whole site, with every request of the browser recorded: none goes anywhere else."""

from urllib.parse import urlsplit

import pytest

from tests.web.browsing import requested
from tests.web.flows.conftest import Visitor
from tests.web.flows.kinds import LONG, PAGES

pytestmark = pytest.mark.browser


def test_no_request_leaves_the_machine(visitor: Visitor, finished_run: str) -> None:
    visitor.allowed.append("Password forms should have")
    visitor.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    paths = [*PAGES.values(), *LONG.values(), finished_run, f"{finished_run}?watch=1"]
    for path in paths:
        visitor.settle(path)
        visitor.asked_for.update(requested(visitor.browser))
    url = visitor.premises.url
    assert {url + path for path in paths} <= visitor.asked_for
    for part in ("/static/scoutfly.css", "/static/vendor/cytoscape.js", "/media?iri=", "/api/neighbourhood", "/events"):
        assert any(address.startswith(url) and part in address for address in visitor.asked_for), part
    network = {
        urlsplit(address).netloc
        for address in visitor.asked_for
        if urlsplit(address).scheme not in {"data", "blob", "about"}
    }
    assert network == {urlsplit(url).netloc}


def test_a_request_that_did_would_be_noticed(visitor: Visitor) -> None:
    foreign = visitor.premises.url.replace("127.0.0.1", "localhost") + "/healthz"
    visitor.browser.get(foreign)
    assert foreign in requested(visitor.browser)
