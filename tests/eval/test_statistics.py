"""Intervals, tests and agreement: against scipy's own figures, and against cases worked out by hand."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from eval.errors import EvaluationError
from eval.statistics import (
    agreement,
    cohens_kappa,
    holm,
    interval,
    mcnemar,
    minimum_detectable,
    paired_permutation,
)


def test_an_interval_holds_its_mean_and_is_the_same_each_time() -> None:
    scores = [0.0, 1.0, 1.0, 0.5, 0.0, 1.0, 0.25, 1.0]
    found = interval(scores)
    assert found.mean == pytest.approx(float(np.mean(scores)))
    assert found.low < found.mean < found.high
    assert found == interval(scores)


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(100):
        found = interval(random.binomial(1, 0.6, size=80).astype(float).tolist(), level=0.9)
        hits += found.low <= 0.6 <= found.high
    assert 82 <= hits <= 97


def test_scores_that_are_all_alike_have_no_interval() -> None:
    found = interval([1.0] * 5)
    assert (found.mean, found.low, found.high) == (1.0, 1.0, 1.0)


def test_no_scores_and_no_numbers_are_refused() -> None:
    for scores in ([], [0.5, float("nan")]):
        with pytest.raises(EvaluationError):
            interval(scores)


def test_a_permutation_test_of_few_pairs_is_exact() -> None:
    first, second = [1.0, 0.9, 0.4, 0.8, 0.5], [0.2, 0.5, 0.6, 0.1, 0.5]
    differences = np.array(first) - np.array(second)
    moved = differences[differences != 0]
    sums = [abs(float(np.dot(signs, moved))) for signs in product((1, -1), repeat=len(moved))]
    expected = sum(total >= abs(moved.sum()) - 1e-12 for total in sums) / len(sums)
    found = paired_permutation(first, second)
    assert found.p == pytest.approx(expected)
    assert found.difference == pytest.approx(float(differences.mean()))
    assert found.pairs == 5


def test_many_pairs_agree_with_the_signed_rank_test_of_the_same_question() -> None:
    random = np.random.default_rng(3)
    first = random.normal(0.6, 0.1, 60)
    second = first - random.normal(0.05, 0.1, 60)
    found = paired_permutation(first.tolist(), second.tolist())
    assert found.p == pytest.approx(stats.ttest_rel(first, second).pvalue, abs=0.01)
    assert found == paired_permutation(first.tolist(), second.tolist())


def test_runs_that_are_alike_do_not_differ() -> None:
    assert paired_permutation([0.5, 1.0], [0.5, 1.0]).p == 1.0
    assert mcnemar([True, False], [True, False]).p == 1.0


def test_mcnemar_by_hand() -> None:
    """Nine questions that the first alone gets right, one that the second alone does: 2 · (1 + 10) / 2^10."""
    first = [True] * 9 + [False] + [True] * 20
    second = [False] * 9 + [True] + [True] * 20
    found = mcnemar(first, second)
    assert found.p == pytest.approx(22 / 1024)
    assert found.difference == pytest.approx(8 / 30)


def test_runs_of_other_questions_cannot_be_compared() -> None:
    with pytest.raises(EvaluationError, match="not of the same questions: 2 beside 1"):
        paired_permutation([0.0, 1.0], [1.0])


def test_holm_keeps_the_order_and_never_exceeds_one() -> None:
    assert holm([0.5, 0.01, 0.9, 0.02]) == pytest.approx([1.0, 0.04, 1.0, 0.06])
    assert holm([]) == []


def test_the_minimum_detectable_effect_shrinks_with_the_root_of_the_number() -> None:
    small, large = (minimum_detectable(n, rate=0.5, discordant=0.3) for n in (238, 4 * 238))
    assert small == pytest.approx((1.959964 + 0.841621) * (0.3 / 238) ** 0.5, rel=1e-5)
    assert small == pytest.approx(2 * large)
    with pytest.raises(EvaluationError):
        minimum_detectable(238, rate=0.9, discordant=0.3)


def test_the_minimum_detectable_effect_is_one_that_is_detected_four_times_in_five() -> None:
    random = np.random.default_rng(5)
    n, discordant = 238, 0.3
    effect = minimum_detectable(n, rate=0.5, discordant=discordant)
    seen = 0
    for _ in range(400):
        only_first, only_second, _ = random.multinomial(
            n, [(discordant + effect) / 2, (discordant - effect) / 2, 1 - discordant]
        )
        seen += (
            mcnemar([True] * only_first + [False] * only_second, [False] * only_first + [True] * only_second).p < 0.05
        )
    assert 0.7 <= seen / 400 <= 0.88


def test_kappa_by_hand() -> None:
    """Cohen's own arithmetic: both say yes 20 times, both no 15, one of them alone 5 and 10 times."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert agreement(first, second) == pytest.approx(0.7)
    assert cohens_kappa(first, second) == pytest.approx(0.4)
    assert cohens_kappa(["a"] * 3, ["a"] * 3) == 1.0
    assert cohens_kappa(["a", "b"], ["b", "a"]) == -1.0
    with pytest.raises(EvaluationError, match="same items"):
        agreement(["a"], [])
