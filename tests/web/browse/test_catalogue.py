"""The pages of the vocabulary: every relation with its numbers, its edges, and the conditions."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.store import EmbeddedStore
from tests.web.browse.conftest import MakeClient, MakeTable, chain
from tests.web.markup import Page
from web.browse.relations import Relations, matching, query_address

BREW = "https://example.org/brew"
STEP = quote(f"{BREW}#hasStep", safe="")


def shown(client: FlaskClient, address: str) -> Page:
    response = client.get(address)
    assert response.status_code == 200
    page = Page(response.get_data(as_text=True))
    page.check_harmless()
    return page


def words(page: Page) -> str:
    return " ".join(page.text.split())


def test_all_relations_of_the_bundled_graph_are_there(bundled_app: Flask) -> None:
    page = shown(bundled_app.test_client(), "/relations")
    assert "158 relations: 16 base relations, and 142 that are one of these under one of 85 conditions" in words(page)
    links = {each["href"] for each in page.all("a") if each["href"].startswith("/relations?iri=")}
    assert len(links) == 158


def test_a_relation_has_its_numbers_its_ends_and_an_example(tiny_client: FlaskClient) -> None:
    text = words(shown(tiny_client, "/relations"))
    assert "has work step 10 edges, 8 of them under no condition" in text
    assert "A machine, or one in a mode, does a step." in text
    assert "From Machine to Working mode; as in Brewer → Brew Mode" in text
    assert "lid is open 1 Brew Mode → Steam Blast" in text


def test_the_numbers_are_those_of_the_graph(bundled_store: EmbeddedStore, make_table: MakeTable) -> None:
    from web.browse.table import read_table

    relations = Relations(read_table(bundled_store))
    assert sum(group.edges for group in relations.groups) == 833
    for info in list(relations.info.values())[::9]:
        asked = f"SELECT DISTINCT ?s ?o WHERE {{ ?s <{info.term.iri}> ?o }}"
        assert len(bundled_store.select(asked)) == info.edges, info.term.iri
    assert sum(condition.edges for condition in relations.conditions) == 833 - sum(
        group.base.edges for group in relations.groups
    )


def test_the_filter_works_without_a_script(tiny_client: FlaskClient) -> None:
    page = shown(tiny_client, "/relations?q=LID")
    assert "4 relations of 11." in words(page)  # two bases, and what is under the condition of each
    assert "No relation has these words." in words(shown(tiny_client, "/relations?q=zzz"))
    assert "tank is empty" not in words(shown(tiny_client, "/relations?q=lid"))


def test_only_what_is_used(make_table: MakeTable) -> None:
    table = make_table("ex:r sf:baseRelation ex:r . ex:s sf:baseRelation ex:s . ex:a ex:r ex:b .")
    groups = Relations(table).groups
    assert [group.base.term.iri[-1] for group in matching(groups, "", table, used=True)] == ["r"]
    assert len(matching(groups, "", table)) == 2


def test_a_conditioned_relation_without_its_base_is_shown(make_table: MakeTable, make_client: MakeClient) -> None:
    table = make_table("ex:r-c sf:baseRelation ex:r ; sf:condition ex:c . ex:a ex:r-c ex:b .")
    (group,) = Relations(table).groups
    assert (group.base.term.iri, group.base.edges, group.edges) == ("http://example.org/r", 0, 1)


def test_the_page_of_a_relation(tiny_client: FlaskClient) -> None:
    page = shown(tiny_client, f"/relations?iri={STEP}")
    assert "8 edges" in words(page)
    (machine, *_) = [each["href"] for each in page.all("a") if "&from=" in each["href"]]
    narrowed = shown(tiny_client, machine)
    assert "4 edges" in words(narrowed)  # Brew Mode has most
    assert "Brew Mode \u00d7" in words(narrowed)
    nobody = shown(tiny_client, f"/relations?iri={STEP}&from=http://example.org/nobody&to=x")
    assert "No edge of this relation is asserted between these." in words(nobody)


def test_what_facts_say_stands_beside_the_edge(tiny_client: FlaskClient, client: FlaskClient) -> None:
    text = words(shown(tiny_client, f"/relations?iri={BREW}%23continuesWith"))
    assert "Pump Burst Slow Drip After about ten knocks" in text
    hostile = shown(client, "/relations?iri=http://example.org/rel-c").text
    assert "when </title><script>alert('fact')</script>" in hostile and "<iframe src=//evil.example>" in hostile


def test_the_edges_stand_on_pages(make_client: MakeClient) -> None:
    client = make_client(EmbeddedStore.from_quads(chain(120)))
    address = "/relations?iri=http://example.org/leads"
    assert "Thing 00049" in words(shown(client, address))
    assert "Thing 00050 Thing 00051" in words(shown(client, f"{address}&page=2"))
    assert client.get(f"{address}&page=4").status_code == 404


def test_what_is_not_there_is_not_found(tiny_client: FlaskClient) -> None:
    assert tiny_client.get("/relations?iri=http://example.org/none").status_code == 404
    assert tiny_client.get("/conditions?iri=http://example.org/none").status_code == 404
    assert tiny_client.get(f"/relations?iri={'a' * 2001}").status_code == 400
    assert tiny_client.get(f"/relations?q={'a' * 201}").status_code == 400
    assert tiny_client.get("/relations?page=2").status_code == 404


def test_the_conditions(tiny_client: FlaskClient) -> None:
    page = shown(tiny_client, "/conditions")
    assert "3 conditions under which a relation may stand." in words(page)
    assert "lid is open 2 edges The lid stands open. has stronger variant 1 has work step 1" in words(page)
    one = shown(tiny_client, f"/conditions?iri={BREW}%23tankIsEmpty")
    assert "continues with work step 1" in words(one)
    assert "lid is open" not in words(one)
    assert "1 condition of 3." in words(shown(tiny_client, "/conditions?q=tank"))


def test_a_query_to_begin_with(tiny_store: EmbeddedStore) -> None:
    address = query_address("edges_of_relation", relation=f"{BREW}#hasStep")
    query = parse_qs(urlsplit(address).query)["query"][0]
    assert len(tiny_store.select(query)) == 8
    assert query_address("edges_of_relation", relation="http://example.org/}> .") == ""


@pytest.mark.parametrize(
    "address", ["/relations", "/relations?iri=http://example.org/rel-c", "/conditions", "/relations?q=%3Cu%3E"]
)
def test_hostile_labels_stay_text(client: FlaskClient, address: str) -> None:
    text = shown(client, address).text
    assert "leads <u>to</u>" in text or "condition </text></svg><script>" in text
