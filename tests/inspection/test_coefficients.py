"""Coefficients with intervals: those of the information matrix, told by column and level of the table."""

import numpy as np
import polars as pl
import pytest
from scipy.special import softmax
from sklearn.datasets import load_iris, load_wine

from classica import LogisticClassifier, NaiveBayesClassifier, TableClassifier
from classica.errors import ClassicaError
from classica.inspection import Coefficients, coefficient_intervals
from classica.recorded import from_record
from classica.tables import labelled_table

WINE = load_wine()


def test_without_a_penalty_they_are_the_standard_errors_of_the_model():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3)) * [1, 10, 0.1] + [5, 0, 0]
    y = random.random(300) < 1 / (1 + np.exp(-(X[:, 0] - 5 - 0.1 * X[:, 1])))
    model = LogisticClassifier(C=np.inf, tol=1e-10).fit(X, y)
    errors = np.sqrt(np.diag(model.coefficient_covariance(X, y)))
    np.testing.assert_allclose(errors, model.standard_errors_[1:], rtol=1e-6)
    found = coefficient_intervals(model, X, y)
    assert not found.is_penalised
    for index, term in enumerate(found.terms):
        assert term.step == pytest.approx(X[:, index].std())
        assert term.estimate == pytest.approx(model.coef_[0, index] * term.step)
        half = 1.959964 * model.standard_errors_[1 + index] * term.step
        assert term.high - term.estimate == pytest.approx(half, rel=1e-5)


def numerical_covariance(model, X, y, C):
    """Return the inverse of the numerical Hessian of the penalised loss in coordinates that sum to zero."""
    classes, columns = model.coef_.shape
    basis = np.linalg.svd(np.ones((1, classes)))[2][1:].T

    def gradient(free):
        whole = basis @ free.reshape(classes - 1, columns + 1)
        shares = softmax(X @ whole[:, :-1].T + whole[:, -1], axis=1)
        shares[np.arange(len(y)), y] -= 1
        slope = np.column_stack([shares.T @ X, shares.sum(0)])
        slope[:, :-1] += whole[:, :-1] / C
        return (basis.T @ slope).ravel()

    at = (basis.T @ np.column_stack([model.coef_, model.intercept_])).ravel()
    step = 1e-5
    hessian = np.array(
        [(gradient(at + step * e) - gradient(at - step * e)) / (2 * step) for e in np.eye(len(at))]
    )
    inverse = np.linalg.inv((hessian + hessian.T) / 2).reshape(
        classes - 1, columns + 1, classes - 1, columns + 1
    )
    whole = np.einsum("ca,ajbk,db->cjdk", basis, inverse, basis)
    return whole[:, :-1, :, :-1].reshape(classes * columns, classes * columns)


@pytest.mark.parametrize("C", [0.3, 50.0])
def test_with_a_penalty_and_three_classes_they_are_the_inverse_of_the_curvature(C):
    X = load_iris().data
    y = load_iris().target
    model = LogisticClassifier(C=C, tol=1e-12).fit(X, y)
    found = model.coefficient_covariance(X, y)
    np.testing.assert_allclose(found, numerical_covariance(model, X, y, C), rtol=1e-4, atol=1e-8)


def test_a_weighted_sample_counts_as_all_rows():
    X, y = np.repeat(WINE.data[:, :3], 4, axis=0), np.repeat(WINE.target, 4)
    model = LogisticClassifier().fit(X, y)
    whole = coefficient_intervals(model, X, y)
    some = coefficient_intervals(model, WINE.data[:, :3], WINE.target, counts_as=len(y))
    assert (some.rows, some.sampled) == (712, 178)
    for one, other in zip(whole.terms, some.terms, strict=True):
        assert (other.low, other.high) == pytest.approx((one.low, one.high))


def test_levels_are_told_against_the_mean_of_all_rows():
    random = np.random.default_rng(1)
    kind = random.choice(3, 600, p=[0.5, 0.3, 0.2])
    words = np.array(["a", "b", "c"])[kind]
    y = np.where(random.random(600) < np.array([0.2, 0.5, 0.8])[kind], "yes", "no")
    table = labelled_table(pl.DataFrame({"kind": words, "noise": random.normal(size=600), "y": y}), "y")
    model = TableClassifier(LogisticClassifier(C=1e4), table.schema).fit(table, table.y)
    found = coefficient_intervals(model, table.X, table.y)
    named = {term.name: term for term in found.terms}
    assert [*named] == ["kind = a", "kind = b", "kind = c", "noise"]
    shares = [np.mean(y[kind == code] == "yes") for code in range(3)]
    odds = np.log(shares) - np.log1p(-np.array(shares))
    weights = np.bincount(kind) / 600
    expected = odds - weights @ odds
    got = [named[f"kind = {level}"].estimate for level in "abc"]
    np.testing.assert_allclose(got, expected, atol=0.02)
    assert named["noise"].low < 0 < named["noise"].high
    assert named["kind = a"].high < 0 < named["kind = c"].low
    assert found.largest(1)[0].name in ("kind = a", "kind = c")
    assert from_record(Coefficients, found.record()).terms[3] == found.terms[3]


def test_intervals_hold_the_truth_as_often_as_they_say():
    random, inside = np.random.default_rng(3), 0
    for _ in range(200):
        X = random.normal(size=(200, 2))
        y = random.random(200) < 1 / (1 + np.exp(-X[:, 0]))
        term = coefficient_intervals(LogisticClassifier(C=100).fit(X, y), X, y).terms[0]
        inside += term.low <= term.step * 1.0 <= term.high
    assert 0.91 <= inside / 200 <= 0.99


def test_other_models_are_refused():
    model = NaiveBayesClassifier().fit(WINE.data, WINE.target)
    with pytest.raises(ClassicaError, match=r"^model must be one with coefficient_covariance"):
        coefficient_intervals(model, WINE.data, WINE.target)
