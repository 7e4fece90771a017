"""Objectives of LIBSVM and LIBLINEAR on real tables: the same problem has the same least value."""

import functools
import gzip
import hashlib
import json
from itertools import combinations

import numpy as np
import pytest

from classica import LinearSVMClassifier
from tests.oracles.tree_tables import DATA, read

ORACLES = json.loads(gzip.decompress((DATA / "linear_svm.json.gz").read_bytes()))

#: Tables with many pairs or columns are part of the long campaign.
LONG = {"soybean", "optdigits", "mushroom", "dermatology", "nursery", "ecoli", "zoo"}


def each_table(key):
    return [
        pytest.param(name, variant, marks=[pytest.mark.full] if name in LONG else [], id=f"{name}-{variant}")
        for name, oracle in ORACLES.items()
        for variant in oracle[key]
    ]


@functools.cache
def table(name):
    """Return the rows as the programs saw them: numbers from -1 to 1, a column of 0 and 1 per category."""
    oracle, told = ORACLES[name], read(name)
    assert hashlib.sha256((DATA / f"{name}.csv.gz").read_bytes()).hexdigest() == oracle["sha256"]
    X = np.column_stack([coded(told.X[:, j], told.levels[j]) for j in range(told.X.shape[1])])
    X, y = X[:: oracle["step"]], told.y[:: oracle["step"]].astype(int)
    assert X.shape == (oracle["rows_used"], oracle["columns"])
    np.testing.assert_allclose(X.sum(), oracle["sum_all"], rtol=1e-10, atol=1e-8)
    np.testing.assert_allclose((X**2).sum(), oracle["sum_squares"], rtol=1e-10)
    return X, y


def coded(column, levels):
    if levels:
        return (column[:, None] == np.arange(levels)).astype(float)
    low, high = np.nanmin(column), np.nanmax(column)
    scaled = -1 + 2 * (column - low) / (high - low) if high > low else np.zeros_like(column)
    return np.where(np.isnan(scaled), 0.0, scaled)[:, None]


def least(X, y, C, **parameters):
    """Return our objective in units of C, and the gap proven."""
    model = LinearSVMClassifier(1 / (len(y) * C), tol=1e-9, **parameters).fit(X, y)
    return model.objective_[0] / model.alpha_, model.duality_gap_[0] / model.alpha_


@pytest.mark.parametrize(("name", "C"), each_table("libsvm"))
def test_free_intercept_against_libsvm(name, C):
    # LIBSVM tells the dual objective of its alphas, so a lower bound; its kernel is in single precision,
    # which costs more digits the larger C is.
    X, y = table(name)
    oracle = ORACLES[name]["libsvm"][C]
    pairs = list(combinations(oracle["label_order"], 2))
    assert len(pairs) == len(oracle["obj"])
    for (a, b), dual in zip(pairs, oracle["obj"], strict=True):
        rows = (y == a) | (y == b)
        objective, gap = least(X[rows], y[rows], float(C))
        assert objective >= -dual * (1 - 1e-9)
        assert objective <= -dual * (1 + (1e-6 if float(C) < 100 else 1e-4))
        assert gap <= 1e-9 * objective + 1e-12 / float(C)


@pytest.mark.parametrize(("name", "variant"), each_table("liblinear"))
def test_penalised_intercept_against_liblinear(name, variant):
    # LIBLINEAR tells the primal objective of its weights, so an upper bound, as close as its own gap says.
    X, y = table(name)
    oracle, (C, bias) = ORACLES[name]["liblinear"][variant], variant.split("_")
    seen = np.column_stack([X, np.ones(len(X))]) if bias == "B1" else X
    for label, primal, its_gap in zip(
        oracle["label_order"], oracle["primal_obj"], oracle["duality_gap"], strict=False
    ):
        objective, _ = least(seen, y == label, float(C[1:]), fit_intercept=False)
        assert objective <= primal * (1 + 1e-9)
        assert objective >= primal - abs(its_gap) - 1e-6 * primal - 1e-6
