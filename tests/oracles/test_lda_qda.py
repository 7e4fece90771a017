"""Linear and quadratic discriminants of R's MASS on real tables."""

import functools
import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

from classica import LinearDiscriminantClassifier, QuadraticDiscriminantClassifier
from tests.reference import gaussian

DATA = Path(__file__).parents[1] / "data"
ORACLES = json.loads((DATA / "oracles" / "discriminants.json").read_text())
USPS = ORACLES.pop("usps-roweis")
ANSWERED = [name for name in ORACLES if "error" not in ORACLES[name]["qda"]]
REFUSED = [name for name in ORACLES if "error" in ORACLES[name]["qda"]]

# MASS works in double precision on covariances of condition up to 1e10 and prints 15 digits, posteriors 10.
# What involves an inverse is compared to 1e-8 of its size, means and priors to the digits printed.
PRINTED = 1e-14
INVERTED = 1e-8


@functools.cache
def table(name):
    """Return the numbers and the place of each row's class."""
    oracle = ORACLES[name]
    file = DATA / "oracles" / f"{name}.csv.gz"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == oracle["sha256"]
    cells = pl.read_csv(file, infer_schema=False)
    if oracle["rows"] is not None:
        cells = cells[oracle["rows"]]
    X = cells.select(pl.col(oracle["features"]).cast(pl.Float64)).to_numpy()
    return X, np.array([oracle["classes"].index(label) for label in cells[oracle["target"]]])


@functools.cache
def linear(name):
    return LinearDiscriminantClassifier().fit(*table(name))


@functools.cache
def quadratic(name):
    return QuadraticDiscriminantClassifier(variance_floor=1e-12).fit(*table(name))  # MASS has no floor


def close(found, wanted, tolerance):
    wanted = np.asarray(wanted, dtype=np.float64)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * max(1e-300, abs(wanted).max()))


def errors(posteriors, y):
    return int((posteriors.argmax(axis=1) != y).sum())


# The balance is symmetric, left against right: on paper both have the same posterior in many rows, and what
# rounding makes of that is each program's own.
SYMMETRIC = {"balance-scale"}


def tied(name, posteriors):
    """Return the rows in which the two likeliest classes are equally likely."""
    second, first = np.sort(posteriors, axis=1)[:, -2:].T
    rows = first - second < 1e-12
    assert name in SYMMETRIC or not rows.any()
    return rows


def assert_errors(name, posteriors, wanted):
    y, ties = table(name)[1], tied(name, posteriors)
    certain = int(((posteriors.argmax(axis=1) != y) & ~ties).sum())
    assert certain <= wanted <= certain + ties.sum()


# Linear

# Colours and their means: columns that depend on each other but for the digits they were rounded to. MASS
# drops directions with less than tol of the spread, we give them that much: only decisions are compared.
DEPENDENT = {"segment"}
INDEPENDENT = [name for name in ORACLES if name not in DEPENDENT]


@pytest.mark.parametrize("name", ORACLES)
def test_ranks(name):
    assert (linear(name).rank_ < len(ORACLES[name]["features"])) == (name in DEPENDENT)


@pytest.mark.parametrize("name", ORACLES)
def test_priors_and_means(name):
    oracle = ORACLES[name]["lda"]
    np.testing.assert_allclose(linear(name).class_prior_, oracle["prior"], rtol=PRINTED)
    # MASS sums in double precision: a mean near zero has the rounding of its column.
    size = abs(table(name)[0]).max(axis=0)
    assert (abs(linear(name).means_ - oracle["means"]) <= PRINTED * size).all()


@pytest.mark.parametrize("name", INDEPENDENT)
def test_axes_up_to_their_sign(name):
    oracle, model, X = ORACLES[name]["lda"], linear(name), table(name)[0]
    close(model.axis_deviations_, np.atleast_1d(oracle["svd"]), INVERTED)
    scaling, shown = np.array(oracle["scaling"]), np.array(oracle["x_first5"]).reshape(5, -1)
    assert model.scalings_.shape == scaling.shape
    found = model.transform(X[:5])
    for axis in range(scaling.shape[1]):
        sign = np.sign(model.scalings_[:, axis] @ scaling[:, axis])
        close(sign * model.scalings_[:, axis], scaling[:, axis], INVERTED)
        close(sign * found[:, axis], shown[:, axis], INVERTED)


@pytest.mark.parametrize("name", INDEPENDENT)
def test_linear_posteriors(name):
    wanted = ORACLES[name]["lda"]["posterior_first50"]
    found = linear(name).predict_proba(table(name)[0][: len(wanted)])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=INVERTED)


@pytest.mark.parametrize("name", ORACLES)
def test_linear_training_errors(name):
    X, y = table(name)
    assert_errors(name, linear(name).predict_proba(X), ORACLES[name]["lda"]["train_errors"])
    equal = LinearDiscriminantClassifier(priors="uniform").fit(X, y).predict_proba(X)
    assert_errors(name, equal, ORACLES[name]["equal_prior_train_errors"])


@functools.cache
def left_out(kind, name):
    """Return our leave-one-out posteriors; MASS keeps the priors of all rows."""
    X, y = table(name)
    return kind(priors=np.bincount(y) / len(y)).cross_val_posteriors(X, y, "loo")


# MASS subtracts the smallest distance of the whole table, not of the row, before it takes exponentials. Rows
# so far from every class that all their exponentials vanish (0/0) then get any class. In ecoli a row with
# leverage one (a column is constant without it) has a distance of minus 1e14, and all others vanish.
UNDERFLOWN = {"ecoli", "optdigits", "spambase"}


