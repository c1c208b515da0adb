"""The examples of docs/http-api.md do what is said there."""

import json
import re
from pathlib import Path

from flask.testing import FlaskClient

DOCUMENT = Path(__file__).parents[3] / "docs" / "http-api.md"


def test_questions_are_answered_and_asked_after_as_documented(client: FlaskClient) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    bodies = [json.loads(body) for body in re.findall(r"-d '(\{.*?\})'", text)]
    assert [body.get("wait") for body in bodies] == [10, None]
    for body in bodies:
        # The words of the example are of another graph; what counts is what may be sent, and what comes.
        answer = client.post("/api/ask", json=body | {"question": "Q", "topic": ""})
        assert answer.status_code in (200, 202), answer.text
        said = answer.get_json()
        assert answer.headers["Location"] == said["links"]["self"]
        assert client.get(said["links"]["self"]).get_json()["run"] == said["run"]
        assert client.get(said["links"]["events"]).mimetype == "text/event-stream"
