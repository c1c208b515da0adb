"""Stand-ins that several tests share: a chat model that says what it is told to, an endpoint that misbehaves, players
of the walk's roles that answer from a table, and graphs written on one line.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pyoxigraph as ox

from agents.chat import DEFAULT_MAX_TOKENS, JsonSchema, Message, Reply, check_reply
from agents.openai_chat import OpenAIChat
from agents.pace import Pace
from agents.roles import (
    Answer,
    Call,
    Expansion,
    Overlay,
    Path,
    Perception,
    Policy,
    Question,
    ScoredPath,
    TopicChoice,
    Verdict,
)
from kg.store import EmbeddedStore
from ontology import terms
from ontology.catalogue import Relation
from sparql.graph import Caption, Edge, Entity, Fact

EX = "http://example.org/"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model was asked."""

    messages: tuple[Message, ...]
    schema: JsonSchema | None
    max_tokens: int
    temperature: float
    repeat: int

    @property
    def prompt(self) -> str:
        """All that was said to it."""
        return "\n".join(message.text for message in self.messages)


@dataclass(slots=True)
class ScriptedChat:
    """A chat model that gives the answers of a list, one a call, and remembers what it was asked.

    When the list is empty it repeats its last answer. An answer may be a Reply, for the finish reason.
    """

    answers: list[str | Reply]
    identity: str = "scripted"
    asked: list[Asked] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        temperature: float = 0.0,
        repeat: int = 0,
    ) -> Reply:
        with self._lock:
            self.asked.append(Asked(tuple(messages), schema, max_tokens, temperature, repeat))
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        reply = answer if isinstance(answer, Reply) else Reply(answer, prompt_tokens=100, completion_tokens=10)
        return check_reply(reply)


@dataclass(frozen=True, slots=True)
class Response:
    """What an endpoint answers: ``cut`` bytes of the body are never sent; ``delay_s`` passes before it speaks."""

    body: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    cut: int = 0
    content_type: str = "application/json"


Behaviour = Response | Callable[[Mapping[str, Any]], Response]


def says(
    text: str | None, *, finish_reason: str = "stop", tokens: tuple[int, int] = (20, 5), **message: object
) -> Response:
    """A well-formed completion with this text."""
    completion = {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "fake-1",
        "choices": [
            {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text, **message}}
        ],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }
    return Response(json.dumps(completion))