@pytest.mark.parametrize("name", [name for name in ORACLES if name not in UNDERFLOWN])
def test_linear_leave_one_out(name):
    oracle, posteriors = ORACLES[name]["lda"], left_out(LinearDiscriminantClassifier, name)
    assert_errors(name, posteriors, oracle["loo_errors"])
    if "loo_class" in oracle:
        clear = ~tied(name, posteriors)
        np.testing.assert_array_equal(posteriors.argmax(axis=1)[clear], np.array(oracle["loo_class"])[clear])


@pytest.mark.parametrize("name", ["optdigits", "spambase"])
def test_leave_one_out_errors_but_for_the_rows_that_vanish(name):
    X, y = table(name)
    scores = gaussian.left_out_scores(X, y)
    wrong = left_out(LinearDiscriminantClassifier, name).argmax(axis=1) != y
    np.testing.assert_array_equal(wrong, scores.argmax(axis=1) != y)
    vanished = scores.max(axis=1) - scores.max() < np.log(5e-324)
    certain = int((wrong & ~vanished).sum())
    assert 0 < vanished.sum() < 15
    assert certain <= ORACLES[name]["lda"]["loo_errors"] <= certain + vanished.sum()


def test_leave_one_out_of_ecoli_equals_refitting():
    X, y = table("ecoli")
    posteriors = left_out(LinearDiscriminantClassifier, "ecoli")
    model = LinearDiscriminantClassifier(priors=np.bincount(y) / len(y))
    for row in range(0, len(y), 3):
        rest = np.arange(len(y)) != row
        fresh = model.fit(X[rest], y[rest]).predict_proba(X[row : row + 1])
        np.testing.assert_allclose(posteriors[row : row + 1], fresh, rtol=0, atol=1e-9)
    assert errors(posteriors, y) < 50


# Quadratic


@pytest.mark.parametrize("name", ANSWERED)
def test_log_determinants_and_scaling(name):
    oracle, model = ORACLES[name]["qda"], quadratic(name)
    # A logarithm has the relative error of the determinant.
    np.testing.assert_allclose(model.log_determinants_, oracle["ldet"], rtol=0, atol=INVERTED)
    if "scaling" in oracle:
        for c, scaling in enumerate(np.moveaxis(np.array(oracle["scaling"]), 2, 0)):
            round_class = scaling.T @ model.covariances_[c] @ scaling
            np.testing.assert_allclose(round_class, np.eye(len(scaling)), rtol=0, atol=INVERTED)


@pytest.mark.parametrize("name", ANSWERED)
def test_quadratic_posteriors_and_training_errors(name):
    X, _ = table(name)
    oracle, posteriors = ORACLES[name]["qda"], quadratic(name).predict_proba(X)
    wanted = oracle["posterior_first50"]
    np.testing.assert_allclose(posteriors[: len(wanted)], wanted, rtol=0, atol=INVERTED)
    assert_errors(name, posteriors, oracle["train_errors"])


@pytest.mark.parametrize("name", ANSWERED)
def test_quadratic_leave_one_out(name):
    oracle, posteriors = ORACLES[name]["qda"], left_out(QuadraticDiscriminantClassifier, name)
    wrong, ties = posteriors.argmax(axis=1) != table(name)[1], tied(name, posteriors)
    if "loo_class" in oracle:
        found, wanted = posteriors.argmax(axis=1), np.array(oracle["loo_class"])
        np.testing.assert_array_equal(found[~ties], wanted[~ties])
    # Rows MASS has no answer for (NA) are in neither its errors nor its right answers.
    certain, open_rows = int((wrong & ~ties).sum()), int(ties.sum()) + oracle["loo_na"]
    assert certain - oracle["loo_na"] <= oracle["loo_errors"] <= certain + open_rows


@pytest.mark.parametrize("name", REFUSED)
def test_where_mass_refuses_we_answer(name):
    X, y = table(name)
    posteriors = quadratic(name).predict_proba(X)
    assert np.isfinite(posteriors).all()
    np.testing.assert_allclose(posteriors.sum(axis=1), 1, rtol=0, atol=1e-14)
    # Better than saying the most frequent class.
    assert errors(posteriors, y) < (y != np.bincount(y).argmax()).sum()


WITH_CONSTANTS = [name for name in ORACLES if ORACLES[name]["constant"]]


@pytest.mark.parametrize("name", WITH_CONSTANTS)
def test_constant_columns_need_not_be_dropped(name):
    X, y = table(name)
    wide = np.column_stack([X, np.full(len(X), 0.1)])
    for model in (linear(name), quadratic(name)):
        found = clone(model).fit(wide, y).predict_proba(wide)
        np.testing.assert_allclose(found, model.predict_proba(X), rtol=0, atol=1e-10)


# The digits


@pytest.fixture(scope="module")
def digits():
    file = DATA / "usps_roweis.npz"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == USPS["sha256"]
    with np.load(file) as arrays:
        return arrays["X"].astype(np.float32), arrays["y"].astype(int)


def test_ten_digits(digits):
    X, y = digits
    model = LinearDiscriminantClassifier().fit(X, y)
    posteriors = model.predict_proba(X)
    assert errors(posteriors, y) == USPS["lda"]["train_errors"]
    np.testing.assert_allclose(posteriors[:20], USPS["lda"]["posterior_first20"], rtol=0, atol=INVERTED)
    close(model.axis_deviations_, USPS["lda"]["svd"], INVERTED)


def test_five_against_the_rest(digits):
    X, y = digits[0], (digits[1] == 5).astype(int)
    oracle = USPS["lda_5_vs_rest"]
    for priors, key in (("empirical", "proportional"), ("uniform", "equal")):
        model = LinearDiscriminantClassifier(priors=priors).fit(X, y)
        wanted = oracle.get(f"train_errors_prior_{key}", oracle.get(f"train_errors_{key}_prior"))
        assert errors(model.predict_proba(X), y) == wanted
