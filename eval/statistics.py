"""How sure a number is: intervals, tests between paired runs, corrections, agreement. The computing is scipy's.

Scores are one a question, in the order of the questions; two runs are compared question by question. Random draws are
seeded, so that the same scores give the same numbers to the last digit.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import stats

from eval.errors import EvaluationError

SEED = 20_251_130
RESAMPLES = 9_999
_EXACT_UP_TO = 12
"""Pairs that differ up to which all 2^n permutations are looked at."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}]"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two paired runs: ``difference`` is the mean of the first less that of the second, ``p`` two-sided."""

    difference: float
    p: float
    pairs: int


def interval(scores: Sequence[float], *, level: float = 0.95, seed: int = SEED) -> Interval:
    """
    The mean of scores with its bootstrap interval (BCa; percentile where that is not defined), questions resampled.

    Scores that are all alike have no spread to resample: the interval is the mean itself. Raises EvaluationError where
    there are none.
    """
    values = _values(scores)
    mean = float(values.mean())
    if np.ptp(values) == 0:
        return Interval(mean, mean, mean)
    for method in ("BCa", "percentile"):
        found = stats.bootstrap(
            (values,),
            np.mean,
            n_resamples=RESAMPLES,
            confidence_level=level,
            method=method,
            rng=np.random.default_rng(seed),
        ).confidence_interval
        if np.isfinite(found.low) and np.isfinite(found.high):
            break
    return Interval(mean, float(found.low), float(found.high))


def paired_permutation(first: Sequence[float], second: Sequence[float], *, seed: int = SEED) -> Comparison:
    """
    Whether two runs over the same questions differ in their means: each pair keeps or swaps its two scores.

    Exact for up to 12 pairs that differ, else by 9,999 random permutations. Raises EvaluationError where the runs are
    not of the same questions.
    """
    differences = _paired(first, second)
    moved = differences[differences != 0]
    difference = float(differences.mean())
    if not len(moved):
        return Comparison(difference, 1.0, len(differences))
    exact = len(moved) <= _EXACT_UP_TO
    found = stats.permutation_test(
        (moved, np.zeros(len(moved))),
        lambda a, b, axis: np.sum(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf if exact else RESAMPLES,
        rng=np.random.default_rng(seed),
    )
    return Comparison(difference, min(1.0, float(found.pvalue)), len(differences))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Comparison:
    """
    Whether two runs get different questions right, by the exact (binomial) test on those where one alone is right.

    Raises EvaluationError where the runs are not of the same questions.
    """
    differences = _paired([float(right) for right in first], [float(right) for right in second])
    only_first, only_second = int((differences > 0).sum()), int((differences < 0).sum())
    discordant = only_first + only_second
    p = float(stats.binomtest(only_first, discordant).pvalue) if discordant else 1.0
    return Comparison(float(differences.mean()), p, len(differences))


def holm(p_values: Sequence[float]) -> list[float]:
    """
    The p values of one table, corrected for their number by Holm's step-down method, in their order.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    corrected, worst = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = worst
    return corrected


def minimum_detectable(n: int, *, rate: float, discordant: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """
    The smallest difference in accuracy between two paired runs over ``n`` questions that a test would likely see.

    ``discordant`` is the share of questions on which they disagree, ``rate`` bounds it: of two runs with a mean
    accuracy ``rate`` at most 2 · min(rate, 1 - rate) of the questions can. Normal approximation of McNemar's test
    (Connor 1987, without its second-order term). Raises EvaluationError for shares that cannot be.
    """
    most = 2 * min(rate, 1 - rate)
    if n < 1 or not 0 < discordant <= most:
        raise EvaluationError(f"two runs with accuracy {rate:g} can disagree on 0 to {most:g} of the questions")
    z = stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)
    return min(float(discordant), float(z * sqrt(discordant / n)))


def agreement(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """The share of items to which two annotators gave the same label. Raises EvaluationError."""
    if len(first) != len(second) or not first:
        raise EvaluationError(f"annotators must label the same items: {len(first)} labels beside {len(second)}")
    return sum(a == b for a, b in zip(first, second, strict=True)) / len(first)


def cohens_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """
    Agreement beyond what the annotators' habits alone would give: 1 is perfect, 0 is chance (Cohen 1960).

    Where both gave one and the same label to everything, chance explains all of it and 1 is returned. Raises
    EvaluationError.

    >>> cohens_kappa("yyyynnnnnn", "yyynynnnnn")
    0.5833333333333333
    """
    observed = agreement(first, second)
    labels = set(first) | set(second)
    chance = sum((list(first).count(x) / len(first)) * (list(second).count(x) / len(second)) for x in labels)
    return 1.0 if chance == 1 else (observed - chance) / (1 - chance)


def _values(scores: Sequence[float]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    values = np.asarray(scores, dtype=np.float64)
    if not len(values) or not np.isfinite(values).all():
        raise EvaluationError("there are no scores to speak of: every question needs one, and it must be a number")
    return values


def _paired(first: Sequence[float], second: Sequence[float]) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    if len(first) != len(second):
        raise EvaluationError(f"the runs are not of the same questions: {len(first)} beside {len(second)}")
    return _values(first) - _values(second)
