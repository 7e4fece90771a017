"""Who is tied for best: no holes, nobody whom the rows refute, nobody below the baseline."""

import numpy as np
import pytest

from classica.evaluation import compare_tests
from classica.evaluation.tied_set import with_tied_set


def folds(mean, spread, seed=0, count=10):
    values = np.random.default_rng(seed).normal(size=count)
    return mean + spread * (values - values.mean()) / values.std()


def ranking(**scores):
    return compare_tests(scores, 1 / 10)


def losses(errors, rows=4000, seed=0):
    """Return losses of 0 and 1 with so many errors, spread over the rows."""
    found = np.zeros(rows)
    found[np.random.default_rng(seed).permutation(rows)[: round(errors * rows)]] = 1
    return found


def test_rows_speak_where_folds_are_too_few():
    """Three folds that differ a lot separate nothing, but thousands of rows against hundreds do."""
    found = compare_tests({"cart": [0.86, 0.87, 0.85], "qda": [0.75, 0.45, 0.58]}, 1 / 3)
    assert found.tied == ["cart", "qda"]
    rows = {"cart": losses(0.14), "qda": losses(0.41, seed=1)}
    assert with_tied_set(found, rows).tied == ["cart"]


def test_rows_do_not_speak_below_the_margin():
    """Half a point is significant on enough rows, and of no practical weight."""
    found = ranking(a=folds(0.900, 0.02), b=folds(0.895, 0.02, 1))
    first = losses(0.10, 100_000)
    second = first.copy()
    second[np.flatnonzero(first == 0)[:500]] = 1
    assert with_tied_set(found, {"a": first, "b": second}).tied == ["a", "b"]


def test_there_are_no_holes():
    """A model with a wide spread is not tied where one that is better is shown to be worse."""
    found = ranking(best=folds(0.9, 0.01), steady=folds(0.8, 0.01), wild=folds(0.7, 0.5, 3))
    assert found.tied == ["best", "wild"]
    assert with_tied_set(found).tied == ["best"]
    assert [each.tied for each in with_tied_set(found).standings] == [True, False, False]


def test_nobody_is_tied_with_the_baseline_or_below_it():
    found = ranking(best=folds(0.9, 0.1), chance=folds(0.89, 0.1, 1), other=folds(0.88, 0.1, 2))
    assert found.tied == ["best", "chance", "other"]
    assert with_tied_set(found, baseline="chance", better_than_baseline=["best"]).tied == ["best"]
    assert with_tied_set(found, baseline="chance").tied == []


@pytest.mark.parametrize("gain", [0.0, 0.3])
def test_losses_of_any_size_are_compared_row_by_row(gain):
    random = np.random.default_rng(0)
    found = ranking(a=folds(0.9, 0.3), b=folds(0.85, 0.3, 1))
    first = random.exponential(size=500)
    rows = {"a": first, "b": first + gain + random.normal(scale=0.5, size=500)}
    assert with_tied_set(found, rows).tied == (["a"] if gain else ["a", "b"])


def test_nothing_ranked_is_nothing_tied():
    found = compare_tests({"a": [np.nan, 0.5]}, 0.5)
    assert with_tied_set(found).tied == []
