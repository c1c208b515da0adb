"""The lists of entities: classes, filters and their counts, sorting, pages, odd addresses, queries asked, time."""

import re
import statistics
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.store import EmbeddedStore
from tests.conftest import OxigraphServer
from tests.web.browse.conftest import CountingStore, MakeClient, MakeTable, chain
from tests.web.markup import Page
from web.browse.coverage import count_coverage
from web.browse.facets import count_facet, make_facets
from web.browse.listing import Lists, Wish
from web.browse.sources import Sources
from web.browse.table import GraphTable
from web.browse.topics import reach, tell_apart

BREW = "https://example.org/brew"
FILM = """
ex:director a sf:TopicEntity, ex:Person ; rdfs:label "Director" ; ex:made ex:one ; ex:made-late ex:two .
ex:other a sf:TopicEntity, ex:Person ; rdfs:label "Other" ; ex:knows ex:director ; ex:made ex:three .
ex:one a ex:Film ; rdfs:label "One" ; ex:of ex:noir ; sf:hasMedia ex:poster ; sf:hasCaption ex:caption .
ex:two a ex:Film ; rdfs:label "Two" ; ex:of ex:noir, ex:drama .
ex:three a ex:Short ; rdfs:label "One" ; ex:of ex:drama .
ex:noir a ex:Genre ; rdfs:label "Noir" . ex:drama a ex:Genre ; rdfs:label "Drama" .
ex:Short rdfs:subClassOf ex:Film . ex:Film rdfs:label "Film" . ex:Genre rdfs:label "Genre" .
ex:poster a sf:Image . ex:caption sf:text "A poster." .
ex:made sf:baseRelation ex:made ; rdfs:label "made" .
ex:made-late sf:baseRelation ex:made ; sf:condition ex:late . ex:late a sf:Condition ; rdfs:label "is late" .
ex:of sf:baseRelation ex:of ; rdfs:label "is of" . ex:knows sf:baseRelation ex:knows ; rdfs:label "knows" .
"""


def lists_of(table: GraphTable) -> Lists:
    topics = reach(table)
    return Lists(table, make_facets(table, Sources(), topics=topics, said=tell_apart(table, topics)))


def ex(name: str) -> str:
    return f"http://example.org/{name}"


@pytest.fixture
def films(make_table: MakeTable) -> GraphTable:
    return make_table(FILM)


def labels(table: GraphTable, wish: Wish) -> list[str]:
    return [table.iris[number].rsplit("/", 1)[-1] for number in lists_of(table).listing(wish).entities]


def test_a_class_holds_its_subclasses_too(films: GraphTable) -> None:
    assert labels(films, Wish(type=ex("Film"))) == ["one", "three", "two"]
    assert labels(films, Wish(type=ex("Short"))) == ["three"]
    tree = count_coverage(films).classes
    (film,) = [each for each in tree if each.iri == ex("Film")]
    assert (film.entities, film.with_media, film.with_captions) == (3, 1, 1)
    assert [below.iri for below in film.below] == [ex("Short")]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ([("near", "noir")], ["one", "two"]),
        ([("near", "noir"), ("near", "drama")], ["two"]),
        ([("topic", "director")], ["one", "two"]),
        ([("topic", "other")], ["three"]),  # what another topic leads to is the other topic's
        ([("condition", "late")], ["two"]),
        ([("relation", "made")], ["one", "three", "two"]),
        ([("media", None)], ["one"]),
        ([("topic", "director"), ("condition", "late"), ("near", "noir")], ["two"]),
        ([("topic", "other"), ("near", "noir")], []),
        ([("near", "nobody")], []),
    ],
)
def test_filters_hold_together(films: GraphTable, filters: list[tuple[str, str | None]], found: list[str]) -> None:
    wish = Wish(type=ex("Film"), filters=tuple((key, ex(value) if value else "yes") for key, value in filters))  # type: ignore[misc]
    assert labels(films, wish) == found


def test_the_number_beside_a_value_is_how_many_are_left_with_it(films: GraphTable) -> None:
    lists = lists_of(films)
    for wish in (Wish(), Wish(type=ex("Film")), Wish(filters=(("near", ex("noir")),))):
        listing = lists.listing(wish)
        values = [(facet.key, value) for facet in listing.facets for value in facet.values]
        assert len(values) > 5
        for key, value in values:
            narrowed = lists.listing(Wish(wish.type, (*wish.filters, (key, value.value))))
            assert narrowed.total == value.count, (key, value.label)


