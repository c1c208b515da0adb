"""The guide to importing: its files are what importers read, and its commands run in the order in which they stand."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from scoutfly import main
from tests.kg.media.stage import picture

GUIDE = (Path(__file__).parents[1] / "docs" / "importing.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    shlex.split(line)[1:]
    for block in re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.M | re.S)
    for line in block.splitlines()
]
HOWL = [["Name"] * 5, ["Howl", None, None, "It lifts its head and howls.", None]]
EDGES = [
    ["Head"] * 5,
    ["Zinogre", "has attack action of", None, None, "Howl"],
    ["Howl", "continues with attack action of", None, "is angry", "Slam"],
]
ANSWERS = ("Slow Drip", "Slow Drip", "Alien", "Alien", "Alien", "Slam")


def test_what_the_guide_says_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_workbook: Callable[..., Path]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_workbook(tmp_path / "mmkg" / "Zinogre" / "Node.xlsx", HOWL)
    write_workbook(tmp_path / "mmkg" / "Zinogre" / "Relations.xlsx", EDGES)
    (tmp_path / "photos").mkdir()
    for seed, name in enumerate(("robin", "spade", "hedge")):
        picture(tmp_path / "photos" / f"{name}.png", seed=seed)
    shown = {}
    for words in COMMANDS:
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{words}: {result.output}"
        shown[shlex.join(words)] = result.stdout
    answers = [text.splitlines()[0] for words, text in shown.items() if " ask " in words]
    assert len(answers) == len(ANSWERS)
    for answer, expected in zip(answers, ANSWERS, strict=True):
        assert expected in answer, f"{expected!r} is not in {answer!r}"
    (refused,) = re.findall(r"`(rejected: [^`]+)`", GUIDE)
    assert any(refused in text for text in shown.values())
    assert "media found 2, missing 0" in shown["--home birds media add more.csv"]
    assert "image: 3 items" in shown["--home birds index build"]
