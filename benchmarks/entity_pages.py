"""
How long pages of entities take in a graph of a given size: ``python -m benchmarks.entity_pages 650 62000``.

Each number is that of entities, of some 17 triples each, all of which lead to one hub besides. The pages are asked
of the application itself, without a server, twelve times each; the median and the best are told in milliseconds.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox

from agents.engine import Engine
from agents.roles import Policy
from agents.runs import RunFolder
from kg.home import Home
from kg.sources import Source
from ontology import terms
from web.app import create_app
from web.site import Site

BASE = "http://example.org/"
RELATIONS = 20
TIMES = 12
PAGES = {
    "an entity": "/id/big/e7",
    "its Turtle": "/id/big/e7.ttl",
    "a hub that all lead to": "/id/big/hub",
    "the next page of these": f"/entity/edges?iri={BASE}hub&relation={BASE}rel0&direction=in&page=3",
    "a class": "/id/big/Thing",
    "a relation": "/id/big/rel3",
    "a neighbourhood": f"/api/neighbourhood?iri={BASE}e7",
}


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(BASE + name)


def triples(size: int) -> Iterator[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]]:
    """A graph of ``size`` entities, the same each time."""
    choice = random.Random(1)
    relations = [node(f"rel{number}") for number in range(RELATIONS)]
    for relation in relations:
        yield relation, terms.BASE_RELATION, relation
        yield relation, terms.RDFS_LABEL, ox.Literal(f"leads to by {relation.value[-2:]}")
    for number in range(size):
        entity, fact, item = (node(f"{kind}{number}") for kind in "efm")
        yield entity, terms.RDF_TYPE, node("Thing")
        yield entity, terms.RDFS_LABEL, ox.Literal(f"thing {number}", language="en")
        yield entity, terms.CONTEXT, ox.Literal("It leads to another thing, as most of them do.")
        for _ in range(5):
            yield entity, choice.choice(relations), node(f"e{choice.randrange(size)}")
        yield entity, relations[0], node("hub")
        yield fact, terms.RDF_TYPE, terms.FACT
        yield fact, terms.RDF_SUBJECT, entity
        yield fact, terms.RDF_PREDICATE, relations[0]
        yield fact, terms.RDF_OBJECT, node("hub")
        yield fact, terms.INFORMATION, ox.Literal("always")
        yield entity, terms.HAS_MEDIA, item
        yield item, terms.ENCODING_FORMAT, ox.Literal("image/png")
        yield item, terms.CONTENT_URL, ox.Literal("a.png")


def no_policy(name: str) -> Policy:
    """Pages of entities ask no policy."""
    raise LookupError(name)


def measure(size: int, folder: Path) -> None:
    """Write the times for a graph of ``size`` entities to stdout."""
    home, graph = Home(folder / "home"), terms.source_graph("big")
    with home.write() as draft:
        draft.add(ox.Quad(*triple, graph) for triple in triples(size))
        draft.add(Source("big", "Big", "benchmark", "0" * 64, BASE, 0).quads())
        sys.stdout.write(f"{len(draft):,} triples\n")
    engine = Engine(home.reader(), no_policy, (), RunFolder(folder / "runs"))
    client = create_app(Site(lambda: engine, home)).test_client()
    for name, address in PAGES.items():
        spent = []
        for _ in range(TIMES):
            started = time.perf_counter()
            response = client.get(address)
            spent.append((time.perf_counter() - started) * 1e3)
        spent.sort()
        sizes = f"{len(response.data) / 1e3:6.1f} kB"
        sys.stdout.write(f"  {name:24} {spent[TIMES // 2]:7.1f} ms, best {spent[0]:6.1f} ms, {sizes}\n")


if __name__ == "__main__":
    for argument in sys.argv[1:] or ("650", "62000"):
        with tempfile.TemporaryDirectory() as name:
            measure(int(argument), Path(name))
