"""What each mechanism of the built-in policy is worth: it is switched off, and the question list is asked again.

    python -m benchmarks.builtin_ablation --questions question_list.xlsx

Then how many paths to return, where nothing is known of how sure the ranking is; a ranking without a walk; and the
margin chosen on all monsters but the one that is asked about.
"""

import argparse
import math
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from agents.builtin.scoring import Weights
from benchmarks.bundled_graph import table
from benchmarks.question_scores import QuestionList, Score
from retrieval.encoder import WordLlamaEncoder

OFF: dict[str, dict[str, Any]] = {
    "label of an entity": {"label": 0.0},
    "caption of an entity": {"caption": 0.0},
    "what fits everything": {"usual": 0.0},
    "conditions stated or denied": {"condition": 0.0},
    "names in the question": {"mention": 0.0},
    "look of a phase": {"group": 0.0},
    "what goes on or has ended": {"repetition": 0.0},
    "what follows, what went before": {"follows": False},
    "follow-up that is shown": {"leap": math.inf},
    "relations and outcomes asked for": {"asked": math.inf, "covered": math.inf},
    "another topic": {"relatives": False},
    "comparisons": {"comparisons": False},
}
"""What is switched off, and by which weights."""
FIT = ("label of an entity", "caption of an entity")
MARGINS = (0.05, 0.1, 0.15, 0.2)
HEADER = ["", "P", "R", "paths", "dP", "dR"]


def main() -> int:
    path = _options().questions
    if not path.exists():
        print(f"skipped: there is no {path}")
        return 0
    asked, encoder = QuestionList(path), WordLlamaEncoder()
    whole = asked.score_builtin(encoder)
    without = {
        f"without: {name}": asked.score_builtin(encoder, weights=replace(Weights(), **off)) for name, off in OFF.items()
    }
    all_off = {name: value for what, off in OFF.items() if what not in FIT for name, value in off.items()}
    without["without: all but label and caption"] = asked.score_builtin(encoder, weights=replace(Weights(), **all_off))
    print(f"{len(asked.questions)} questions; one of them weighs {1 / len(asked.questions):.4f}\n")
    print(table(HEADER, [_row(name, score, whole) for name, score in {"the whole policy": whole, **without}.items()]))
    sure = {"always the best path": asked.score_builtin(encoder, margin=0.0)}
    fixed = {f"always {n}": asked.score_builtin(encoder, margin=math.inf, paths=n) for n in range(1, 6)}
    bare = {f"captions alone, no walk, {n} of them": asked.score_ranking(encoder, paths=n) for n in (1, 2, 5)}
    rows = {**sure, **fixed, **bare}
    print(f"\n{table(HEADER, [_row(name, score, whole) for name, score in rows.items()])}\n")
    by_margin = {margin: asked.score_builtin(encoder, margin=margin) for margin in MARGINS}
    print(table(HEADER, [_row(f"margin {margin}", score, whole) for margin, score in by_margin.items()]))
    print(f"\n{_held_out(by_margin, [question.topic for question in asked.questions])}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--questions", type=Path, required=True, metavar="PATH", help="the benchmark's question list")
    return parser.parse_args()


def _row(name: str, score: Score, whole: Score) -> list[str]:
    change = (
        ["", ""]
        if score is whole
        else [
            f"{score.precision - whole.precision:+.3f}",
            f"{score.recall - whole.recall:+.3f}",
        ]
    )
    return [name, f"{score.precision:.4f}", f"{score.recall:.4f}", f"{score.paths:.2f}", *change]


def _held_out(by_margin: dict[float, Score], topics: list[str]) -> str:
    """Each topic's questions with the margin that is best, by the mean of P and R, on those of all other topics."""
    precision, recall, chosen = [], [], Counter[float]()
    for topic in sorted(set(topics)):
        margin = max(by_margin, key=lambda margin: _quality(by_margin[margin], topics, without=topic))
        mine = [result for result, other in zip(by_margin[margin].results, topics, strict=True) if other == topic]
        precision += [result.precision for result in mine]
        recall += [result.recall for result in mine]
        chosen[margin] += 1
    picked = ", ".join(f"{margin} for {count}" for margin, count in sorted(chosen.items()))
    return (
        f"margin chosen on the other topics ({picked} of {len(set(topics))}): "
        f"P {fmean(precision):.4f}, R {fmean(recall):.4f}"
    )


def _quality(score: Score, topics: list[str], *, without: str) -> float:
    others = [result for result, topic in zip(score.results, topics, strict=True) if topic != without]
    return fmean(result.precision + result.recall for result in others)


if __name__ == "__main__":
    sys.exit(main())
