"""Linear discriminants of fewer rows than columns: the answers of all columns, at the price of the rows."""

import time

import numpy as np
import pytest
from sklearn.base import clone

from classica import FisherClassifier, LinearDiscriminantClassifier
from classica.errors import DataError
from classica.estimators.base.estimator import TrainingData
from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.shared_covariance import SharedCovariance, fourth_moment
from classica.persist import load, save


def tables():
    """Return (rows, codes, weights) in which directions have no variance in many ways."""
    random = np.random.default_rng(0)
    y = np.arange(12, dtype=np.int32) % 3
    X = random.normal(size=(12, 30)) @ random.normal(size=(30, 30))
    constant_within, twice = X.copy(), np.repeat(X[:6], 2, axis=0)
    constant_within[:, 3], constant_within[:, 4] = y, 7.0
    return {
        "random": (X, y, None),
        "weights": (X, y, random.uniform(0.5, 2, 12)),
        "units": (X * 10.0 ** random.integers(-3, 4, 30), y, None),
        "wild units": (X * 10.0 ** random.integers(-12, 13, 30), y, None),
        "shifted": (1e8 + np.round(X * 2**20) / 2**20, y, None),
        "constant columns": (constant_within, y, None),
        "rows twice": (twice, np.repeat(np.arange(6, dtype=np.int32) % 2, 2), None),
        "one row each": (X[:3], y[:3], None),
        "one column short": (X[:, :13], y, None),
        "a class without spread": (
            np.vstack([X[:6], X[:1], X[:1]]),
            np.int32([0, 1, 0, 1, 0, 1, 2, 2]),
            None,
        ),
    }


TABLES = tables()


@pytest.mark.parametrize("shrinkage", [None, 0.0, 1e-7, 0.3, 1.0, "oas", "auto"])
@pytest.mark.parametrize("name", TABLES)
def test_rows_give_what_sums_give(name, shrinkage):
    X, codes, weights = TABLES[name]
    data = TrainingData(X, np.arange(codes.max() + 1), codes, weights)
    rows = RowScatter.of(data, pooled=True, threads=1)
    few, all_columns = (
        SharedCovariance.of(
            statistics, shrinkage, 1e-4, fourth_moment(data, statistics) if shrinkage == "auto" else None
        )
        for statistics in (rows, rows.summed())
    )
    assert few.whitening.rank == all_columns.whitening.rank
    assert few.shrinkage == pytest.approx(all_columns.shrinkage, rel=1e-9, abs=1e-12)
    white, wanted = few.white_means(), all_columns.white_means()
    scale = np.abs(wanted @ wanted.T).max(initial=1e-300)
    np.testing.assert_allclose(white @ white.T, wanted @ wanted.T, rtol=0, atol=1e-6 * scale)
    (_, weights, _), (_, wanted, _) = (
        gaussians.linear_model(np.zeros(len(white))) for gaussians in (few, all_columns)
    )
    spreads = X.std(axis=0)
    np.testing.assert_allclose(
        weights * spreads, wanted * spreads, rtol=0, atol=1e-6 * np.abs(wanted * spreads).max(initial=1e-300)
    )


@pytest.mark.parametrize("classifier", [LinearDiscriminantClassifier, FisherClassifier])
def test_a_hundred_thousand_columns_take_no_time(classifier, tmp_path):
    random = np.random.default_rng(1)
    X, y = random.normal(size=(6, 100_000)), np.array(list("ababab"))
    X[y == "b"] += 0.1
    start = time.perf_counter()
    model = classifier().fit(X, y)
    assert time.perf_counter() - start < 5  # sums of products of columns would take 75 GiB
    assert model.predict(X).tolist() == y.tolist()
    save(model, tmp_path / "model.classica")
    assert (tmp_path / "model.classica").stat().st_size < 2e7
    np.testing.assert_array_equal(load(tmp_path / "model.classica").predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("options", [{}, {"shrinkage": 0.3}, {"shrinkage": "oas"}])
@pytest.mark.parametrize("classifier", [LinearDiscriminantClassifier, FisherClassifier])
def test_rows_come_and_go_across_the_border(classifier, options):
    """Rows become sums when there are as many as columns; sums stay sums."""
    random = np.random.default_rng(2)
    X, y = random.normal(size=(30, 12)), np.arange(30) % 3
    model = classifier(**options)
    for stop in (5, 8, 11, 20, 30):
        known = len(getattr(model, "rows_", ())) if stop < 20 else 11 if stop == 20 else 20
        model.partial_fit(X[known:stop], y[known:stop])
        assert hasattr(model, "rows_") == (stop < 12)
        fresh = clone(model).fit(X[:stop], y[:stop])
        np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-9)
    for stop in (20, 9):
        model.forget(X[stop : 30 if stop == 20 else 20], y[stop : 30 if stop == 20 else 20])
        fresh = clone(model).fit(X[:stop], y[:stop])
        np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-9)


def test_weights_can_be_taken_away_in_parts():
    X, y, _ = TABLES["random"]
    model = LinearDiscriminantClassifier().fit(X, y, sample_weight=np.full(12, 3.0))
    for weight in (1.0, 0.5, 0.5):
        model.forget(X, y, sample_weight=np.full(12, weight))
    fresh = LinearDiscriminantClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), fresh.predict_proba(X))


def test_rows_that_were_never_learned_are_refused():
    X, y, _ = TABLES["random"]
    with pytest.raises(DataError, match="Cannot forget"):
        LinearDiscriminantClassifier().fit(X, y).forget(X[:1] + 1e3, y[:1])
    with pytest.raises(DataError, match="Cannot forget"):
        LinearDiscriminantClassifier().fit(X, y).forget(np.vstack([X[:9:3]] * 3), np.repeat(y[:9:3], 3))


def test_covariance_and_deviations_are_there_when_asked_for():
    X, y, _ = TABLES["units"]
    for shrinkage in (None, 0.2, "auto"):
        model = LinearDiscriminantClassifier(shrinkage).fit(X, y)
        gaps = X - np.array([X[y == c].mean(axis=0) for c in range(3)])[y]
        within = gaps.T @ gaps / 9
        target = np.diag(np.diag(within)) if shrinkage == "auto" else np.eye(30) * np.trace(within) / 30
        wanted = (1 - model.shrinkage_) * within + model.shrinkage_ * target
        np.testing.assert_allclose(model.covariance_, wanted, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(model.deviations_, np.sqrt(np.diag(wanted)), rtol=1e-9)
