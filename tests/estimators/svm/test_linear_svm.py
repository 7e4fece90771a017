"""What is special to the linear support vector machine: objective, proof, margins and penalty."""

import time

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from classica import LinearSVMClassifier
from classica.errors import DataError, ParameterError
from classica.native import linear_svm_solvers as kernels
from tests.reference import linear_svm as reference


def blobs(rows=60, columns=3, classes=2, apart=1.0, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    return random.normal(size=(rows, columns)) + apart * y[:, None] * np.arange(1, columns + 1) / columns, y


def least(X, y, alpha, weights=None, intercept=True):
    """Return the least objective by a general method."""
    shares = np.ones(len(X)) if weights is None else weights
    return reference.dual(X, np.where(y == y.max(), 1.0, -1.0), shares / shares.sum(), alpha, intercept)[1]


def told(model, X, y, weights=None):
    """Return the objective of a machine of two classes, by its definition."""
    shares = np.ones(len(X)) if weights is None else weights
    signs = np.where(y == y.max(), 1.0, -1.0)
    found = model.coef_[0], model.intercept_[0]
    return reference.objective(X, signs, shares / shares.sum(), model.alpha_, *found)


# The objective

DEGENERATE = {
    "overlapping": blobs(rows=30, apart=0.5),
    "separable": blobs(rows=30, apart=20),
    "duplicates": tuple(np.repeat(part, 3, axis=0) for part in blobs(rows=14)),
    "one row of a class": (blobs(rows=30)[0], (np.arange(30) == 7).astype(int)),
    "constant column": (np.c_[blobs(rows=30)[0], np.full(30, 3.0)], blobs(rows=30)[1]),
    "all rows equal": (np.ones((20, 2)), np.arange(20) % 2),
    "fewer rows than columns": blobs(rows=8, columns=20),
    "two rows": (np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([0, 1])),
    "equal rows of both classes": (np.repeat(blobs(rows=10)[0], 2, axis=0), np.arange(20) % 2),
    "exclusive or": (np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]] * 3), np.array([0, 1, 1, 0] * 3)),
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("alpha", [1e-3, 0.1])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_objective_is_the_least_there_is(name, alpha, intercept):
    X, y = DEGENERATE[name]
    model = LinearSVMClassifier(alpha, fit_intercept=intercept, tol=1e-9).fit(X, y)
    assert model.converged_
    np.testing.assert_allclose(model.objective_[0], told(model, X, y), rtol=1e-9)
    bound = least(X, y, alpha, intercept=intercept)  # from below, to the digits the general method has
    assert model.objective_[0] - model.duality_gap_[0] <= bound * (1 + 1e-6)
    assert model.objective_[0] >= bound - 1e-6
    np.testing.assert_allclose(model.objective_[0], bound, rtol=1e-5, atol=1e-9)


def test_weights_scale_the_hinges():
    X, y = blobs(rows=30, apart=0.5)
    weights = np.random.default_rng(1).random(30)
    model = LinearSVMClassifier(0.01, tol=1e-9).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.objective_[0], told(model, X, y, weights), rtol=1e-9)
    np.testing.assert_allclose(model.objective_[0], least(X, y, 0.01, weights), rtol=1e-6)
    np.testing.assert_allclose(model.C_, 1 / (weights.sum() * 0.01))


def test_class_weights_are_weights():
    X, y = blobs(apart=0.5)
    given_as = LinearSVMClassifier(0.01, class_weight={1: 3.0}, tol=1e-9).fit(X, y)
    same = LinearSVMClassifier(0.01, tol=1e-9).fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    np.testing.assert_array_equal(given_as.coef_, same.coef_)
    none = LinearSVMClassifier(0.01, class_weight={1: 0.0}).fit(X, y)
    assert set(none.predict(X)) == {0}


tables = st.builds(
    blobs, st.integers(4, 40), st.integers(1, 6), st.just(2), st.floats(0, 5), st.integers(0, 1000)
)


