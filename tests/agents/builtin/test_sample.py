"""Questions of the sample with media, answered by the built-in policy in a graph that holds the bundled one as well."""

from pathlib import Path

import pytest

from agents.builtin.policy import build_builtin_policy
from agents.domain import Domain
from agents.roles import Question
from agents.walk import walk
from kg.bundled import ensure_bundled, ensure_sample
from kg.home import Home
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    home = Home(Path(tmp_path_factory.mktemp("sample")) / "home")
    ensure_bundled(home)
    ensure_sample(home)
    return home.reader()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Which sound does the Drum make when it is struck softly?", "Soft Tap"),
        ("Which sound does the American Pika make when it is alarmed?", "Pika Call"),
        ("What does the Koala feed on?", "Eucalyptus Leaves"),
    ],
)
def test_the_answer_is_where_the_best_path_ends(store: EmbeddedStore, text: str, answer: str) -> None:
    result = walk(store, build_builtin_policy(store, WordLlamaEncoder(), Domain()), Question(text))
    assert result.paths[0].path.leaf.label == answer