def test_facets_come_from_the_graph_and_bear_its_words(films: GraphTable) -> None:
    facets = {facet.heading: facet for facet in lists_of(films).listing(Wish(type=ex("Film"))).facets}
    near = ("Next to: Genre", "Next to: Person")
    assert list(facets) == ["Topic", "Condition", *near, "Relation", "Media", "Kind of media", "Captions"]
    assert [(each.label, each.count) for each in facets["Next to: Genre"].values] == [("Drama", 2), ("Noir", 2)]
    assert [(each.label, each.count) for each in facets["Condition"].values] == [("is late", 1)]


def test_two_of_one_name_are_told_apart_by_their_topic_or_their_iri(films: GraphTable) -> None:
    said = tell_apart(films, reach(films))
    notes = {films.iris[number]: note for number, note in enumerate(said) if note}
    assert notes == {ex("one"): "Director", ex("three"): "Other"}
    none = tell_apart(films, reach(films, max_steps=1))
    assert {note for note in none if note} == {"example.org/one", "example.org/three"}


def test_only_so_many_values_are_shown_and_the_chosen_one_always(make_table: MakeTable) -> None:
    edges = "".join(f"ex:a{number:02} ex:r ex:b{number:02} . " for number in range(30))
    table = make_table("ex:r sf:baseRelation ex:r . " + edges)
    (facet,) = [
        each
        for each in make_facets(table, Sources(), topics=reach(table), said=tell_apart(table, reach(table)))
        if each.key == "near"
    ]
    everyone = table.degrees > 0
    (counts,) = count_facet(facet, everyone, chosen=[ex("b29")], shown=10)
    assert (len(counts.values), counts.more) == (11, 50)
    assert [value.label for value in counts.values if value.chosen] == ["b29"]


def test_sorting(films: GraphTable) -> None:
    assert labels(films, Wish())[:3] == ["director", "drama", "noir"]
    by_relations = lists_of(films).listing(Wish(sort="relations"))
    degrees = [int(films.degrees[number]) for number in by_relations.entities]
    assert degrees == sorted(degrees, reverse=True)
    kinds = [films.kind(number) for number in lists_of(films).listing(Wish(sort="type")).entities]
    assert kinds == sorted(kinds)


def test_circles_and_long_chains_of_classes_end(make_table: MakeTable) -> None:
    chain_of = "".join(f"ex:C{number} rdfs:subClassOf ex:C{number + 1} . " for number in range(300))
    odd = "ex:C300 rdfs:subClassOf ex:C0 . ex:b a ex:Self . ex:Self rdfs:subClassOf ex:Self ."
    table = make_table(f"ex:a a ex:C0 . {chain_of} {odd}")
    coverage = count_coverage(table)
    assert {each.entities for each in coverage.classes} == {1}
    line = make_table(f"ex:a a ex:C0 . {chain_of}")
    assert count_coverage(line).all.entities == 1


def test_the_classes_of_the_bundled_graph(bundled_app: Flask) -> None:
    client = bundled_app.test_client()
    page = Page(client.get("/browse").get_data(as_text=True))
    text = " ".join(page.text.split())
    assert "Attack Action 265" in text
    (link,) = {each["href"] for each in page.all("a") if each["href"].endswith("mhw%23Monster")}
    monsters = Page(client.get(link).get_data(as_text=True))
    assert "22 entities" in monsters.text
    assert "Rathian" in monsters.text


def test_pages_are_stable_bounded_and_hold_everything_once(make_client: MakeClient) -> None:
    client = make_client(EmbeddedStore.from_quads(chain(120)))
    seen: list[str] = []
    for number in (1, 2, 3):
        page = Page(client.get(f"/browse?type=http://example.org/Thing&page={number}").get_data(as_text=True))
        seen += re.findall(r"Thing \d{5}", page.text.partition("Next to:")[0])
        assert page.all("span", **{"aria-current": "page"})
    assert seen == [f"Thing {number:05}" for number in range(120)]
    for odd in ("4", "0", "-1", "x", "1e3", "9" * 40, "\u0661", ""):
        assert client.get("/browse", query_string={"type": ex("Thing"), "page": odd}).status_code == 404, odd


def test_links_of_a_list_keep_the_rest_of_the_wish(films: GraphTable) -> None:
    wish = Wish(type=ex("Film"), filters=(("near", ex("a&b=c#d")),), sort="relations", page=3)
    asked = parse_qs(wish.with_filter("media", "yes"))
    assert asked == {"type": [ex("Film")], "near": [ex("a&b=c#d")], "media": ["yes"], "sort": ["relations"]}
    assert parse_qs(wish.address(page=4))["page"] == ["4"]
    assert "near" not in parse_qs(wish.without_filter("near", ex("a&b=c#d")))


