"""Answers kept on disk."""

import logging
import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agents.cache import CachedChat
from agents.chat import Message, Reply
from agents.errors import EmptyAnswer
from tests.fakes import ScriptedChat

ASK = [Message("user", "Which?")]


class SlowChat(ScriptedChat):
    """Takes its time."""

    def complete(self, *args: object, **kwargs: object) -> Reply:
        time.sleep(0.05)
        return super().complete(*args, **kwargs)  # type: ignore[arg-type]


def test_a_kept_answer_is_marked_and_keeps_its_cost(tmp_path: Path) -> None:
    chat = CachedChat(ScriptedChat([Reply("2", "stop", 30, 4, 8.0, model="m")]), tmp_path)
    first, second = chat.complete(ASK), chat.complete(ASK)
    assert not first.cached
    assert second.cached
    assert (second.text, second.prompt_tokens, second.completion_tokens, second.model) == ("2", 30, 4, "m")
    assert second.seconds < 1, "the look-up's time, not the model's"
    assert (chat.hits, chat.misses) == (1, 1)


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    chat = CachedChat(ScriptedChat(["", "2"]), tmp_path)
    with pytest.raises(EmptyAnswer):
        chat.complete(ASK)
    assert chat.complete(ASK).text == "2"
    assert not any(path.name.startswith(".part") for path in tmp_path.rglob("*"))


def test_a_broken_file_counts_as_absent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    CachedChat(ScriptedChat(["2"]), tmp_path).complete(ASK)
    (file,) = tmp_path.rglob("*.json")
    for broken in ("", '{"text": "2', "[]", '{"unknown": 1}'):
        file.write_text(broken)
        chat = CachedChat(ScriptedChat(["3"]), tmp_path)
        with caplog.at_level(logging.WARNING):
            assert chat.complete(ASK).text == "3"
        assert str(file) in caplog.text
        assert CachedChat(ScriptedChat(["4"]), tmp_path).complete(ASK).text == "3"


def test_threads_that_ask_the_same_cost_one_call(tmp_path: Path) -> None:
    model = SlowChat(["2"])
    chat = CachedChat(model, tmp_path)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: chat.complete(ASK).text, range(8)))
    assert texts == ["2"] * 8
    assert len(model.asked) == 1


def test_threads_that_ask_different_things_do_not_wait_for_one_another(tmp_path: Path) -> None:
    barrier = threading.Barrier(4, timeout=5)

    class Together(ScriptedChat):
        def complete(self, *args: object, **kwargs: object) -> Reply:
            barrier.wait()
            return super().complete(*args, **kwargs)  # type: ignore[arg-type]

    chat = CachedChat(Together(["2"]), tmp_path)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: chat.complete(ASK, repeat=number), range(4)))
    assert chat.misses == 4


def _fill(folder: Path) -> None:
    chat = CachedChat(ScriptedChat(["x" * 100_000]), folder)
    for repeat in range(20):
        chat.complete(ASK, repeat=repeat)


def test_processes_may_share_a_folder(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(tmp_path,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=30)
    assert [worker.exitcode for worker in workers] == [0, 0]
    chat = CachedChat(ScriptedChat(["other"]), tmp_path)
    assert all(len(chat.complete(ASK, repeat=repeat).text) == 100_000 for repeat in range(20))
    assert chat.hits == 20