def fails(
    status: int, message: str = "no", *, param: str | None = None, code: str | None = None, **headers: str
) -> Response:
    """An error as OpenAI-compatible endpoints write it; header names are given with underscores."""
    body = json.dumps({"error": {"message": message, "type": "error", "param": param, "code": code}})
    return Response(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


class FakeEndpoint:
    """A real HTTP server on the loopback that answers chat completions by a script, one behaviour a request.

    The last behaviour repeats. ``requests`` are the bodies received, ``times`` when, ``keys`` their Authorization.
    """

    def __init__(self, *script: Behaviour) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self._stopped = False
        self.requests: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.keys: list[str] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint._answer(self, body)

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def base_url(self) -> str:
        """What a client is given."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Listens no more; connections that are open are answered no more either."""
        self._stopped = True
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    def _answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        if self._stopped:
            handler.close_connection = True
            return
        with self._lock:
            self.requests.append(body)
            self.times.append(time.monotonic())
            self.keys.append(handler.headers.get("Authorization", ""))
            behaviour = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        response = behaviour if isinstance(behaviour, Response) else behaviour(body)
        time.sleep(response.delay_s)
        payload = response.body.encode()
        try:
            handler.send_response(response.status)
            for name, value in response.headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Type", response.content_type)
            handler.send_header("Content-Length", str(len(payload)))
            handler.end_headers()
            handler.wfile.write(payload[: len(payload) - response.cut])
        except OSError:
            handler.close_connection = True  # the client did not wait
        if response.cut:
            handler.close_connection = True


@contextmanager
def connect(
    *script: Behaviour, attempts: int = 5, timeout_s: float = 5.0, wait_scale: float = 0.01, pace: Pace | None = None
) -> Iterator[tuple[OpenAIChat, FakeEndpoint]]:
    """An endpoint with a script, and a client of it whose waits are a hundredth of the usual."""
    with (
        FakeEndpoint(*script) as endpoint,
        OpenAIChat(
            "some-model",
            base_url=endpoint.base_url,
            api_key="sk-secret",
            attempts=attempts,
            timeout_s=timeout_s,
            wait_scale=wait_scale,
            pace=pace,
        ) as chat,
    ):
        yield chat, endpoint


def entity(
    label: str, *, iri: str = "", kind: str = "", context: str = "", caption: str = "", alt: Sequence[str] = ()
) -> Entity:
    """An entity; its IRI is made of its label where none is given, its class is ``EX + kind``."""
    return Entity(
        iri=ox.NamedNode(iri or EX + label.replace(" ", "-")),
        label=label,
        alt_labels=tuple(alt),
        types=(ox.NamedNode(EX + kind),) if kind else (),
        contexts=(context,) if context else (),
        captions=(Caption(caption),) if caption else (),
    )


def edge(head: Entity, relation: str, tail: Entity, *, condition: str = "", information: str = "") -> Edge:
    """An edge by the relation of that label, under that condition."""
    base = ox.NamedNode(EX + relation.replace(" ", "-"))
    iri = ox.NamedNode(f"{base.value}-{condition.replace(' ', '-')}") if condition else base
    facts = (Fact(ox.NamedNode(EX + "fact"), information=(information,)),) if information else ()
    node = ox.NamedNode(EX + condition.replace(" ", "-")) if condition else None
    return Edge(head.iri, Relation(iri, relation, base, relation, node, condition or None), tail, facts)


def little_graph(edges: str, *, topics: Sequence[str] = ("root",)) -> EmbeddedStore:
    """A graph of entities named by one word: ``"root>a a>b root-wet>a"`` has three edges, the last one conditioned."""
    base = ox.NamedNode(EX + "leads")
    triples = [ox.Triple(base, terms.BASE_RELATION, base), ox.Triple(base, terms.RDFS_LABEL, ox.Literal("leads to"))]
    for text in edges.split():
        left, _, tail = text.partition(">")
        head, _, condition = left.partition("-")
        relation = ox.NamedNode(f"{base.value}-{condition}") if condition else base
        triples += [
            ox.Triple(relation, terms.BASE_RELATION, base),
            ox.Triple(ox.NamedNode(EX + head), relation, ox.NamedNode(EX + tail)),
        ]
        if condition:
            node = ox.NamedNode(EX + condition)
            triples.append(ox.Triple(relation, terms.CONDITION, node))
    for topic in topics:
        triples.append(ox.Triple(ox.NamedNode(EX + topic), terms.RDF_TYPE, terms.TOPIC_ENTITY))
    return EmbeddedStore.from_quads(ox.Quad(*triple) for triple in triples)


def route(path: Path) -> str:
    """A path on one line: ``root>a>b``."""
    return ">".join(entity.label for entity in path.entities)


@dataclass(slots=True)
class FakeRoles:
    """All players of a walk over a :func:`little_graph`, by a table, with a call of five tokens for each answer.

    ``follow`` are the labels chosen from each entity (all of them where it is absent), ``sufficient`` the entities
    that the validator says Yes to, ``captions`` what it sees of them. ``before`` is told the role and the route (or
    the question) of each call as it begins, and may wait or raise. ``asked`` lists the same; ``overlays`` what each
    was told of captions.
    """

    follow: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sufficient: Sequence[str] = ()
    captions: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    topic: str = "root"
    before: Callable[[str, str], None] = lambda role, place: None
    asked: list[tuple[str, str]] = field(default_factory=list)
    overlays: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def policy(self) -> Policy:
        """The policy in which it plays every role."""
        return Policy("fake", self, self, self, self, self, self, {"kind": "fake"})

    def places(self, role: str) -> list[str]:
        """Where the role was asked, in order."""
        return [place for asked, place in self.asked if asked == role]

    def perceive(self, question: Question) -> Perception:
        return Perception("what is seen", self._call("perceiver", question.text))

    def select_topic(self, question: Question, topics: Sequence[Entity]) -> TopicChoice:
        calls = self._call("topic_selector", question.text)
        return TopicChoice(next((topic for topic in topics if topic.label == self.topic), None), calls)

    def expand(self, question: Question, path: Path, offer: Sequence[Edge], overlay: Overlay) -> Expansion:
        calls = self._call("expander", route(path), overlay)
        wanted = self.follow.get(path.leaf.label)
        chosen = tuple(n for n, edge in enumerate(offer) if wanted is None or edge.tail.label in wanted)
        scores = tuple(self.scores.get(offer[n].tail.label, 0.0) for n in chosen) if self.scores else ()
        return Expansion(chosen, scores, calls)

    def validate(self, question: Question, path: Path, overlay: Overlay) -> Verdict:
        calls = self._call("validator", route(path), overlay)
        return Verdict(path.leaf.label in self.sufficient, self.captions.get(path.leaf.label, ""), calls)

    def select_paths(self, question: Question, paths: Sequence[ScoredPath], limit: int) -> list[ScoredPath]:
        return list(paths[:limit])

    def summarize(self, question: Question, paths: Sequence[Path], overlay: Overlay) -> Answer:
        calls = self._call("summarizer", question.text, overlay)
        return Answer(", ".join(map(route, paths)), calls)

    def _call(self, role: str, place: str, overlay: Overlay | None = None) -> tuple[Call, ...]:
        with self._lock:
            self.asked.append((role, place))
            if overlay is not None:
                self.overlays.append((role, place, {iri.value.removeprefix(EX): text for iri, text in overlay.items()}))
        self.before(role, place)
        return (Call(role, "fake", answer=place, prompt_tokens=3, completion_tokens=2),)
