"""A model server that always takes the same time: an OpenAI-compatible endpoint in a process of its own.

It answers every request after ``delay_s``, as many at a time as come, and knows nothing of what it is asked: of
numbered choices it takes the first few (of a single choice the last), to yes or no it says no, so that a walk goes on
until nothing is left to expand.
"""

import json
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any


@contextmanager
def serve_model(*, delay_s: float, choices: int) -> Iterator[str]:
    """Runs the server until the block ends; gives its base URL."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, delay_s, choices), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def _serve(port: Connection, delay_s: float, choices: int) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16  # one packet an answer: two of them wait 40 ms for each other (Nagle, delayed ACK)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            time.sleep(delay_s)
            payload = json.dumps(_completion(_answer(body, choices))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    port.send(server.server_address[1])
    server.serve_forever()


def _answer(body: dict[str, Any], choices: int) -> str:
    """What the schema of the request allows."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    properties = schema.get("properties", {})
    if "choices" in properties:
        return json.dumps({"choices": properties["choices"]["items"]["enum"][:choices]})
    if "choice" in properties:
        return json.dumps({"choice": properties["choice"]["enum"][-1]})
    return json.dumps({"answer": "no"}) if properties else "It turns and strikes again."


def _completion(text: str) -> dict[str, object]:
    return {
        "id": "completion",
        "object": "chat.completion",
        "created": 0,
        "model": "same-time",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
