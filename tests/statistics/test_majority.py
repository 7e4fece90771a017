"""How often the majority is right: against enumeration, closed forms, SciPy and simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, binom

from classica import majority_accuracy
from classica.errors import ParameterError

share = st.integers(0, 20).map(lambda k: k / 20)


def enumerated(shares):
    """Go through all ways of being right and wrong."""
    total = 0.0
    for right in product([0, 1], repeat=len(shares)):
        chance = np.prod([p if hit else 1 - p for p, hit in zip(shares, right, strict=True)])
        total += chance * (0.5 + 0.5 * np.sign(2 * sum(right) - len(right)))
    return total


@given(st.lists(share, min_size=1, max_size=9))
def test_several_accuracies_are_all_ways_of_being_right(shares):
    assert majority_accuracy(shares) == pytest.approx(enumerated(shares), abs=1e-14)


@given(share, st.integers(1, 60))
def test_one_accuracy_is_the_binomial_tail(p, n):
    tail = binom.sf(n // 2, n, p) + (0.5 * binom.pmf(n // 2, n, p) if n % 2 == 0 else 0)
    assert majority_accuracy(p, n) == pytest.approx(tail, rel=1e-12, abs=1e-15)
    assert majority_accuracy([p] * n) == pytest.approx(tail, rel=1e-12, abs=1e-15)


@given(st.integers(1, 19).map(lambda k: k / 20), st.integers(1, 60), st.integers(1, 19).map(lambda k: k / 20))
def test_correlated_members_are_the_beta_binomial_tail(p, n, correlation):
    known = betabinom(n, p * (1 / correlation - 1), (1 - p) * (1 / correlation - 1))
    tail = known.sf(n // 2) + (0.5 * known.pmf(n // 2) if n % 2 == 0 else 0)
    assert majority_accuracy(p, n, correlation=correlation) == pytest.approx(tail, rel=1e-10)


def test_correlation_is_that_of_any_two_members():
    """Rows differ in how hard they are, by the beta distribution that goes with the correlation."""
    p, n, correlation = 0.65, 7, 0.2
    rng = np.random.default_rng(0)
    how_easy = rng.beta(p * (1 / correlation - 1), (1 - p) * (1 / correlation - 1), size=400_000)
    right = rng.random((n, len(how_easy))) < how_easy
    assert np.corrcoef(right)[np.triu_indices(n, 1)] == pytest.approx(correlation, abs=0.01)
    measured = (2 * right.sum(axis=0) > n).mean()
    assert majority_accuracy(p, n, correlation=correlation) == pytest.approx(measured, abs=0.004)


def test_small_correlations_lead_to_independence_and_full_ones_to_a_single_member():
    assert majority_accuracy(0.7, 101, correlation=1e-14) == pytest.approx(
        majority_accuracy(0.7, 101), rel=1e-9
    )
    assert majority_accuracy(0.7, 101, correlation=1) == 0.7
    assert majority_accuracy(0.7, 101, correlation=1 - 1e-9) == pytest.approx(0.7, rel=1e-6)
    assert majority_accuracy([0.6, 0.8], correlation=1) == pytest.approx(0.7)


def test_correlated_members_of_several_accuracies_count_with_their_mean():
    mixed = majority_accuracy([0.6, 0.7, 0.8], correlation=0.1)
    assert mixed == pytest.approx(majority_accuracy(0.7, 3, correlation=0.1), rel=1e-14)


@given(st.integers(1, 60))
def test_members_no_better_than_chance_gain_nothing(n):
    assert majority_accuracy(0.5, n) == pytest.approx(0.5, abs=1e-13)
    assert majority_accuracy(0.5, n, correlation=0.3) == pytest.approx(0.5, abs=1e-13)


@given(share, st.integers(1, 40))
def test_better_members_and_worse_ones_mirror_each_other(p, n):
    assert majority_accuracy(p, n) + majority_accuracy(1 - p, n) == pytest.approx(1, abs=1e-12)


def test_a_pair_is_as_good_as_one_of_it():
    assert majority_accuracy(0.7, 2) == pytest.approx(0.7)
    assert majority_accuracy([0.6, 0.9]) == pytest.approx(0.75)


def test_the_ends():
    for n in (1, 2, 5, 1000):
        assert majority_accuracy(1, n) == 1
        assert majority_accuracy(0, n) == 0
        assert majority_accuracy(1.0, n, correlation=0.5) == pytest.approx(1)
    assert majority_accuracy([1, 0, 1]) == 1


def test_large_numbers_keep_their_digits():
    n = 100_001
    assert majority_accuracy(0.501, n) == pytest.approx(binom.sf(n // 2, n, 0.501), rel=1e-11)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0.7,), {}, "n must be an integer of at least 1 for a single p, got None."),
        ((0.7, 0), {}, "n must be an integer of at least 1 for a single p, got 0."),
        ((0.7, 2.5), {}, "n must be an integer of at least 1 for a single p, got 2.5."),
        ((1.1, 3), {}, "p must be a number from 0 to 1, or a sequence of such, got 1.1."),
        (("a", 3), {}, "p must be a number from 0 to 1, or a sequence of such, got 'a'."),
        (([0.5, -0.1],), {}, "p must be a number from 0 to 1, or a sequence of such, got -0.1."),
        (([],), {}, "p must be a number from 0 to 1, or a sequence of such, got []."),
        (([np.nan],), {}, "p must be a number from 0 to 1, or a sequence of such, got [nan]."),
        (([0.5], 3), {}, "n must be None where every member has its own p, got 3."),
        ((0.7, 3), {"correlation": -0.1}, "correlation must be a number from 0 to 1, got -0.1."),
        ((0.7, 3), {"correlation": None}, "correlation must be a number from 0 to 1, got None."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(arguments, options, message):
    with pytest.raises(ParameterError) as refused:
        majority_accuracy(*arguments, **options)
    assert str(refused.value) == message
