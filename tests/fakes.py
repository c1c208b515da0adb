"""Stand-ins that several tests share: a chat model that says what it is told to, an endpoint that misbehaves."""

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
from sparql.graph import Caption, Edge, Entity, Fact, Relation

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
