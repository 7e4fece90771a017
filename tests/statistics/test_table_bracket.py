"""The Bayes error of a table: the truth is in the bracket, and nothing is claimed in many dimensions."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import binomtest, norm
from sklearn.datasets import load_iris

from classica import KNeighborsClassifier
from classica.errors import ClassicaError, DataError
from classica.statistics import TableBayesError, bayes_error_bracket, cover_hart_lower, table_bayes_error


def gaussians(rows, gap, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    return rng.standard_normal((rows, 2)) + np.outer(y, [gap, 0.0]), y


def contained(seeds, gap):
    """Return how often the truth is in the bracket of 5,000 rows."""
    truth = norm.cdf(-gap / 2)
    found = [table_bayes_error(*gaussians(5000, gap, seed)) for seed in range(seeds)]
    assert all(0 < each.lower < each.upper for each in found)
    return sum(each.lower <= truth <= each.upper for each in found)


def test_the_truth_is_in_the_bracket_of_gaussians():
    assert contained(6, gap=2.0) == 6


@pytest.mark.full
@pytest.mark.parametrize("gap", [1.0, 2.0, 3.0, 4.0])
def test_the_truth_is_in_the_bracket_of_many_gaussians(gap):
    count = contained(50, gap)
    print(f"two Gaussians {gap} apart: the truth is in {count} of 50 brackets")
    assert count >= 45


def test_the_ends_are_those_of_their_parts():
    X, y = gaussians(1000, 2.0, 0)
    found = table_bayes_error(X, y)
    errors = KNeighborsClassifier(1).fit(X / X.std(axis=0), y).leave_one_out_errors(50).decrease
    assert (found.nearest_error, found.best_error) == (errors[0] / 1000, errors.min() / 1000)
    assert found.best_k == errors.argmin() + 1
    # Mutual neighbours err together, and the best K is one of about six choices.
    nearest = binomtest(int(errors[0]) // 2, 500).proportion_ci(0.95, method="exact")
    best = binomtest(int(errors.min()), 1000).proportion_ci(1 - 0.05 / 6, method="exact")
    assert found.lower == pytest.approx(cover_hart_lower(nearest.low, 2), abs=1e-9)
    assert found.upper == pytest.approx(best.high, abs=1e-9)
    assert found.dimension == pytest.approx(2, abs=0.2)
    assert "not a guaranteed lower bound" in str(found)
    assert str(found).startswith("The Bayes error is estimated between ")
    json.dumps(found.record(), allow_nan=False)


def test_the_lower_end_is_rarely_above_the_truth_where_the_bound_is_reached():
    """Where the columns say nothing 1-NN is at the bound of Cover and Hart: its errors alone decide."""
    rng = np.random.default_rng(0)
    over = 0
    for _ in range(100):
        y = (rng.random(400) < 0.3).astype(int)
        over += table_bayes_error(rng.standard_normal((400, 2)), y).lower > 0.3
    # At most 1 in 40; intervals that take the errors for independent are above it about 8 times of 100.
    assert over <= 5


@pytest.mark.parametrize("rows", [200, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_fifty_dimensions_claim_no_irreducible_error(rows, seed):
    """A line separates the classes, so the truth is 0, and 1-NN is far from it."""
    X = np.random.default_rng(seed).standard_normal((rows, 50))
    y = (X[:, 0] > 0).astype(int)
    alone = table_bayes_error(X, y)
    assert bayes_error_bracket(round(alone.nearest_error * rows), rows, 2).lower > 0.1
    assert alone.lower == 0
    assert alone.upper < 0.5
    assert str(alone).startswith("The Bayes error is estimated at no more than ")
    capped = table_bayes_error(X, y, best_upper=0.02)
    assert (capped.lower, capped.upper) == (0, 0.02)
    assert "The upper end is the best model's upper confidence limit." in capped.notes
    assert any("below the lower end" in note for note in capped.notes)


def test_scales_and_kinds_of_tables_do_not_matter():
    X, y = load_iris(return_X_y=True)
    found = table_bayes_error(X, y)
    assert str(table_bayes_error(X * [1, 1e6, 1e-6, 8], y)) == str(found)
    assert str(table_bayes_error(pd.DataFrame(X), y)) == str(found)
    assert str(table_bayes_error(pl.DataFrame(X), y)) == str(found)
    assert str(table_bayes_error(X.tolist(), y.tolist())) == str(found)


def test_a_sparse_table_is_refused_by_the_neighbours():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="sparse matrix"):
        table_bayes_error(csr_matrix(X), y)


def test_categories_and_missing_values_are_compared_as_such():
    colours = ["red", "green", "blue"] * 40
    frame = pd.DataFrame({"colour": colours, "size": np.arange(120.0)})
    frame.loc[3, "size"] = np.nan
    found = table_bayes_error(frame, colours)
    assert found.best_error == 0
    X, y = load_iris(return_X_y=True)
    X[0, 0] = np.nan
    assert table_bayes_error(X, y).best_error < 0.1


def test_large_tables_are_sampled():
    X, y = gaussians(600, 2.0, 0)
    found = table_bayes_error(X, y, max_rows=200, random_state=1)
    assert found.rows == 200
    assert found == table_bayes_error(X, y, max_rows=200, random_state=1)
    assert found != table_bayes_error(X, y, max_rows=200, random_state=2)
    assert table_bayes_error(pd.DataFrame(X), y, max_rows=200, random_state=1) == found


def test_rows_that_are_all_the_same_claim_nothing():
    found = table_bayes_error(np.ones((40, 2)), np.arange(40) % 2)
    assert found.lower == 0
    assert found.dimension == np.inf
    assert found.record()["dimension"] is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: table_bayes_error([[1.0]] * 3, [0, 0, 0]),
            "y must be of at least 3 rows and 2 classes, got [0, 0, 0].",
        ),
        (
            lambda: table_bayes_error([[1.0]] * 3, [0, 0, 1], 2),
            "best_upper must be a number from 0 to 1 or None, got 2.",
        ),
        (
            lambda: table_bayes_error([[1.0]] * 3, [0, 0, 1], confidence=1),
            "confidence must be a number above 0 and below 1, got 1.",
        ),
        (
            lambda: table_bayes_error([[1.0]] * 3, [0, 0, 1], max_rows=2),
            "max_rows must be an integer of at least 3, got 2.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(ClassicaError) as refused:
        call()
    assert str(refused.value) == message


def test_one_neighbour_is_named_once():
    found = TableBayesError(0.0, 0.1, 0.05, 0.05, 1, 2.0, 100, 2, 0.95, ["An estimate."])
    assert str(found) == (
        "The Bayes error is estimated at no more than 10.00%, from the leave-one-out error of 1-NN (5.00%), "
        "which is the best K. An estimate."
    )
