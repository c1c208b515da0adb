"""How long the generated queries take over the bundled graph, beside rdflib and beside Python dicts.

    python -m benchmarks.neighbourhood [--frontiers N] [--rdflib-samples N]

One process asks the same questions three ways: ``sparql.graph.neighbourhood`` on an embedded store (query, rows and
Edge objects), the same query text by ``rdflib.Graph.query`` (rows only), and the same Edge objects from dicts. Each
question is asked several times and the least counts, so that other work on the machine does not; the figures are
medians over the questions. Ends with status 1 where a bound is passed.
"""

import argparse
import random
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import resources

import pyoxigraph as ox
import rdflib

from benchmarks.bundled_graph import BundledGraph, least_seconds, load_bundled_graph, table
from benchmarks.dict_graph import DictGraph
from sparql.graph import all_entities, neighbourhood, neighbourhood_query, topic_entities
from sparql.template import bind, read_template

Frontier = Sequence[ox.NamedNode]
WIDTH = 50
ONE_MS, WIDE_MS_EACH, RDFLIB_RATIO = 1.0, 0.2, 30.0
"""The bounds: milliseconds for one entity, milliseconds an entity for a frontier of 50, times slower than rdflib."""


def main() -> int:
    options = _options()
    graph = load_bundled_graph()
    entities = [entity.iri for entity in all_entities(graph.store)]
    topics = [entity.iri for entity in topic_entities(graph.store)]
    chance = random.Random(0)
    frontiers = {
        f"one of all {len(entities)} entities": [[iri] for iri in entities],
        f"one of the {len(topics)} topics": [[iri] for iri in topics],
        f"{WIDTH} entities, each": [chance.sample(entities, WIDTH) for _ in range(options.frontiers)],
    }
    by_dict = DictGraph(graph.triples)
    by_rdflib = _rdflib_graph(graph)
    _check_same(graph, by_dict, by_rdflib, entities)
    print(f"{len(graph.triples)} triples; medians in milliseconds\n")
    rows, sound = [], True
    for name, asked in frontiers.items():
        embedded = _median_ms(partial(neighbourhood, graph.store), asked, repeats=5)
        dicts = _median_ms(by_dict.neighbourhood, asked, repeats=5)
        sample = chance.sample(asked, min(options.rdflib_samples, len(asked)))
        slow = _median_ms(partial(_ask_rdflib, by_rdflib), sample, repeats=1)
        bound = WIDE_MS_EACH if len(asked[0]) > 1 else ONE_MS
        sound = sound and embedded <= bound and slow >= RDFLIB_RATIO * embedded
        ratios = f"{slow / embedded:.0f} x", f"{embedded / dicts:.0f} x"
        rows.append([name, f"{embedded:.3f}", f"{bound:g}", f"{slow:.1f}", ratios[0], f"{dicts:.4f}", ratios[1]])
    print(table(["frontier", "embedded", "bound", "rdflib", "slower", "dict", "faster"], rows))
    print(f"\n{table(['query', 'rows', 'ms'], _templates(graph, topics))}")
    return 0 if sound else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--frontiers", type=int, default=20, metavar="N", help=f"frontiers of {WIDTH} to ask for")
    parser.add_argument("--rdflib-samples", type=int, default=20, metavar="N", help="of each kind, as it is slow")
    return parser.parse_args()


def _median_ms(ask: Callable[[Frontier], object], asked: Sequence[Frontier], *, repeats: int) -> float:
    """Milliseconds an entity."""
    return statistics.median(
        1e3 * least_seconds(partial(ask, frontier), repeats=repeats) / len(frontier) for frontier in asked
    )


def _check_same(graph: BundledGraph, by_dict: DictGraph, by_rdflib: rdflib.Graph, entities: Frontier) -> None:
    if neighbourhood(graph.store, entities) != by_dict.neighbourhood(entities):
        raise SystemExit("the dicts give other edges than the query: nothing to compare")
    if len(graph.store.select(neighbourhood_query(entities[:5]))) != _ask_rdflib(by_rdflib, entities[:5]):
        raise SystemExit("rdflib gives another number of rows: nothing to compare")


def _rdflib_graph(graph: BundledGraph) -> rdflib.Graph:
    text = ox.serialize(graph.triples, format=ox.RdfFormat.N_TRIPLES)
    return rdflib.Graph().parse(data=text, format="ntriples")


def _ask_rdflib(graph: rdflib.Graph, frontier: Frontier) -> int:
    return len(list(graph.query(neighbourhood_query(frontier))))


def _templates(graph: BundledGraph, topics: Frontier) -> list[list[str]]:
    """Every query file, asked with the values of ``given`` for its parameters."""
    given: dict[str, Sequence[ox.NamedNode | ox.Literal]] = {
        "frontier": topics[:1],
        "entities": topics[:1],
        "names": [ox.Literal("rathian")],
    }
    rows = []
    for path in sorted(resources.files("sparql").joinpath("queries").iterdir(), key=lambda path: path.name):
        name = path.name.removesuffix(".rq")
        query = bind(name, **{key: given[key] for key in re.findall(r"\$([a-z_]+)", read_template(name))})
        seconds = least_seconds(partial(graph.store.select, query), repeats=5)
        rows.append([name, str(len(graph.store.select(query))), f"{1e3 * seconds:.3f}"])
    return rows


if __name__ == "__main__":
    sys.exit(main())
