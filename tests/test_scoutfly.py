"""The command line as it is put together: what ``ask`` says and refuses, and which policies the engine offers."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agents.app import ModelOptions
from kg.home import Home
from scoutfly import Scoutfly, main
from tests.conftest import OxigraphServer


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the bundled graph."""
    folder = tmp_path_factory.mktemp("home")
    _ = Scoutfly(folder, say=lambda line: None).home
    return folder


def run(home: Path, *words: str) -> Result:
    return CliRunner(env={"SCOUTFLY_MODEL": "", "SCOUTFLY_BASE_URL": ""}).invoke(main, ["--home", str(home), *words])


@pytest.mark.parametrize("question", ["", " \n "])
def test_a_blank_question_is_refused_in_one_line_and_nothing_is_kept(home: Path, question: str) -> None:
    before = sorted(home.glob("runs/*"))
    result = run(home, "ask", question, "--topic", "Zinogre")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: the question is empty: write what you want to know\n"
    assert sorted(home.glob("runs/*")) == before


def test_a_topic_that_was_chosen_is_said_to_be(home: Path) -> None:
    words = ("ask", "Which attack phases has Zinogre?")
    assert "\nTopic: Zinogre (chosen)\n" in run(home, *words).stdout
    assert "\nTopic: Zinogre\n" in run(home, *words, "--topic", "Zinogre").stdout
    assert json.loads(run(home, *words, "--json").stdout)["topic_chosen"] is True


def test_the_llm_policy_is_offered_only_with_a_model(home: Path) -> None:
    app = Scoutfly(home)
    assert app.engine().policies == app.engine(ModelOptions()).policies == ("builtin",)
    assert app.engine().missing == {"llm": "start the server with --model"}
    with_model = app.engine(ModelOptions(models={"default": "some-model"}))
    assert (with_model.policies, with_model.missing) == (("llm", "builtin"), {})


def test_asking_the_llm_policy_without_a_model_says_what_to_give(home: Path) -> None:
    result = run(home, "ask", "Why?", "--policy", "llm")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: the llm policy needs a model: give --model NAME")


def test_what_the_machine_refuses_is_one_line(tmp_path: Path) -> None:
    _ = Scoutfly(tmp_path, say=lambda line: None).home
    (tmp_path / "runs").write_text("a file where the runs should be")
    result = run(tmp_path, "ask", "Which attacks has Rathian?", "--topic", "Rathian")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {tmp_path / 'runs'}")
    assert result.stderr.endswith(": Not a directory\n")
    assert result.stderr.count("\n") == 1
    assert isinstance(
        CliRunner().invoke(main, ["--home", str(tmp_path), "--debug", "ask", "Rathian?"]).exception, OSError
    )


@pytest.mark.parametrize("command", [("stats",), ("infer",), ("ask", "Rathian?")])
def test_a_damaged_store_is_one_line(tmp_path: Path, command: tuple[str, ...]) -> None:
    _ = Scoutfly(tmp_path, say=lambda line: None).home
    for table in tmp_path.glob("generations/*/*.sst"):
        table.write_bytes(table.read_bytes()[:10])
    result = run(tmp_path, *command)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert "cannot be opened" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.server
def test_a_graph_behind_an_endpoint_answers_as_the_home_does(
    home: Path, tmp_path: Path, oxigraph_server: OxigraphServer
) -> None:
    with Home(home).snapshot() as snapshot:
        oxigraph_server.fill(snapshot.asserted_quads())
    (tmp_path / "domain.toml").write_bytes((home / "domain.toml").read_bytes())
    question = ("ask", "What can stop Diablos while it is burrowed underground?", "--json")
    here = json.loads(run(home, *question).stdout)
    there = json.loads(run(tmp_path, "--endpoint", oxigraph_server.query_url, *question).stdout)
    assert there["paths"] == here["paths"] != []
    assert not (tmp_path / "generations").exists()


def test_an_endpoint_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path, "--endpoint", "http://127.0.0.1:9/query", "ask", "Why?")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert "http://127.0.0.1:9/query" in result.stderr
    assert result.stderr.count("\n") == 1
