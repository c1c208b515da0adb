"""All values that a list can be narrowed down by can be reached, however many there are."""

from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from tests.web.browse.conftest import MakeClient
from tests.web.markup import Page
from tests.web.stage import hostile_store

COUNT = 130
EDGES = "".join(
    f"ex:a{n:03} a ex:Start ; rdfs:label 'Start {n:03}' ; ex:r ex:b{n:03}, ex:goal . ex:b{n:03} a ex:End ; "
    f"rdfs:label 'End {n:03}' . "
    for n in range(COUNT)
)
GRAPH = f"ex:r sf:baseRelation ex:r ; rdfs:label 'leads to' . ex:goal a ex:End ; rdfs:label '<Goal>' . {EDGES}"
EX = "http://example.org/"
STARTS = f"/browse?type={quote(EX, safe='')}Start"
RELATION = f"/relations?iri={quote(EX, safe='')}r"


@pytest.fixture
def client(make_client: MakeClient) -> FlaskClient:
    return make_client(hostile_store(GRAPH))


def shown(client: FlaskClient, address: str) -> Page:
    response = client.get(address)
    assert response.status_code == 200, address
    page = Page(response.get_data(as_text=True))
    page.check_harmless()
    return page


def all_values(client: FlaskClient, address: str, path: str) -> dict[str, str]:
    """The values behind a link of a list to all of them, on all of its pages: name of the list's address by value."""
    links = {link["href"] for link in shown(client, address).all("a") if link["href"].startswith(path)}
    found: dict[str, str] = {}
    for link in links:
        for number in (1, 2):
            response = client.get(f"{link}&page={number}")
            if response.status_code == 404:
                continue
            for each in Page(response.get_data(as_text=True)).all("a"):
                found[each["href"]] = link
    return found


def test_every_value_of_a_facet_leads_to_the_list_with_it(client: FlaskClient) -> None:
    found = all_values(client, STARTS, "/browse/values?")
    for number in (0, 60, COUNT - 1):
        address = f"{STARTS}&near={quote(f'{EX}b{number:03}', safe='')}"
        assert address in found
        assert f"Start {number:03}" in shown(client, address).text


def test_values_can_be_found_by_name(client: FlaskClient) -> None:
    page = shown(client, f"/browse/values?type={quote(EX, safe='')}Start&of=Next+to%3A+End&q=end+12")
    assert "10 values" in " ".join(page.text.split())
    assert "<Goal>" in shown(client, f"/browse/values?type={quote(EX, safe='')}Start&of=Next+to%3A+End").text
    none = shown(client, f"/browse/values?type={quote(EX, safe='')}Start&of=Next+to%3A+End&q=nobody")
    assert "No value is called that." in none.text


def test_both_ends_of_a_relation_can_be_chosen_from_all(client: FlaskClient) -> None:
    found = all_values(client, RELATION, "/relations/ends?")
    for end, name in (("from", "a"), ("to", "b")):
        for number in (0, COUNT - 1):
            address = f"{RELATION}&{end}={quote(f'{EX}{name}{number:03}', safe='')}"
            assert address in found, address
            assert "edge" in shown(client, address).text
    kept = all_values(client, f"{RELATION}&to={quote(EX, safe='')}goal", "/relations/ends?")
    assert any("&to=" in address and "&from=" in address for address in kept)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/browse/values", 404),
        (f"/browse/values?type={quote(EX, safe='')}Start&of=Nothing", 404),
        (f"/browse/values?type={quote(EX, safe='')}Start&of=Next+to%3A+End&page=9", 404),
        (f"/browse/values?type={quote(EX, safe='')}Start&of=Next+to%3A+End&q={'x' * 3000}", 400),
        ("/relations/ends?iri=urn:nothing&at=from", 404),
        ("/relations/ends", 404),
    ],
)
def test_what_is_not_there(client: FlaskClient, address: str, status: int) -> None:
    assert client.get(address).status_code == status
