"""From which cosine on two texts speak of the same thing: names and descriptions of MarKG without a word in common.

    python -m benchmarks.unrelated_texts ../shared/data/markg

A name beside its own description says how many true pairs a threshold keeps; beside five descriptions drawn at random
(seed 0), how many untrue ones it lets through. Pages of Wikimedia's own housekeeping are left out.
"""

import random
from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from retrieval.encoder import WordLlamaEncoder
from retrieval.lexicon import stem, words

_DRAWN = 5
_HOUSEKEEPING = ("Category:", "Template:", "Portal:", "WikiProject")
_THRESHOLDS = (0.20, 0.25, 0.30, 0.32, 0.35, 0.40, 0.50)
Cosines = npt.NDArray[np.float32]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Prints the share of true and of untrue pairs that reach each threshold."""
    own, other = cosines(_read(folder / "entity2text.txt"), _read(folder / "entity2textlong.txt"))
    click.echo(f"{len(own)} true pairs, {len(other)} untrue; 99.9 % of these below {np.quantile(other, 0.999):.4f}")
    for threshold in _THRESHOLDS:
        click.echo(f"{threshold:.2f}  true {(own >= threshold).mean():.4f}  untrue {(other >= threshold).mean():.4f}")


def cosines(labels: Mapping[str, str], descriptions: Mapping[str, str]) -> tuple[Cosines, Cosines]:
    """The cosines of the true and of the untrue pairs that share no stem."""
    ids = [
        key
        for key in sorted(labels.keys() & descriptions.keys())
        if words(labels[key])
        and words(descriptions[key])
        and not labels[key].startswith(_HOUSEKEEPING)
        and "Wikimedia" not in descriptions[key]
    ]
    encoder = WordLlamaEncoder()
    names, texts = encoder.encode([labels[key] for key in ids]), encoder.encode([descriptions[key] for key in ids])
    name_stems, text_stems = [_stems(labels[key]) for key in ids], [_stems(descriptions[key]) for key in ids]
    draw = random.Random(0)
    untrue = ((one, draw.randrange(len(ids))) for one in range(len(ids)) for _ in range(_DRAWN))
    pairs = {
        True: [(one, one) for one in range(len(ids))],
        False: [(one, other) for one, other in untrue if one != other],
    }
    own, others = (
        np.array([names[one] @ texts[other] for one, other in pairs[true] if not name_stems[one] & text_stems[other]])
        for true in (True, False)
    )
    return own, others


def _stems(text: str) -> set[str]:
    return set(map(stem, words(text)))


def _read(file: Path) -> dict[str, str]:
    rows = (line.split("\t", 1) for line in file.read_text(encoding="utf-8").split("\n") if "\t" in line)
    return {key: text.strip() for key, text in rows}


if __name__ == "__main__":
    main()
