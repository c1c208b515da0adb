"""F18: nobody could try one question without a server of 400 GB.

The bundled graph and the built-in policy answer from a fresh home, in seconds, with every socket refused.
"""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.builtin.policy import build_builtin_policy
from agents.domain import load_domain
from agents.engine import Engine
from agents.roles import Question
from agents.runs import RunFolder
from kg.bundled import FOLDER, ensure_bundled
from kg.home import Home
from retrieval import encoder
from retrieval.encoder import WordLlamaEncoder


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No socket can be made, and what was loaded before is loaded again."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError("this test has no network")

    encoder._load_wordllama.cache_clear()
    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    yield
    encoder._load_wordllama.cache_clear()


@pytest.mark.usefixtures("offline")
def test_a_question_is_answered_from_an_empty_home(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    ensure_bundled(home)
    store = home.reader()
    policy = build_builtin_policy(store, WordLlamaEncoder(), load_domain(FOLDER / "domain.toml"))
    engine = Engine(store, lambda _name: policy, ("builtin",), RunFolder(tmp_path / "runs"))
    run_id, result = engine.ask(Question("Which attack of Rathian spits a ball of fire?"))
    assert result.topic.label == "Rathian"
    assert result.paths
    assert "fire" in result.answer.lower()
    assert engine.runs.load(run_id)["answer"] == result.answer


@pytest.mark.usefixtures("offline")
def test_the_sockets_are_really_refused() -> None:
    with pytest.raises(OSError, match="no network"):
        socket.create_connection(("127.0.0.1", 9))