@given(tables, st.floats(1e-3, 1), st.sampled_from([0.125, 4.0, 1e3]))
def test_units_of_columns_and_penalty_go_together(table, alpha, unit):
    X, y = table
    scores = LinearSVMClassifier(alpha, tol=1e-9).fit(X, y).decision_function(X)
    model = LinearSVMClassifier(alpha * unit**2, tol=1e-9).fit(X * unit, y)
    np.testing.assert_allclose(model.decision_function(X * unit), scores, rtol=0, atol=1e-5)


@given(tables, st.floats(1e-3, 1), st.integers(2, 4))
def test_repeating_all_rows_changes_nothing(table, alpha, times):
    X, y = table
    once = LinearSVMClassifier(alpha, tol=1e-9).fit(X, y)
    often = LinearSVMClassifier(alpha, tol=1e-9).fit(np.tile(X, (times, 1)), np.tile(y, times))
    np.testing.assert_allclose(often.coef_, once.coef_, rtol=0, atol=1e-6 * (1 + abs(once.coef_).max()))
    np.testing.assert_allclose(often.objective_, once.objective_, rtol=1e-8)


@given(tables, st.floats(1e-3, 1), st.sampled_from([1, 3, 6, 10]))
def test_the_gap_bounds_what_is_missing(table, alpha, iterations):
    X, y = table
    best = LinearSVMClassifier(alpha, tol=1e-9).fit(X, y).objective_[0]
    rough = LinearSVMClassifier(alpha, tol=1e-9, max_iter=iterations)
    try:
        rough.fit(X, y)
    except ConvergenceWarning:  # an error in these tests; what was found is kept all the same
        assert not rough.converged_
    assert rough.duality_gap_[0] >= 0
    assert -1e-9 * best <= rough.objective_[0] - best <= rough.duality_gap_[0] + 1e-9 * best


def test_not_converged_is_told():
    X, y = blobs(apart=0.5)
    with pytest.warns(ConvergenceWarning, match=r"duality gap is .* after 2 iterations, not tol=1e-09\.$"):
        model = LinearSVMClassifier(tol=1e-9, max_iter=2).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ == 2


@pytest.mark.parametrize("scale", [1e6, 1e9, 1e12])
@pytest.mark.parametrize("repeat", [1, 5])
def test_huge_columns_beside_small_ones_end_soon(scale, repeat):
    X, y = blobs(rows=400, columns=4, apart=0.3)
    X = np.repeat(X * [1, scale, 1, 1], repeat, axis=0)
    start = time.process_time()
    model = LinearSVMClassifier().fit(X, np.repeat(y, repeat))
    assert time.process_time() - start < 5
    assert model.converged_
    assert model.n_iter_ < 100


# Long tables are learned from the rows near the margins


@pytest.mark.parametrize("apart", [0.3, 8.0])
def test_long_tables_reach_the_optimum_of_all_rows(apart):
    X, y = blobs(rows=24_000, columns=4, apart=apart)
    X[::8] *= 0.01  # the rows looked at first are nothing like the others
    signs, shares = np.where(y == 1, 1.0, -1.0), np.full(len(X), 1 / len(X))
    model = LinearSVMClassifier(1e-3, tol=1e-8).fit(X, y)
    plain = np.zeros(4), np.ones(4)
    task = signs, shares, np.full(4, 1e-3)
    whole = kernels.interior_point(X, plain, True, task, (1e-8, 200, 1))
    np.testing.assert_allclose(model.objective_[0], whole.objective, rtol=1e-8)
    np.testing.assert_allclose(model.objective_[0], told(model, X, y), rtol=1e-10)
    assert model.converged_
    assert 0 <= model.duality_gap_[0] <= 1e-8 * model.objective_[0]


# Solvers agree


def sparse_table(rows=1500, columns=1200, seed=3):
    random = np.random.default_rng(seed)
    X = sp.random(rows, columns, density=0.02, random_state=random, format="csr")
    y = np.where(X @ random.normal(size=columns) + 0.3 * random.normal(size=rows) > 0.1, "yes", "no")
    return X, y


