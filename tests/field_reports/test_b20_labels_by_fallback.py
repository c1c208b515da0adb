"""B20: labels of other languages were dropped or mislabelled, and alternative labels without a language not shown.

The page is headed by the label in the language that the reader asks for, else the English one, else the one without a
language, else any, else the end of the IRI; and it shows all labels, each with its language.
"""

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.entity.conftest import imported

GRAPH = """
<chair> rdfs:label "chair"@en, "Stuhl"@de, "silla"@es, "CH-7" ; skos:altLabel "seat", "Sessel"@de .
<plain> rdfs:label "XY-1", "cadeira"@pt .
<foreign> rdfs:label "椅子"@ja, "cadeira"@pt .
<preferred> skos:prefLabel "Bank"@de ; rdfs:label "bench"@en .
<no%20name> ex:near <chair>, <plain>, <foreign>, <preferred> .
"""


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return imported(tmp_path, {"home": GRAPH}).test_client()


@pytest.mark.parametrize(
    ("name", "asked", "shown", "language"),
    [
        ("chair", "de", "Stuhl", "de"),
        ("chair", "de-AT, en;q=0.5", "Stuhl", "de"),
        ("chair", "fr, es;q=0.8, de;q=0.2", "silla", "es"),
        ("chair", "de;q=0, fr", "chair", "en"),
        ("chair", "", "chair", "en"),
        ("chair", "*", "chair", "en"),
        ("plain", "de", "XY-1", ""),
        ("plain", "pt-BR", "cadeira", "pt"),
        ("foreign", "de", "椅子", "ja"),
        ("preferred", "de", "Bank", "de"),
        ("preferred", "en", "bench", "en"),
        ("no%2520name", "de", "no name", ""),
    ],
)
def test_the_page_is_headed_by_the_best_label(
    client: FlaskClient, *, name: str, asked: str, shown: str, language: str
) -> None:
    response = client.get(f"/id/home/{name}", headers={"Accept-Language": asked} if asked else {})
    heading = re.search(r'<h1(?: lang="([^"]*)")?>([^<]*)</h1>', response.get_data(as_text=True))
    assert heading is not None
    assert (unescape(heading[2]), heading[1] or "") == (shown, language)
    assert "accept-language" in [part.lower() for part in response.vary]


def test_all_labels_are_shown_with_their_language(client: FlaskClient) -> None:
    page = client.get("/id/home/chair").get_data(as_text=True)
    for text, language in (("chair", "en"), ("Stuhl", "de"), ("silla", "es")):
        assert re.search(rf'<li lang="{language}">{text} <span class="badge">{language}</span>', page)
    assert re.search(r'CH-7 <span class="badge">no language</span>', page)
    assert re.search(r"Also called.*seat", page, re.DOTALL)
    assert re.search(r'lang="de">Sessel</span>\s*<span class="badge">de</span>', page)


def test_others_are_named_by_the_same_rule(client: FlaskClient) -> None:
    page = client.get("/id/home/no%2520name", headers={"Accept-Language": "de"}).get_data(as_text=True)
    for name in ("Stuhl", "XY-1", "椅子", "Bank"):
        assert f">{name}</a>" in page
