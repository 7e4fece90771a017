"""Logistic regression of R, scikit-learn, LIBLINEAR and WEKA on real tables."""

import functools
import gzip
import json
import warnings

import numpy as np
import pytest
from scipy.special import log_softmax
from sklearn.exceptions import ConvergenceWarning

from classica import LogisticClassifier
from tests.oracles.tree_tables import DATA, read

ORACLES = json.loads(gzip.decompress((DATA / "logistic.json.gz").read_bytes()))
#: Tables that take seconds, left to the long form.
LARGE = {"mushroom", "nursery", "optdigits", "soybean"}
EXACT = 1e-10


def tables(program, wanted=lambda told: True):
    return [
        pytest.param(name, marks=[pytest.mark.full] if name in LARGE else [])
        for name, told in ORACLES.items()
        if program in told and wanted(told[program])
    ]


def z_scored(X):
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


@functools.cache
def r_table(name):
    """Return R's design (treatment contrasts, rows without gaps) and the place of each row's class."""
    table, told = read(name), ORACLES[name]["r"]
    rows = slice(None) if told["rows"] is None else told["rows"]
    X, y = table.X[rows], table.y[rows]
    columns = [X[:, j] if level is None else X[:, j] == level for j, level in told["design"]]
    return np.column_stack(columns).astype(float), np.searchsorted(told["classes"], y)


# R: no penalty


# Where planes separate some of the rows, glm stops on its way to infinity, with errors of any size: by fitted
# probabilities of 0 or 1 it says so, not in every case.
def has_answer(told):
    """Say whether glm has found weights of all columns, and some rows that remain in doubt."""
    glm = told.get("glm", {"converged": False})
    known = glm["converged"] and all(isinstance(value, int | float) for value in glm["coef"])
    return known and glm["deviance"] > 1 and max(glm["se"]) < 1e3