def test_sparse_wide_tables_take_coordinate_descent_to_the_same_optimum():
    X, y = sparse_table()
    few = X[:300]
    for rows, labels in ((X, y), (few, y[:300])):  # by sweeps, and in coordinates of the rows
        model = LinearSVMClassifier(1e-2, tol=1e-6).fit(rows, labels)
        assert model.converged_
        dense = rows.toarray()
        np.testing.assert_allclose(model.objective_[0], told(model, dense, labels == "yes"), rtol=1e-9)
    exact = LinearSVMClassifier(1e-2, tol=1e-9).fit(X[:, :60], y)
    again = LinearSVMClassifier(1e-2, tol=1e-9).fit(X[:, :60].toarray(), y)
    np.testing.assert_allclose(exact.coef_, again.coef_, rtol=0, atol=1e-9)


def test_coordinate_descent_of_several_classes_is_the_same_for_any_number_of_threads():
    X, _ = sparse_table()
    y = np.arange(X.shape[0]) % 3
    first = LinearSVMClassifier(0.1, tol=1e-3, n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(first.coef_, LinearSVMClassifier(0.1, tol=1e-3, n_jobs=3).fit(X, y).coef_)


def test_gradient_descent_comes_near_the_optimum():
    X, y = blobs(rows=400, apart=1.5)
    best = LinearSVMClassifier(0.01).fit(X, y)
    near = LinearSVMClassifier(0.01, solver="sgd", random_state=0).fit(X, y)
    np.testing.assert_allclose(near.objective_, told(near, X, y), rtol=1e-12)
    assert best.objective_[0] < near.objective_[0] < 1.05 * best.objective_[0]
    assert near.n_iter_ == 50
    assert not hasattr(near, "duality_gap_")
    with pytest.raises(AttributeError, match="exact"):
        _ = near.support_


# Margins and support rows


def test_weights_are_what_support_rows_pull():
    X, y = blobs(rows=90, classes=3)
    for multi_class in ("one-vs-all", "all-vs-all"):
        model = LinearSVMClassifier(0.01, multi_class=multi_class, tol=1e-9).fit(X, y)
        np.testing.assert_allclose(model.dual_coef_ @ X[model.support_], model.coef_, rtol=0, atol=1e-8)
        np.testing.assert_allclose(model.dual_coef_.sum(axis=1), 0, atol=1e-8)
        assert (abs(model.dual_coef_) <= model.C_[:, None] * (1 + 1e-12)).all()


def test_rows_beyond_the_margin_have_no_part():
    X, y = blobs(apart=2.0)
    model = LinearSVMClassifier(0.01, tol=1e-9).fit(X, y)
    rest = np.setdiff1d(np.arange(60), model.support_)
    assert 0 < len(rest) < 60
    slack = model.slacks(X, y)[:, 0]
    assert (slack[rest] == 0).all()
    pulls = dict(zip(model.support_, abs(model.dual_coef_[0]), strict=True))
    for row in np.flatnonzero(slack > 1e-9):  # on the wrong side of the margin: pulls with all it has
        np.testing.assert_allclose(pulls[row], model.C_[0])


def test_slacks_of_pairs():
    X, y = blobs(rows=90, classes=3)
    model = LinearSVMClassifier(0.01, multi_class="all-vs-all").fit(X, y)
    slacks = model.slacks(X, y)
    assert slacks.shape == (90, 3)
    assert (slacks[y == 2, 0] == 0).all()  # not in the contest of 0 and 1
    parts = slacks.sum(axis=0) / 60 + model.alpha_ / 2 * (model.coef_**2).sum(axis=1)
    np.testing.assert_allclose(parts, model.objective_, rtol=1e-9)


def test_margin_of_zero_weights_is_infinite():
    model = LinearSVMClassifier().fit(np.zeros((4, 2)), [0, 1, 0, 1])
    assert np.isinf(model.margin_width_[0])


def test_large_offsets_cost_no_digits():
    X, y = blobs(apart=0.5)
    X = np.round(X * 1024) / 1024
    near, far = (LinearSVMClassifier(0.01, tol=1e-9).fit(X + shift, y) for shift in (0.0, 2.0**33))
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-6, atol=1e-9)
    scores = far.decision_function(X + 2.0**33)
    np.testing.assert_allclose(scores, near.decision_function(X), rtol=0, atol=1e-6)


