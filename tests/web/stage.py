"""A graph whose every text is an attack on the page, a policy that follows everything, and a server of them.

``python -m tests.web.stage PORT FOLDER`` serves it, as a process of its own.
"""

import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pyoxigraph as ox
from flask import Flask

from agents.engine import Engine
from agents.roles import (
    Answer,
    Call,
    Expansion,
    Overlay,
    Perception,
    Policy,
    Question,
    ScoredPath,
    TopicChoice,
    Verdict,
)
from agents.roles import (
    Path as Route,
)
from agents.runs import RunFolder
from kg.store import EmbeddedStore
from ontology import terms
from sparql.graph import Edge, Entity
from web.app import create_app
from web.ask.walks import walks_of
from web.serving import check_port, serve
from web.site import Site

GRAPH = r"""
ex:top a sf:TopicEntity, ex:Kind ; rdfs:label "Top <script>alert('label')</script>" ;
  sf:context "<img src=x onerror=alert('context')>" .
ex:Kind rdfs:label "Kind <style>*{display:none}</style>" .
ex:mid a ex:Kind ; rdfs:label "A label so long that it cannot stand on one line of a box, nor on two, nor on three" .
ex:leaf a ex:Kind ; rdfs:label "\"><svg onload=alert('leaf')>" ; sf:hasCaption ex:caption ; sf:hasMedia ex:media .
ex:other a ex:Kind ; rdfs:label "Other" .
ex:caption sf:text "<b>caption</b> {{ 'xy' * 3 }}" ; sf:model "<i>model</i>" .
ex:rel rdfs:label "leads <u>to</u>" ; sf:baseRelation ex:rel .
ex:rel-c rdfs:label "leads to (condition)" ; sf:baseRelation ex:rel ; sf:condition ex:condition .
ex:condition rdfs:label "condition </text></svg><script>alert('condition')</script>" .
ex:top ex:rel-c ex:mid . ex:mid ex:rel ex:leaf, ex:other .
ex:fact a sf:Fact ; rdf:subject ex:top ; rdf:predicate ex:rel-c ; rdf:object ex:mid ;
  sf:conditionText "when </title><script>alert('fact')</script>" ; sf:information "<iframe src=//evil.example>" ;
  sf:evidence <javascript:alert('evidence')> .
"""


def hostile_store(graph: str = GRAPH) -> EmbeddedStore:
    """The graph, in memory."""
    prefixes = {**terms.PREFIXES, "ex": "http://example.org/"}
    prologue = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in prefixes.items())
    return EmbeddedStore.from_quads(ox.parse(prologue + graph, format=ox.RdfFormat.TURTLE))


class Everything:
    """Follows all that is offered, keeps all that was found, and says where it has been."""

    def perceive(self, question: Question) -> Perception:
        return Perception("")

    def select_topic(self, question: Question, topics: Sequence[Entity]) -> TopicChoice:
        return TopicChoice(topics[0], (Call("topic_selector", "fake <model>", "abc", "<answer>", note="<note>"),))

    def expand(self, question: Question, path: Route, offer: Sequence[Edge], overlay: Overlay) -> Expansion:
        return Expansion(tuple(range(len(offer))), tuple(0.5 for _ in offer))

    def validate(self, question: Question, path: Route, overlay: Overlay) -> Verdict:
        return Verdict(path.leaf.label == "Other")

    def select_paths(self, question: Question, paths: Sequence[ScoredPath], limit: int) -> list[ScoredPath]:
        return list(paths)[:limit]

    def summarize(self, question: Question, paths: Sequence[Route], overlay: Overlay) -> Answer:
        return Answer("<script>alert('answer')</script>\nSecond line")


def everything(name: str) -> Policy:
    """The policy, under any name."""
    player = Everything()
    return Policy(name, player, player, player, player, player, player, {"made": "<for tests>"})


def stage(
    folder: Path, *, policy: Callable[[str], Policy] = everything, policies: tuple[str, ...] = ("all",)
) -> Engine:
    """The engine over the hostile graph; runs are kept in ``folder``."""
    return Engine(hostile_store(), policy, policies, RunFolder(folder))


def site_of(engine: Engine) -> Site:
    """A site over one engine, whose graph does not change."""
    return Site(lambda: engine)


def finish(app: Flask, address: str) -> None:
    """Wait until the run at ``address`` is over."""
    walks_of(app).wait(address.rsplit("/", 1)[-1], 30)


if __name__ == "__main__":
    port = int(sys.argv[1])
    check_port("127.0.0.1", port)
    serve(
        lambda _: create_app(site_of(stage(Path(sys.argv[2])))), "127.0.0.1", port, functools.partial(print, flush=True)
    )