def test_an_empty_list_says_so(tiny_client: FlaskClient) -> None:
    asked = {"type": f"{BREW}#Machine", "condition": "http://example.org/none"}
    page = Page(tiny_client.get("/browse", query_string=asked).get_data(as_text=True))
    assert "No results. The graph has no condition “none”." in " ".join(page.text.split())
    unknown = Page(tiny_client.get("/browse?type=http://example.org/None").get_data(as_text=True))
    assert "Look at the classes that there are" in unknown.text
    nothing = Page(tiny_client.get("/browse?type=&sort=<b>&media=maybe").get_data(as_text=True))
    nothing.check_harmless()


def test_too_many_and_too_long_filters_are_refused(tiny_client: FlaskClient) -> None:
    assert tiny_client.get("/browse?" + "&".join(f"near=a{number}" for number in range(13))).status_code == 400
    assert tiny_client.get(f"/browse?near={'a' * 2001}").status_code == 400


def test_every_link_of_a_list_leads_somewhere(tiny_client: FlaskClient) -> None:
    page = Page(
        tiny_client.get("/browse", query_string={"type": f"{BREW}#Step", "caption": "yes"}).get_data(as_text=True)
    )
    page.check_harmless()
    links = {each["href"] for each in page.all("a") if urlsplit(each["href"]).path in {"/browse", "/entity", "/search"}}
    assert len(links) > 20
    for link in links:
        assert tiny_client.get(link).status_code == 200, link


def test_hostile_labels_stay_text(client: FlaskClient) -> None:
    for address in ("/browse", "/browse?type=http://example.org/Kind", "/browse?topic=http://example.org/top"):
        page = Page(client.get(address).get_data(as_text=True))
        page.check_harmless()
        assert "Kind <style>*{display:none}</style>" in page.text, address
    assert "Top <script>alert('label')</script>" in Page(client.get("/browse?media=no").get_data(as_text=True)).text


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        ("/", 0),
        ("/browse", 0),
        ("/browse?media=no", 1),
        (f"/browse?type={BREW}%23Step&sort=relations", 1),
        ("/search?q=flush", 1),
        ("/api/search?q=flush", 1),
        ("/api/search?q=pump", 0),
        ("/relations", 0),
        (f"/relations?iri={BREW}%23hasStep", 1),
        ("/conditions", 0),
    ],
)
def test_no_page_asks_more_of_the_graph_where_there_is_more_to_show(
    make_client: MakeClient, counting_store: CountingStore, address: str, queries: int
) -> None:
    client = make_client(counting_store)
    counting_store.asked.clear()
    for warm in ("/", "/browse?media=no", "/search?q=a", "/relations"):
        client.get(warm)
    assert len(counting_store.asked) <= 11  # the table, the texts to search, and the contexts of two lists
    counting_store.asked.clear()
    assert client.get(address).status_code == 200
    assert len(counting_store.asked) == queries


@pytest.mark.server
def test_a_graph_behind_an_endpoint_gives_the_same_pages(
    make_client: MakeClient, oxigraph_server: OxigraphServer, tiny_quads: tuple[object, ...], tiny_client: FlaskClient
) -> None:
    from kg.remote import RemoteStore

    oxigraph_server.fill(tiny_quads)  # type: ignore[arg-type]
    remote = make_client(RemoteStore(oxigraph_server.query_url, timeout_s=20))
    for address in ("/", "/browse?media=no", "/search?q=flush", "/api/search?q=pomp", "/relations", "/conditions"):
        assert remote.get(address).get_data(as_text=True) == tiny_client.get(address).get_data(as_text=True), address


@pytest.mark.parametrize("size", [11_000])
def test_a_list_of_many_entities_takes_no_time(make_client: MakeClient, size: int) -> None:
    client = make_client(EmbeddedStore.from_quads(chain(size)))
    client.get("/browse?media=no")
    for address in (
        "/browse?media=no",
        "/browse?sort=relations&media=no&page=220",
        "/relations?iri=http://example.org/leads",
    ):
        spent = []
        for _ in range(5):
            started = time.perf_counter()
            assert client.get(address).status_code == 200
            spent.append(time.perf_counter() - started)
        assert statistics.median(spent) < 0.2, address


def test_a_graph_larger_than_a_query_may_answer_is_said_to_be_so(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.browse.table.read_template", lambda _name: "LIMIT 20")
    client = make_client(EmbeddedStore.from_quads(chain(20)))
    assert "larger than these lists can be" in client.get("/browse?media=no").get_data(as_text=True)
    assert "larger than the search can be" in client.get("/search?q=thing").get_data(as_text=True)
    assert "more edges than are counted" in client.get("/relations").get_data(as_text=True)
