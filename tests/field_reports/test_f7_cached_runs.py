"""F7: a cached run had no score, failed where all was cached, or made all repeats of a question one."""

from pathlib import Path as FilePath

import pytest

from agents.cache import CachedChat, cache_key
from agents.chat import Message
from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey")), edge(BEAR, "eats", entity("Salmon"))]
ASK = [Message("user", "Which?")]
KEY = {"schema": None, "max_tokens": 10, "temperature": 0.0, "repeat": 0}


def test_the_second_run_equals_the_first_without_asking(tmp_path: FilePath) -> None:
    model = ScriptedChat(["nonsense", '{"choices": [2]}'])
    runs = []
    for _ in range(2):
        policy = build_llm_policy({"default": CachedChat(model, tmp_path)}, Domain())
        runs.append(policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {}))
    first, second = runs
    assert len(model.asked) == 2, "the answer and its mending, once"
    assert first.chosen == second.chosen == (1,)
    assert [call.answer for call in first.calls] == [call.answer for call in second.calls]
    assert [call.problem for call in first.calls] == [call.problem for call in second.calls]
    assert [call.prompt_tokens for call in first.calls] == [call.prompt_tokens for call in second.calls]
    assert [call.cached for call in second.calls] == [True, True]


def test_repeats_stay_apart(tmp_path: FilePath) -> None:
    chat = CachedChat(ScriptedChat(["one", "two", "three"]), tmp_path)
    texts = [chat.complete(ASK, repeat=repeat).text for repeat in (0, 1, 2, 0, 1, 2)]
    assert texts == ["one", "two", "three"] * 2
    assert (chat.hits, chat.misses) == (3, 3)


@pytest.mark.parametrize(
    "change", [{"schema": {"type": "object"}}, {"max_tokens": 11}, {"temperature": 0.1}, {"repeat": 1}]
)
def test_every_parameter_is_in_the_key(change: dict[str, object]) -> None:
    assert cache_key("m", ASK, **KEY) != cache_key("m", ASK, **{**KEY, **change})  # type: ignore[arg-type]


def test_the_model_the_prompt_and_the_bytes_of_images_are_in_the_key(tmp_path: FilePath) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(b"one")
    keys = {cache_key("m", ASK, **KEY), cache_key("other", ASK, **KEY)}  # type: ignore[arg-type]
    keys.add(cache_key("m", [Message("user", "What?")], **KEY))  # type: ignore[arg-type]
    keys.add(cache_key("m", [Message("system", "Which?")], **KEY))  # type: ignore[arg-type]
    keys.add(cache_key("m", [Message("user", "Which?", (picture,))], **KEY))  # type: ignore[arg-type]
    picture.write_bytes(b"two")
    keys.add(cache_key("m", [Message("user", "Which?", (picture,))], **KEY))  # type: ignore[arg-type]
    assert len(keys) == 6
    copy = tmp_path / "b.png"
    copy.write_bytes(b"two")
    assert cache_key("m", [Message("user", "Which?", (copy,))], **KEY) in keys, "a name is no content"  # type: ignore[arg-type]