def without_penalty(X, y, tol=EXACT):
    """Learn, and warn only of what cannot have an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticClassifier(np.inf, tol=tol).fit(X, y)
    assert model.converged_ or model.separable_
    return model


@pytest.mark.parametrize("name", tables("r", has_answer))
def test_coefficients_and_standard_errors_of_glm(name):
    X, y = r_table(name)
    told = ORACLES[name]["r"]["glm"]
    model = LogisticClassifier(np.inf, tol=EXACT).fit(X, y)
    assert model.converged_
    found, errors = np.append(model.intercept_, model.coef_[0]), np.array(told["se"])
    assert (abs(found - told["coef"]) <= 1e-5 * errors).all()
    np.testing.assert_allclose(found, told["coef"], rtol=1e-5, atol=1e-5 * abs(found[1:]).min())
    np.testing.assert_allclose(model.standard_errors_, errors, rtol=1e-5)
    np.testing.assert_allclose(model.deviance_, told["deviance"], rtol=1e-10)
    assert (model.predict(X) != y).sum() == told["train_errors"]


@pytest.mark.parametrize("name", tables("r", lambda told: "glm" in told and not has_answer(told)))
def test_where_glm_has_no_answer(name):
    X, y = r_table(name)
    told = ORACLES[name]["r"]["glm"]
    model = without_penalty(X, y)
    dependent = not all(isinstance(value, int | float) for value in told["coef"])
    assert model.separable_ or dependent
    np.testing.assert_allclose(model.deviance_, told["deviance"], rtol=1e-6, atol=1e-5)


# nnet takes a probability for certain when the score of one of two classes is beyond 15.
BEYOND_15 = 2 * np.log1p(np.exp(-15))


def rows_beyond_15(model, X):
    return int((abs(model.decision_function(X)) > 14.9).sum()) if len(model.classes_) == 2 else 0


@pytest.mark.parametrize("name", tables("r"))
def test_deviances_of_multinom(name):
    X, y = r_table(name)
    told = ORACLES[name]["r"]["multinom"]["0"]
    model = without_penalty(z_scored(X), y, tol=1e-9)
    if told["deviance"] < 1e-3 * len(y):
        # Separable, or as good as: nothing is left but where each program gives up.
        assert model.deviance_ < 2e-3 * len(y)
        assert model.separable_
        return
    # nnet stops after 100 steps, or when they bring little; ours, where rows are separated, at its tolerance.
    early = 10 * 1e-9 * len(y) if model.separable_ else 0.0
    least = told["deviance"] * (1 + 1e-9) + BEYOND_15 * rows_beyond_15(model, z_scored(X)) + early
    assert model.deviance_ <= least
    if told["convergence"] == 0:
        np.testing.assert_allclose(model.deviance_, told["deviance"], rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize("name", tables("r", lambda told: "glm" in told))
@pytest.mark.parametrize("decay", ["0.01", "1"])
def test_decay_of_multinom_with_two_classes(name, decay):
    # nnet's penalty is that of all coefficients, the intercept's too: here a column of ones. Of more classes
    # it leaves out the first one, ours none: penalties differ.
    X, y = r_table(name)
    told = ORACLES[name]["r"]["multinom"][decay]
    ones = np.column_stack([np.ones(len(X)), z_scored(X)])
    C = 0.5 / float(decay)
    model = LogisticClassifier(C, fit_intercept=False, tol=EXACT).fit(ones, y)
    slack = BEYOND_15 * rows_beyond_15(model, ones)
    np.testing.assert_allclose(2 * model.objective_ / C, told["deviance"], rtol=1e-9, atol=slack)
    assert abs((model.predict(ones) != y).sum() - told["train_errors"]) <= 1


# scikit-learn


@pytest.mark.parametrize("name", tables("sklearn"))
def test_weights_of_scikit_learn(name):
    table = read(name)
    varies = np.ptp(table.X, axis=0) > 0
    X, y = z_scored(table.X[:, varies]), table.y
    for C, told in ORACLES[name]["sklearn"].items():
        model = LogisticClassifier(float(C), tol=EXACT).fit(X, y)
        np.testing.assert_allclose(model.objective_, told["objective"], rtol=1e-8)
        assert model.objective_ <= told["objective"] * (1 + 1e-12)
        if "coef" in told:
            np.testing.assert_allclose(model.coef_, told["coef"], rtol=0, atol=1e-4)
            np.testing.assert_allclose(model.intercept_, told["intercept"], rtol=0, atol=1e-4)


# LIBLINEAR


def scaled_to_one(name):
    """Return numbers scaled to [-1, 1] and categories as one column each, with a column of ones."""
    table, told = read(name), ORACLES[name]["liblinear"]
    columns = []
    for j, levels in enumerate(table.levels):
        column = table.X[:, j]
        if levels:
            columns += [(column == level).astype(float) for level in range(levels)]
            continue
        low, high = np.nanmin(column), np.nanmax(column)
        scaled = -1 + 2 * (column - low) / (high - low) if high > low else 0 * column
        columns.append(np.where(np.isnan(column), 0.0, scaled))
    X = np.column_stack(columns)[:: told["step"]]
    np.testing.assert_allclose(X.sum(), told["sum"], rtol=1e-12)
    np.testing.assert_allclose((X**2).sum(), told["squares"], rtol=1e-12)
    return np.column_stack([X, np.ones(len(X))]), table.y[:: told["step"]]


@pytest.mark.parametrize("name", tables("liblinear"))
def test_objectives_of_liblinear(name):
    X, y = scaled_to_one(name)
    for kind, told in ORACLES[name]["liblinear"]["results"].items():
        C, l1_ratio = float(kind.split("_C")[1].split("_")[0]), float(kind.startswith("s6"))
        for label, wanted in zip(told["label_order"], told["primal_obj"], strict=False):
            model = LogisticClassifier(C, l1_ratio=l1_ratio, fit_intercept=False, tol=1e-8).fit(X, y == label)
            # Ours is never above; theirs stops at its own tolerance.
            assert model.objective_ <= wanted * (1 + 1e-9)
            np.testing.assert_allclose(model.objective_, wanted, rtol=1e-5, err_msg=kind)


# WEKA


@pytest.mark.parametrize("name", tables("weka"))
def test_ridge_of_weka(name):
    # Its penalty is that of standardised columns, without a half.
    table, told = read(name), ORACLES[name]["weka"]
    varies = np.ptp(table.X, axis=0) > 0
    X = z_scored(table.X[:, varies])
    model = LogisticClassifier(0.5, tol=EXACT).fit(X, table.y)
    value = model.objective_ / 0.5
    assert value <= told["value"] * (1 + 1e-9)
    np.testing.assert_allclose(value, told["value"], rtol=1e-5)
    posteriors = model.predict_proba(X[: len(told["posteriors"])])
    np.testing.assert_allclose(posteriors, told["posteriors"], rtol=0, atol=2e-3)
    assert abs((model.predict(X) != table.y).sum() - told["train_errors"]) <= 1


def test_the_objective_is_what_is_said():
    X, y = r_table("diabetes")
    X = z_scored(X)
    for l1_ratio in (0.0, 0.4, 1.0):
        model = LogisticClassifier(0.7, l1_ratio=l1_ratio, tol=EXACT).fit(X, y)
        scores = np.column_stack([np.zeros(len(X)), X @ model.coef_[0] + model.intercept_])
        loss = -log_softmax(scores, axis=1)[np.arange(len(y)), y].sum()
        W = model.coef_
        penalty = (1 - l1_ratio) / 2 * (W**2).sum() + l1_ratio * abs(W).sum()
        np.testing.assert_allclose(model.objective_, 0.7 * loss + penalty, rtol=1e-12)
        np.testing.assert_allclose(model.deviance_, 2 * loss, rtol=1e-12)
