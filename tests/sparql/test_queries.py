"""Every query file: its comments, that it parses, and what it answers on the small graph.

The rows stand in ``tests/data/golden/<query>.txt``, a line each, as ``variable=term`` in the order of the query.
"""

import re
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.store import Row, Store
from ontology import terms
from sparql.template import bind, read_template
from tests.sparql.conftest import Graph, MakeStore

QUERIES = sorted(file.name.removesuffix(".rq") for file in resources.files("sparql").joinpath("queries").iterdir())
GOLDEN = Path(__file__).parents[1] / "data" / "golden"
SPACES = {
    "https://example.org/brew/id/": "id:",
    "https://example.org/brew#": "b:",
    "https://w3id.org/scoutfly/ns#": "sf:",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs:",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2004/02/skos/core#": "skos:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://schema.org/": "schema:",
    "http://www.w3.org/2002/07/owl#": "owl:",
}
Node = Callable[[str], ox.NamedNode]
Parameters = dict[str, list[ox.NamedNode | ox.Literal]]
SOURCE = """
<https://w3id.org/scoutfly/graph/source/brew> dcterms:title "Coffee machines" ; dcterms:creator "A barista" ;
  dcterms:license <https://example.org/licence> .
<https://example.org/brew/manual> dcterms:title "A manual" .
"""


def shorten(row: Row, names: list[str]) -> str:
    """One row on one line, with prefixes."""
    cells = []
    for name in names:
        if name in row:
            text = re.sub(r"<([^>]*)>", lambda match: match[1], str(row[name]))
            for space, prefix in SPACES.items():
                text = text.replace(space, prefix)
            cells.append(f"{name}={text}")
    return " | ".join(cells)


def answer(store: Store, query: str) -> tuple[list[str], Sequence[Row]]:
    """The names of the variables in order and the rows; triples are rows of three."""
    if query.lstrip().startswith("DESCRIBE"):
        names = ["subject", "predicate", "object"]
        return names, [dict(zip(names, triple, strict=True)) for triple in store.construct(query)]
    shown = re.search(r"SELECT (?:DISTINCT )?(.*)", query)[1]  # type: ignore[index]
    return re.findall(r"\?(\w+)", re.sub(r"\([^()]*(?:\([^()]*\))? AS (\?\w+)\)", r"\1", shown)), store.select(query)


def parameters(name: str, node: Node) -> Parameters:
    taken: dict[str, Parameters] = {
        "neighbourhood": {"frontier": [node("id:brewer-brew"), node("id:slow-drip"), node("id:vapour")]},
        "description": {"entities": [node("id:pump-burst"), node("id:nothing")]},
        "media_items": {"items": [node("id:pump-burst-film"), node("id:pump-burst-frame"), node("id:nothing")]},
        "edges_of_relation": {"relation": [node("b:continuesWith")]},
        "notes_on_edges": {"relation": [node("b:continuesWith")], "heads": [node("id:pump-burst"), node("id:whirl")]},
        "entities_of_class": {"class": [node("b:Machine")]},
        "entities_by_name": {"names": [ox.Literal("flush")]},
        "statements": {"resources": [node("id:pump-burst"), node("id:nothing")]},
        "closure": {"resource": [node("id:brewer")]},
        "incoming_counts": {"resource": [node("id:steam-blast")]},
        "incoming": {"resource": [node("id:steam-blast")], "property": [node("b:hasStep")]},
        "usage": {"property": [node("b:continuesWith")]},
        "usage_count": {"property": [node("b:continuesWith")]},
        "properties": {"properties": [node("b:hasStep"), node("b:hasStep-lidIsOpen"), terms.RDFS_LABEL]},
        "called": {"resources": [node("b:hasStep"), node("id:pump-burst")]},
        "captions": {"resources": [node("id:pump-burst"), node("id:pump-burst-film")]},
        "facts": {"resource": [node("id:brewer-brew")], "others": [node("id:steam-blast"), node("id:pump-burst")]},
        "lift": {"items": [node("id:pump-burst-film"), node("id:pump-burst-frame"), node("id:nothing")]},
        "around": {"entities": [node("id:pump-burst")]},
        "items_of": {"entities": [node("id:pump-burst"), node("id:nothing")]},
        "thumbnails": {"resources": [node("id:pump-burst"), node("id:slow-drip")]},
    }
    return taken.get(name, {})


@pytest.mark.parametrize("name", QUERIES)
def test_the_file_says_what_it_answers_and_what_it_takes(name: str) -> None:
    first, second, *_ = resources.files("sparql").joinpath("queries", f"{name}.rq").read_text("utf-8").splitlines()
    assert re.fullmatch(r"# [A-Z].*\.", first)
    said = set(re.findall(r"\$([a-z_]+)", second))
    assert said == set(re.findall(r"\$([a-z_]+)", read_template(name)))
    assert said or second == "# no parameters"


@pytest.mark.parametrize("name", QUERIES)
def test_the_rows_on_the_small_graph(
    name: str, make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], graph: Graph, node: Node
) -> None:
    query = bind(name, **parameters(name, node))
    names, rows = answer(make_store([*tiny_quads, *graph(SOURCE)]), query)
    assert sorted(shorten(row, names) for row in rows) == (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines()


def test_no_golden_file_is_left_over() -> None:
    assert sorted(file.stem for file in GOLDEN.glob("*.txt")) == QUERIES
