"""From a word or a list to an entity: completion by keyboard, search, facets, pages, relations, the ontology."""

from urllib.parse import quote

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.web.flows.conftest import Visitor
from tests.web.flows.premises import MHW

pytestmark = pytest.mark.browser


def test_a_name_is_completed_and_opened_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.go("/")
    keys = ActionChains(visitor.browser)
    keys.send_keys(Keys.TAB, Keys.ENTER).perform()  # past the navigation
    for _ in range(25):
        if visitor.browser.switch_to.active_element.get_attribute("id") == "q":
            break
        ActionChains(visitor.browser).send_keys(Keys.TAB).perform()
    field = visitor.browser.switch_to.active_element
    assert field.get_attribute("id") == "q"
    field.send_keys("wasserk")
    option = visitor.one("[role=option]")
    assert "Kettle" in option.text
    assert "Wasserkocher" in option.text
    field.send_keys(Keys.ARROW_DOWN)
    assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    field.send_keys(Keys.ENTER)
    visitor.until(lambda: visitor.path == "/id/kitchen/kettle")
    assert visitor.one("h1").text == "Kettle"


def test_a_search_lists_what_matched_and_leads_to_the_entity(visitor: Visitor) -> None:
    visitor.go("/browse")
    visitor.one("header input[name=q]").send_keys("queen of the land", Keys.ENTER)
    visitor.until(lambda: visitor.path.startswith("/search?"))
    assert "Queen of the Land" in visitor.text
    visitor.click("Rathian", within="main")
    visitor.until(lambda: visitor.one("h1").text == "Rathian")


def test_a_list_is_narrowed_by_facets_and_paged_to_an_entity(visitor: Visitor) -> None:
    visitor.go("/browse")
    visitor.click("Attack Action", within="main")
    everything = visitor.one("#found").text
    assert everything == "265 entities"
    second = visitor.one(".pager a[rel=next]")
    second.click()
    assert visitor.one(".pager [aria-current]").text == "2"
    facet = visitor.one("#facets details ul a")
    said, count = facet.text, visitor.one("#facets details li:has(a) .count").text
    facet.click()
    visitor.until(lambda: visitor.one("#found").text != everything)
    assert visitor.one("#found").text.split()[0] == count
    assert said in visitor.one("ul[aria-label=Filters]").text
    assert visitor.all(".pager [aria-current]") == [] or visitor.one(".pager [aria-current]").text == "1"
    first = visitor.one(".entity-list a")
    name = first.text
    first.click()
    visitor.until(lambda: "/id/" in visitor.path)
    assert visitor.one("h1").text == name


def test_a_relation_leads_to_its_conditions_and_ends(visitor: Visitor) -> None:
    visitor.go("/relations")
    visitor.one("main input[name=q]").send_keys("cause", Keys.ENTER)
    visitor.until(lambda: "q=cause" in visitor.path)
    visitor.click("cause", within="main h2")
    visitor.until(lambda: visitor.path.startswith(f"/relations?iri={quote(MHW, safe='/')}cause"))
    assert "hits the ground" in visitor.text
    visitor.go("/conditions")
    visitor.click("Entities with these edges", within="main")
    visitor.until(lambda: visitor.all(".entity-list a"))


def test_the_ontology_is_explained_and_its_parts_can_be_found(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.click("Classes and relations, explained")
    visitor.until(lambda: visitor.path == "/ontology")
    assert visitor.one("h1").text == "Ontology"
    visitor.click("has attack action of", within="main")
    visitor.until(lambda: visitor.path.startswith("/ontology/mhw#"))
    target = visitor.one(f'[id="{visitor.path.partition("#")[2]}"]')
    assert "has attack action of" in target.text
