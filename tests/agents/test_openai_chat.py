"""The client against a real server on the loopback that answers by a script."""

import base64
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agents.chat import Message
from agents.errors import (
    EndpointFailed,
    EndpointRefused,
    EndpointUnreachable,
    MediaUnreadable,
    MissingKey,
    SettingsError,
    UnusableAnswer,
)
from agents.openai_chat import OpenAIChat, read_key
from agents.parsing import choices_schema
from tests.fakes import FakeEndpoint, Response, connect, fails, says

ASK = [Message("system", "You keep bees."), Message("user", "Which?")]
SCHEMA = choices_schema(3)


def test_an_answer_comes_with_its_cost() -> None:
    with connect(says(" 2 ", tokens=(30, 4))) as (chat, endpoint):
        reply = chat.complete(ASK, max_tokens=64, temperature=0.5)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens, reply.model) == ("2", 30, 4, "fake-1")
    assert reply.seconds > 0
    assert not reply.cached
    sent = endpoint.requests[0]
    assert sent["messages"] == [{"role": "system", "content": "You keep bees."}, {"role": "user", "content": "Which?"}]
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == ("some-model", 64, 0.5)
    assert "response_format" not in sent


def test_the_key_is_sent_and_is_part_of_no_name() -> None:
    with connect(says("2")) as (chat, endpoint):
        chat.complete(ASK)
        assert "secret" not in chat.identity
        assert "secret" not in repr(chat)
    assert endpoint.keys == ["Bearer sk-secret"]


def test_images_are_sent_as_data_urls_before_the_text(tmp_path: Path) -> None:
    picture = tmp_path / "frame.png"
    picture.write_bytes(b"\x89PNG bytes")
    with connect(says("a bee")) as (chat, endpoint):
        chat.complete([Message("user", "What is it?", (picture,))])
    shown, text = endpoint.requests[0]["messages"][0]["content"]
    assert shown["image_url"]["url"] == "data:image/png;base64," + base64.b64encode(b"\x89PNG bytes").decode()
    assert text == {"type": "text", "text": "What is it?"}


@pytest.mark.parametrize("name", ["missing.png", "clip.mp4"])
def test_what_cannot_be_shown_is_an_error_that_names_the_file(tmp_path: Path, name: str) -> None:
    with connect(says("a bee")) as (chat, _), pytest.raises(MediaUnreadable, match=name):
        chat.complete([Message("user", "What is it?", (tmp_path / name,))])


def test_the_schema_is_sent_where_the_endpoint_takes_it() -> None:
    with connect(says('{"choices": [2]}')) as (chat, endpoint):
        chat.complete(ASK, schema=SCHEMA)
    assert endpoint.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert endpoint.requests[0]["messages"][-1]["content"] == "Which?"


@pytest.mark.parametrize("status", [400, 422, 501])
def test_a_schema_that_is_refused_goes_into_the_prompt_and_that_is_remembered(status: int) -> None:
    def endpoint_without_schemas(body: Mapping[str, Any]) -> Response:
        return (
            fails(status, "response_format: unknown field") if "response_format" in body else says('{"choices": [2]}')
        )

    with connect(endpoint_without_schemas) as (chat, endpoint):
        assert chat.complete(ASK, schema=SCHEMA).text == '{"choices": [2]}'
        chat.complete(ASK, schema=SCHEMA)
    assert ["response_format" in request for request in endpoint.requests] == [True, False, False]
    assert '"choices"' in endpoint.requests[1]["messages"][-1]["content"]


def test_newer_parameter_names_are_learnt() -> None:
    def endpoint_of_a_thinking_model(body: Mapping[str, Any]) -> Response:
        if "max_tokens" in body:
            return fails(400, "Unsupported parameter: use 'max_completion_tokens' instead.", param="max_tokens")
        if "temperature" in body:
            return fails(400, "Unsupported value: only the default is supported.", param="temperature")
        return says("2")

    with connect(endpoint_of_a_thinking_model) as (chat, endpoint):
        assert chat.complete(ASK, max_tokens=77, schema=SCHEMA).text == "2"
        assert chat.complete(ASK, max_tokens=77).text == "2"
    assert len(endpoint.requests) == 4
    assert endpoint.requests[-1]["max_completion_tokens"] == 77
    assert "response_format" in endpoint.requests[2], "a schema is not given up for another parameter's sake"


