"""A graph whose every text is an attack on the page, a policy that follows everything, and a server of them.

``python -m tests.web.stage PORT FOLDER [--stream] [--broken]`` serves it, as a process of its own.
"""

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox
from flask import Flask, Response, send_file

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
from kg.errors import StoreError
from kg.store import EmbeddedStore
from ontology import terms
from sparql.graph import Edge, Entity
from web.app import create_app
from web.ask.walks import walks_of
from web.connections import SLOW_S
from web.ending import when_told_to_stop
from web.serving import serve
from web.site import Site

ROOT = Path(__file__).parents[2]
LARGE = 1 << 24
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


def with_stream(app: Flask) -> Flask:
    """The pages, a stream at /stream that ends when the server is told to, and at /streams how many are being read."""
    open_streams: set[object] = set()
    told = threading.Event()
    when_told_to_stop(told.set)

    def events() -> Iterator[str]:
        token = object()
        open_streams.add(token)
        try:
            yield "data: first\n\n"
            while not told.wait(0.2):
                yield ": still here\n\n"
        finally:
            open_streams.discard(token)

    app.add_url_rule("/stream", "stream", lambda: Response(events(), content_type="text/event-stream"))
    app.add_url_rule("/streams", "streams", lambda: str(len(open_streams)))
    return app


def with_large(app: Flask, folder: Path) -> Flask:
    """The pages, and 16 MB at /large, which stand whole in memory, and at /file, which are read from one."""
    file = folder / "large.bin"
    file.write_bytes(bytes(LARGE))
    app.add_url_rule("/large", "large", lambda: Response(bytes(LARGE), content_type="text/csv"))
    app.add_url_rule("/file", "file", lambda: send_file(file))
    return app


def build(folder: Path, words: Sequence[str]) -> Flask:
    """What is served: ``--broken`` raises, ``--stream`` adds a stream to the pages, ``--large`` large answers."""
    if "--broken" in words:
        raise StoreError("the graph cannot be read")
    app = create_app(site_of(stage(folder)))
    app = with_large(app, folder) if "--large" in words else app
    return with_stream(app) if "--stream" in words else app


@contextmanager
def running(*words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """``python -m tests.web.stage``, ended in any case; its children end with it."""
    command = [sys.executable, "-m", "tests.web.stage", *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def said_port(process: "subprocess.Popen[bytes]") -> int:
    """The port in the line that says where the server is."""
    assert process.stdout is not None
    line = process.stdout.readline().decode()
    found = re.match(r"Scoutfly is at http://127\.0\.0\.1:(\d+) ", line)
    assert found, line
    return int(found[1])


if __name__ == "__main__":
    say = functools.partial(print, flush=True)
    slow_s = 3.0 if "--impatient" in sys.argv else SLOW_S
    try:
        serve(lambda _: build(Path(sys.argv[2]), sys.argv[3:]), "127.0.0.1", int(sys.argv[1]), say, slow_s=slow_s)
    except StoreError as error:
        say(str(error))
        sys.exit(1)