# The penalty


def test_validation_chooses_among_powers_of_ten():
    X, y = blobs(rows=300, columns=8, apart=0.7)
    model = LinearSVMClassifier("validation", random_state=3).fit(X, y)
    assert list(model.validation_scores_) == [10.0**-power for power in range(7)]
    best = max(model.validation_scores_.values())
    assert model.alpha_ == max(a for a, score in model.validation_scores_.items() if score == best)
    again = LinearSVMClassifier(model.alpha_).fit(X, y)
    np.testing.assert_array_equal(model.coef_, again.coef_)
    assert not hasattr(again, "validation_scores_")


def test_validation_holds_out_the_same_rows_for_weights_and_repetition():
    X, y = blobs(rows=200, columns=4, classes=3, apart=0.7)
    weights = np.arange(200) % 3
    model = LinearSVMClassifier("validation", alphas=[1.0, 0.01], random_state=0, tol=1e-9)
    weighted = model.fit(X, y, sample_weight=weights).validation_scores_
    repeated = model.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).validation_scores_
    assert weighted == pytest.approx(repeated, abs=1e-12)


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_validation_of_few_rows_answers(rows):
    X, y = blobs(rows=rows)
    assert len(LinearSVMClassifier("validation", random_state=0).fit(X, y).predict(X)) == rows


@pytest.mark.parametrize("alphas", [[], [1.0, 0.0], [-1.0]])
def test_alphas_are_checked(alphas):
    with pytest.raises(ParameterError, match="alphas must be"):
        LinearSVMClassifier("validation", alphas=alphas).fit(*blobs())


# What counts nothing, and what is refused


@pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])
def test_support_rows_are_places_in_the_whole_table(multi_class):
    X, y = blobs(rows=90, classes=3)
    weights = np.where(np.arange(90) % 4 == 0, 0.0, 1.0)
    model = LinearSVMClassifier(alpha=0.01, multi_class=multi_class).fit(X, y, sample_weight=weights)
    assert (weights[model.support_] > 0).all()
    np.testing.assert_allclose(model.dual_coef_ @ X[model.support_], model.coef_, atol=1e-9)


@pytest.mark.parametrize("solver", ["exact", "sgd"])
@pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_two_classes_that_count_nothing(solver, multi_class, fit_intercept):
    X, y = blobs(rows=90, classes=3)
    options = {"solver": solver, "multi_class": multi_class, "fit_intercept": fit_intercept}
    model = LinearSVMClassifier(class_weight={0: 0, 1: 0}, random_state=0, **options).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert (model.coef_.shape[0], model.C_.shape[0]) == (3, 3)
    if multi_class == "all-vs-all":
        assert model.C_[0] == np.inf
        assert solver == "sgd" or not fit_intercept or (model.predict(X) == 2).all()


@pytest.mark.parametrize("label", [-1, 7])
def test_slacks_are_of_labels_that_were_learned(label):
    X, y = blobs()
    model = LinearSVMClassifier().fit(X, y)
    with pytest.raises(DataError, match=f"y must be .*, got {label}"):
        model.slacks(X[:2], [label, 0])
    with pytest.raises(DataError, match="must be 2 labels long"):
        model.slacks(X[:2], [0])


def test_a_fit_that_fails_leaves_what_was_learned():
    X, y = blobs(rows=90, classes=3)
    model = LinearSVMClassifier("validation", random_state=0).fit(X[y < 2], y[y < 2])
    before, scores = model.predict(X), model.validation_scores_
    with pytest.raises(ParameterError, match="alphas must be"):
        model.set_params(alphas=[-1.0]).fit(X, y)
    assert model.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(model.predict(X), before)
    assert model.validation_scores_ == scores