def test_a_refusal_for_another_reason_is_not_blamed_on_the_schema() -> None:
    script = (fails(400, "context too long"), fails(400, "context too long"), says('{"choices": [1]}'))
    with connect(*script) as (chat, endpoint):
        with pytest.raises(EndpointRefused, match="context too long"):
            chat.complete(ASK, schema=SCHEMA)
        chat.complete(ASK, schema=SCHEMA)
    assert "response_format" in endpoint.requests[-1]


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "SCOUTFLY_API_KEY"), (403, "key may not"), (404, "model's name"), (413, "too long")]
)
def test_a_refused_request_says_what_to_check_and_is_not_sent_again(status: int, advice: str) -> None:
    with connect(fails(status, "nope")) as (chat, endpoint), pytest.raises(EndpointRefused, match=advice) as raised:
        chat.complete(ASK)
    assert raised.value.status == status
    assert "\n" not in str(raised.value)
    assert len(endpoint.requests) == 1


def test_a_spent_account_is_not_asked_again() -> None:
    with (
        connect(fails(429, "You exceeded your quota", code="insufficient_quota")) as (chat, endpoint),
        pytest.raises(EndpointRefused, match="quota"),
    ):
        chat.complete(ASK)
    assert len(endpoint.requests) == 1


def test_nothing_at_the_address_is_said_at_once() -> None:
    with FakeEndpoint(says("2")) as gone:
        address = gone.base_url
    with (
        OpenAIChat("m", base_url=address, api_key="none") as chat,
        pytest.raises(EndpointUnreachable, match=r"no endpoint answers at .*: start it, or check --base-url"),
    ):
        chat.complete(ASK)


def test_an_endpoint_that_goes_away_is_given_time_to_come_back() -> None:
    with connect(says("2"), attempts=3) as (chat, endpoint):
        chat.complete(ASK)
        endpoint.stop()
        with pytest.raises(EndpointFailed, match="connection"):
            chat.complete(ASK)


def test_a_web_page_instead_of_a_completion_is_explained() -> None:
    page = Response("<html>Welcome</html>", content_type="text/html")
    with connect(page) as (chat, endpoint), pytest.raises(EndpointFailed, match="most end in /v1"):
        chat.complete(ASK)
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("body", ['{"error": {"message": "overloaded"}}', '{"choices": []}', '{"choices": null}', "[]"])
def test_an_error_under_the_guise_of_success_is_an_error(body: str) -> None:
    with connect(Response(body)) as (chat, _), pytest.raises(EndpointFailed, match="other than a chat completion"):
        chat.complete(ASK)


def test_a_model_that_declines_is_no_answer() -> None:
    with (
        connect(says(None, refusal="I cannot help with that")) as (chat, endpoint),
        pytest.raises(UnusableAnswer, match="declined to answer: I cannot help") as raised,
    ):
        chat.complete(ASK)
    assert len(endpoint.requests) == 1
    assert raised.value.reply is not None
    assert raised.value.reply.prompt_tokens == 20


def test_many_threads_share_one_client() -> None:
    barrier = threading.Barrier(8, timeout=5)

    def together(body: Mapping[str, Any]) -> Response:
        barrier.wait()
        return says(body["messages"][0]["content"])

    with connect(together) as (chat, _), ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: chat.complete([Message("user", f"q{n}")]).text, range(8)))
    assert texts == [f"q{n}" for n in range(8)]


def test_the_key_comes_from_the_environment() -> None:
    remote = "https://llm.example.org/v1"
    assert read_key({"OPENAI_API_KEY": "b", "SCOUTFLY_API_KEY": " a "}, remote) == "a"
    assert read_key({"OPENAI_API_KEY": "b"}, remote) == "b"
    assert read_key({}, "http://localhost:11434/v1")
    with pytest.raises(MissingKey, match=r"no key for https://llm\.example\.org/v1: set SCOUTFLY_API_KEY"):
        read_key({"SCOUTFLY_API_KEY": ""}, remote)


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(SettingsError, match="localhost:8000"):
        OpenAIChat("m", base_url="localhost:8000/v1", api_key="none")


@pytest.mark.parametrize("address", ["http://[::1", "http://localhost:port/v1", "http://localhost:99999/v1"])
def test_a_broken_address_is_one_error_whoever_reads_it_first(address: str) -> None:
    with pytest.raises(SettingsError, match="is no base URL"):
        read_key({}, address)
    with pytest.raises(SettingsError, match="is no base URL"):
        OpenAIChat("m", base_url=address, api_key="none")
