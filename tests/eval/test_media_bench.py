"""The leave-out protocol over real media: a graph drawn by the test, by the command and beneath it."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image, ImageDraw

from eval.leave_out import Rank
from eval.media_bench import Condition, Outcome
from eval.media_table import as_csv, markdown
from kg.home import Home
from scoutfly import main
from tests.kg.media.stage import tone
from tests.zoo import MAPPING, import_zoo, write_zoo


def drawn(path: Path, *, hue: int, shift: int) -> None:
    """A shape of one colour, a little elsewhere each time."""
    image = Image.new("RGB", (72, 72), "white")
    colour = tuple(int(part) for part in np.asarray(Image.new("HSV", (1, 1), (hue, 200, 200)).convert("RGB"))[0, 0])
    ImageDraw.Draw(image).polygon([(20 + shift, 60), (36, 10 + hue // 12 + shift), (54, 58 - shift)], fill=colour)
    image.save(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("zoo")
    names = [f"Animal {number}" for number in range(6)]
    said = [
        {
            "name": name,
            "home": "savanna",
            "calls": [
                {
                    "name": "Call",
                    "frames": [f"{number}-{frame}.png" for frame in range(3)],
                    "sounds": [f"{number}-{take}.wav" for take in range(2)],
                }
            ],
        }
        for number, name in enumerate(names)
    ]
    mapping = MAPPING.replace('{ file = "{sound}" }', '{ each = "sounds.*" }')
    write_zoo(found, said, mapping=mapping)  # type: ignore[arg-type]
    for number in range(6):
        for frame in range(3):
            drawn(found / "media" / f"{number}-{frame}.png", hue=number * 40, shift=frame * 2)
        for take in range(2):
            tone(found / "media" / f"{number}-{take}.wav", hertz=150.0 * 1.7**number * (1 + 0.01 * take))
    import_zoo(found, Home(found / "home"))
    return found


def bench(folder: Path, *words: str) -> str:
    result = CliRunner().invoke(main, ["--home", str(folder / "home"), "bench", "media", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_each_condition_has_a_row_and_each_query_a_record(folder: Path, tmp_path: Path) -> None:
    text = bench(folder, "--out", str(tmp_path))
    records = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    rows = [line for line in text.splitlines() if line.startswith("| image | classical |")]
    assert {row.split(" | ")[2] for row in rows} == {
        "unaltered",
        "mirrored",
        "rescaled",
        "recoloured",
        "noised",
        "altogether",
    }
    assert text == (tmp_path / "table.md").read_text()
    plain = [r for r in records if r["encoder"] == "classical" and r["alteration"] == "unaltered" and not r["grasp"]]
    for modality in ("image", "audio"):
        own = [record for record in plain if record["modality"] == modality and not record["strict"]]
        assert len(own) == 6
        assert all(record["entity_rank"] == 1 for record in own)
        assert all(record["topic_rank"] == 1 for record in own)
    assert sum(r["modality"] == "image + audio" for r in records) == 2 * 6 * 6
    chance = [r for r in records if r["encoder"] == "random" and r["modality"] == "image"]
    assert 0 < np.mean([record["entity_rank"] == 1 for record in chance]) < 0.5


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        bench(folder, "--out", str(tmp_path / name), "--image-encoder", "colour-histogram")
    for file in ("records.jsonl", "table.md", "table.csv"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_graph_in_which_nothing_can_be_held_out(tmp_path: Path) -> None:
    write_zoo(tmp_path)
    import_zoo(tmp_path, Home(tmp_path / "home"))
    for path in (tmp_path / "media").glob("*"):
        path.unlink()
    result = CliRunner().invoke(main, ["--home", str(tmp_path / "home"), "bench", "media"])
    assert result.exit_code == 1
    assert "no entity has two media items of a kind" in result.stderr


def test_the_table_by_hand() -> None:
    outcome = Outcome(Condition("image", "classical", "mirrored", strict=True), ("a", "b"), (Rank(1, 1), Rank(1, None)))
    assert markdown([outcome], "entity").splitlines()[2] == (
        "| image, all but one | classical | mirrored | no | 2 | 1.000 [1.000, 1.000] | 1.000 [1.000, 1.000] "
        "| 1.000 [1.000, 1.000] | 1.000 [1.000, 1.000] |"
    )
    assert as_csv([outcome]).splitlines()[1].startswith('entity,"image, all but one",classical,mirrored,no,2,1.000000')
    assert "0.500" in markdown([outcome], "topic")
