"""The bounds of nearest neighbours, forwards and backwards, and the bracket they give."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from classica import KNeighborsClassifier
from classica.errors import ParameterError
from classica.statistics import (
    bayes_error_bracket,
    cover_hart_lower,
    cover_hart_upper,
    excess_factor,
    two_class_odd_k_upper,
)


def printed_sum(e: float, k: int) -> float:
    """The lecture's sum, as printed."""
    return sum(
        comb(k, i) * (e ** (i + 1) * (1 - e) ** (k - i) + e ** (k - i) * (1 - e) ** (i + 1))
        for i in range((k + 1) // 2)
    )


def test_golden_value():
    assert cover_hart_upper(0.1, 2) == pytest.approx(0.18, abs=1e-15)
    assert cover_hart_lower(0.18, 2) == pytest.approx(0.1, abs=1e-15)
    assert cover_hart_upper(0.1, 10) == pytest.approx(0.2 - 0.01 * 10 / 9, abs=1e-15)


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_cover_hart_bounds_are_inverse_monotone_and_meet_at_chance(classes):
    chance = (classes - 1) / classes
    bayes = np.linspace(0, chance, 201)
    upper = np.array([cover_hart_upper(e, classes) for e in bayes])
    back = np.array([cover_hart_lower(e, classes) for e in upper])
    assert (np.diff(upper) > 0).all()
    assert (upper >= bayes - 1e-15).all()
    assert (upper <= 2 * bayes).all()
    np.testing.assert_allclose(back[:-20], bayes[:-20], atol=1e-12)
    np.testing.assert_allclose(back, bayes, atol=1e-7)  # the root is steep at chance
    assert upper[-1] == pytest.approx(chance)


def test_the_lower_bound_keeps_small_errors_and_stops_at_chance():
    assert cover_hart_lower(1e-20, 2) == pytest.approx(5e-21, rel=1e-12)
    assert cover_hart_lower(0.0, 2) == 0
    assert cover_hart_lower(0.5, 2) == cover_hart_lower(1.0, 2) == 0.5
    assert cover_hart_lower(1.0, 10) == pytest.approx(0.9)


@pytest.mark.parametrize("e", [0.0, 0.03, 0.1, 0.37, 0.5])
def test_odd_k_bound_at_one_neighbour_is_that_of_cover_and_hart(e):
    assert two_class_odd_k_upper(e, 1) == pytest.approx(cover_hart_upper(e, 2), abs=1e-15)


@pytest.mark.parametrize("k", [3, 5, 7, 25, 101])
def test_odd_k_bound_is_the_smallest_concave_one_above_the_printed_sum(k):
    grid = np.linspace(0, 0.5, 501)
    bound = np.array([two_class_odd_k_upper(e, k) for e in grid])
    printed = np.array([printed_sum(e, k) for e in grid])
    assert (bound >= printed - 1e-12).all()
    assert (np.diff(bound) > 0).all()
    assert (np.diff(bound, 2) <= 1e-12).all()
    np.testing.assert_allclose(bound, upper_hull(grid, printed), atol=2e-5)
    assert bound[-1] == pytest.approx(0.5)


def upper_hull(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The concave hull of points, by the monotone chain."""
    hull: list[int] = []
    for i in range(len(x)):
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            if (y[b] - y[a]) * (x[i] - x[a]) > (y[i] - y[a]) * (x[b] - x[a]):
                break
            hull.pop()
        hull.append(i)
    return np.interp(x, x[hull], y[hull])


def test_more_neighbours_have_a_smaller_bound_below_the_excess_factor():
    for e in (0.01, 0.1, 0.3):
        bounds = [two_class_odd_k_upper(e, k) for k in range(1, 40, 2)]
        assert (np.diff(bounds) <= 1e-15).all()
        assert all(
            e <= bound <= e * excess_factor(k) for bound, k in zip(bounds, range(1, 40, 2), strict=True)
        )


def test_excess_factor():
    assert excess_factor(8) == 2
    assert excess_factor(2) == 3
    assert excess_factor(800) == pytest.approx(1.1)


@pytest.mark.parametrize(("errors", "rows"), [(0, 50), (7, 50), (50, 50), (1, 1), (300, 4000)])
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_the_interval_of_the_measured_error_is_the_exact_one(errors, rows, confidence):
    bracket = bayes_error_bracket(errors, rows, 2, confidence=confidence)
    exact = binomtest(errors, rows).proportion_ci(confidence, method="exact")
    assert bracket.measured == errors / rows
    assert bracket.measured_interval == pytest.approx((exact.low, exact.high), abs=1e-10)
    assert bracket.lower == pytest.approx(cover_hart_lower(max(exact.low, 0), 2), abs=1e-9)
    assert bracket.upper == pytest.approx(min(exact.high, 0.5), abs=1e-10)


@pytest.mark.parametrize("k", [3, 7, 51])
def test_odd_k_lower_end_inverts_its_bound(k):
    bracket = bayes_error_bracket(180, 1000, 2, k=k)
    assert two_class_odd_k_upper(bracket.lower, k) == pytest.approx(bracket.measured_interval[0], abs=1e-10)
    assert bracket.lower > bayes_error_bracket(180, 1000, 2).lower


def test_even_k_lower_end_is_that_of_the_excess_factor():
    bracket = bayes_error_bracket(180, 1000, 2, k=8)
    assert bracket.lower == bracket.measured_interval[0] / 2


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("errors", [0, 90, 100])
def test_ends_stay_in_order_and_below_chance(k, errors):
    bracket = bayes_error_bracket(errors, 100, 2, k=k)
    assert 0 <= bracket.lower <= bracket.upper <= 0.5


@pytest.mark.parametrize("k", [1, 5])
def test_two_gaussians_are_bracketed(k):
    """Unit Gaussians at distance 2: the Bayes error is known."""
    truth = norm.cdf(-1)
    assert truth == pytest.approx(0.158655, abs=1e-6)
    brackets = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.arange(4000) % 2
        X = rng.standard_normal((4000, 2)) + np.outer(y, [2.0, 0.0])
        errors = KNeighborsClassifier(k).fit(X, y).leave_one_out_errors(k).decrease[k - 1]
        brackets.append(bayes_error_bracket(errors, 4000, 2, k=k))
    assert sum(bracket.lower <= truth <= bracket.upper for bracket in brackets) >= 18
    assert all(bracket.upper - bracket.lower < 0.16 for bracket in brackets)


def test_many_dimensions_put_the_bracket_too_high_and_the_best_model_caps_it():
    """Two classes a line separates, in 50 dimensions: the truth is 0, 1-NN is far from it."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 50))
    y = (X[:, 0] > 0).astype(int)
    errors = KNeighborsClassifier(1).fit(X, y).leave_one_out_errors(1).decrease[0]
    alone = bayes_error_bracket(errors, 600, 2)
    assert alone.lower > 0.1
    assert "n → ∞" in alone.note
    assert "not a guaranteed lower bound" in alone.note

    capped = bayes_error_bracket(errors, 600, 2, best_upper=0.3)
    assert (capped.lower, capped.upper) == (alone.lower, 0.3)
    assert "The upper end is the best model's" in capped.note

    refuted = bayes_error_bracket(errors, 600, 2, best_upper=0.02)
    assert (refuted.lower, refuted.upper) == (0, 0.02)
    assert f"The lower end was {alone.lower:.2%}, but the best model is better" in refuted.note


def test_a_cap_above_the_bracket_changes_nothing():
    assert bayes_error_bracket(10, 100, 3, best_upper=0.9) == bayes_error_bracket(10, 100, 3)


def test_the_sentence():
    text = str(bayes_error_bracket(180, 1000, 2))
    for fact in ("8.57% and 20.52%", "1-NN", "18.00%", "1,000 rows of 2 classes", "95% confidence"):
        assert fact in text
    assert "(99.5% confidence)" in str(bayes_error_bracket(1, 10, 2, confidence=0.995))


def test_numpy_counts_give_plain_numbers():
    bracket = bayes_error_bracket(np.int64(3), np.int64(10), np.int32(2))
    assert type(bracket.measured) is float
    assert type(bracket.lower) is float
    assert type(bracket.rows) is int


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cover_hart_upper(0.6, 2), "bayes_error must be a number from 0 to 0.5, got 0.6."),
        (lambda: cover_hart_upper(0.1, 1), "classes must be an integer of at least 2, got 1."),
        (lambda: cover_hart_lower(-0.1, 2), "error must be a number from 0 to 1, got -0.1."),
        (lambda: cover_hart_lower(float("nan"), 2), "error must be a number from 0 to 1, got nan."),
        (lambda: two_class_odd_k_upper(0.1, 4), "k must be an odd integer of at least 1, got 4."),
        (lambda: two_class_odd_k_upper("x", 3), "bayes_error must be a number from 0 to 0.5, got 'x'."),
        (lambda: excess_factor(0), "k must be an integer of at least 1, got 0."),
        (lambda: bayes_error_bracket(1, 0, 2), "rows must be an integer of at least 1, got 0."),
        (lambda: bayes_error_bracket(11, 10, 2), "errors must be an integer from 0 to 10, got 11."),
        (lambda: bayes_error_bracket(0.5, 10, 2), "errors must be an integer from 0 to 10, got 0.5."),
        (lambda: bayes_error_bracket(1, 10, 3, k=3), "k must be 1 for more than two classes, got 3."),
        (
            lambda: bayes_error_bracket(1, 10, 2, confidence=1.0),
            "confidence must be a number above 0 and below 1, got 1.0.",
        ),
        (
            lambda: bayes_error_bracket(1, 10, 2, best_upper=2),
            "best_upper must be a number from 0 to 1 or None, got 2.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(ParameterError) as refused:
        call()
    assert str(refused.value) == message
