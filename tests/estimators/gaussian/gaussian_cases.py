"""Tables that the tests of the Gaussian classifiers share, and what must hold on every table."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut


def blobs(rows=120, columns=4, classes=3, seed=0):
    """Return correlated classes of unequal size."""
    random = np.random.default_rng(seed)
    y = np.sort(random.integers(0, classes, rows))
    y[:classes] = np.arange(classes)
    mixing = random.normal(size=(columns, columns))
    return random.normal(size=(rows, columns)) @ mixing + random.normal(size=(classes, columns))[y], y


def assert_finite(model, X):
    """Assert finite answers that agree with each other, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [model.predict_proba(X), model.predict_log_proba(X), model.decision_function(X)]
    assert all(np.isfinite(values).all() for values in found)
    np.testing.assert_allclose(found[0].sum(axis=1), 1, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(model.predict(X), model.classes_[found[0].argmax(axis=1)])


def brute_force(model, X, y, splits, weights=None):
    found = np.zeros((len(X), len(np.unique(y))))
    places = np.unique(y)
    for train, test in splits:
        w = None if weights is None else weights[train]
        fitted = clone(model).fit(X[train], y[train], sample_weight=w)
        found[np.ix_(test, np.searchsorted(places, fitted.classes_))] = fitted.predict_proba(X[test])
    return found


def cross_tables():
    X, y = blobs(rows=60)
    outliers = X.copy()
    outliers[5], outliers[40, 2] = 1e5, -1e7
    random = np.random.default_rng(12)
    tiny = np.r_[np.zeros(57, int), 1, 1, 2]
    return {
        "random": (X, y),
        "two classes": (X, (y > 0).astype(int)),
        "tiny classes": (X, tiny),
        "one row each": (X[:8], np.arange(8)),
        "collinear": (np.column_stack([X, X[:, 0] - 2 * X[:, 1]]), y),
        "constant column": (np.column_stack([X, np.ones(60)]), y),
        "constant but for one row": (np.column_stack([X, np.arange(60) == 7]), y),
        "high leverage": (outliers, y),
        "few rows": (random.normal(size=(9, 4)), np.arange(9) % 3),
        "fewer rows than columns": (random.normal(size=(12, 20)), np.arange(12) % 3),
        "shifted by 1e8": (1e8 + np.round(X * 2**20) / 2**20, y),
    }


CROSS = cross_tables()


def assert_leaving_out_equals_refitting(model, X, y, weights=None):
    found = model.cross_val_posteriors(X, y, "loo", sample_weight=weights)
    wanted = brute_force(model, X, y, LeaveOneOut().split(X), weights)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)


def constant_but_for_one_row(value, outlier):
    """Return a table with a column that never varies once its last row is gone."""
    X, y = blobs(rows=40)
    X = np.column_stack([X, np.full(40, value)])
    X[-1, -1] = outlier
    return X, y


#: What is left of the squares after such a row was taken away is rounding, not variance.
ONE_ROW = [(0.1, 1.7), (0.1, 123.4), (1 / 3, 123.4), (0.1, 12345678.9), (1 / 3, 1234567890000.0)]


def assert_forgetting_equals_a_fresh_fit(model, X, y):
    fresh = clone(model).fit(X[:-1], y[:-1])
    model.fit(X, y).forget(X[-1:], y[-1:])
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-10)


def splits_of(cv, X):
    """Return leave-one-out, parts of consecutive rows or parts of whole groups."""
    groups = np.arange(len(X)) % 7 if cv == "groups" else None
    splitter = {"loo": LeaveOneOut(), "folds": KFold(4), "groups": GroupKFold(3)}[cv]
    return list(splitter.split(X, None, groups)), {"cv": splitter, "groups": groups}


def assert_cross_validation_equals_refitting(model, name, cv, weights=None):
    X, y = CROSS[name]
    splits, options = splits_of(cv, X)
    found = model.cross_val_posteriors(X, y, sample_weight=weights, **options)
    wanted = brute_force(model, X, y, splits, weights)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)
