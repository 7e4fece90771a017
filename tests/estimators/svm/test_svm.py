import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score

from classica import SVMClassifier
from classica.errors import DataError, ParameterError

IRIS = load_iris(return_X_y=True)
KERNELS = ["linear", "poly", "rbf", "sigmoid"]
each_kernel = pytest.mark.parametrize("kernel", KERNELS)
each_scheme = pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])


def overlapping(rows=200, classes=2, seed=0):
    X, y = make_blobs(rows, 4, centers=classes, cluster_std=6, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def settings(kernel):
    return {"kernel": kernel, "gamma": 0.02 if kernel == "sigmoid" else 0.5, "coef0": 1.0, "degree": 2}


@each_kernel
@each_scheme
def test_attributes_tell_one_story(kernel, multi_class):
    X, y = overlapping(classes=3)
    model = SVMClassifier(**settings(kernel), multi_class=multi_class, tol=1e-8).fit(X, y)
    machines = 3
    assert model.converged_
    assert (np.diff(model.support_) > 0).all()
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    np.testing.assert_array_equal(model.n_support_, np.bincount(y[model.support_]))
    assert model.dual_coef_.shape == model.slacks_.shape == (machines, len(model.support_))
    np.testing.assert_allclose(model.dual_coef_.sum(axis=1), 0, atol=1e-12)
    for told in (model.objective_, model.duality_gap_, model.margin_width_, model.n_iter_, model.intercept_):
        assert told.shape == (machines,)
    assert (model.slacks_[model.dual_coef_ == 0] >= 0).all()
    if kernel != "sigmoid":
        assert (model.duality_gap_ >= -1e-9).all()
        assert (model.duality_gap_ <= 1e-4).all()
    # Without slack a row is beyond its margin, with slack its multiplier is at C.
    assert (abs(model.dual_coef_)[model.slacks_ > 1e-6] == 1.0).all()


def test_the_scores_are_the_sums_told():
    X, y = overlapping()
    model = SVMClassifier(gamma=0.5).fit(X, y)
    squares = ((X[:, None] - model.support_vectors_) ** 2).sum(axis=2)
    wanted = np.exp(-0.5 * squares) @ model.dual_coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), wanted, atol=1e-12)


def test_the_linear_machine_has_weights_of_columns():
    X, y = overlapping()
    X = X + np.array([0, 10, -1e3, 1e5])
    model = SVMClassifier(kernel="linear", tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.coef_, model.dual_coef_ @ X[model.support_], atol=1e-8)
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef_[0] + model.intercept_, atol=1e-8)
    np.testing.assert_allclose(model.margin_width_, 2 / np.linalg.norm(model.coef_), rtol=1e-10)
    with pytest.raises(AttributeError, match="linear kernel only, not for"):
        _ = SVMClassifier().fit(X, y).coef_


@each_kernel
def test_known_values_give_the_same_machine(kernel):
    X, y = overlapping(classes=3)
    new, _ = overlapping(50, seed=1)
    plain = SVMClassifier(**settings(kernel), tol=1e-9).fit(X, y)

    def function(A, B):
        dots = A @ B.T
        squares = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1) - 2 * dots
        poly = (0.5 * dots + 1) ** 2
        return {"linear": dots, "poly": poly, "rbf": np.exp(-0.5 * squares)}.get(
            kernel, np.tanh(0.02 * dots + 1)
        )

    called = SVMClassifier(kernel=function, tol=1e-9).fit(X, y)
    known = SVMClassifier(kernel="precomputed", tol=1e-9).fit(function(X, X), y)
    wanted = plain.decision_function(new)
    np.testing.assert_allclose(called.decision_function(new), wanted, atol=1e-6)
    np.testing.assert_allclose(known.decision_function(function(new, X)), wanted, atol=1e-6)
    np.testing.assert_array_equal(known.support_, called.support_)
    assert known.support_vectors_.shape[1] == 0


def test_known_values_with_rows_that_do_not_count():
    X, y = overlapping()
    weights = np.arange(200) % 3.0
    K = X @ X.T
    known = SVMClassifier(kernel="precomputed", tol=1e-9).fit(K, y, weights)
    linear = SVMClassifier(kernel="linear", tol=1e-9).fit(X, y, weights)
    np.testing.assert_allclose(known.decision_function(K), linear.decision_function(X), atol=1e-6)
    assert (weights[known.support_] > 0).all()


def test_known_values_must_be_square():
    with pytest.raises(DataError, match="X of kernel values must be square"):
        SVMClassifier(kernel="precomputed").fit(np.ones((4, 3)), [0, 1, 0, 1])


def test_cross_validation_cuts_known_values_both_ways():
    X, y = overlapping()
    wanted = cross_val_score(SVMClassifier(kernel="linear"), X, y)
    np.testing.assert_allclose(cross_val_score(SVMClassifier(kernel="precomputed"), X @ X.T, y), wanted)


@each_kernel
def test_the_order_of_rows_does_not_matter(kernel):
    X, y = overlapping(classes=3)
    order = np.random.default_rng(0).permutation(len(y))
    first = SVMClassifier(**settings(kernel), tol=1e-7).fit(X, y)
    second = SVMClassifier(**settings(kernel), tol=1e-7).fit(X[order], y[order])
    # A kernel that is no inner product has several stationary points.
    near = 1e-5 if kernel != "sigmoid" else 1e-3
    np.testing.assert_allclose(first._model.scores(X, 1), second._model.scores(X, 1), atol=near)


@each_kernel
def test_a_shift_of_all_rows_matters_only_to_inner_products(kernel):
    X, y = overlapping()
    if kernel in ("linear", "rbf"):
        plain = SVMClassifier(**settings(kernel), tol=1e-8).fit(X, y)
        moved = SVMClassifier(**settings(kernel), tol=1e-8).fit(X + 1e6, y)
        np.testing.assert_allclose(moved.decision_function(X + 1e6), plain.decision_function(X), atol=1e-6)


def test_weights_of_classes_and_rows_multiply_the_price():
    X, y = overlapping()
    balanced = SVMClassifier(class_weight={0: 3.0}, tol=1e-9).fit(X, y)
    weighted = SVMClassifier(gamma=balanced._model.kernel.gamma, tol=1e-9).fit(
        X, y, np.where(y == 0, 3.0, 1.0)
    )
    np.testing.assert_allclose(balanced.decision_function(X), weighted.decision_function(X), atol=1e-6)
    assert abs(balanced.dual_coef_).max() == 3.0


def test_a_class_of_no_weight_is_never_learned():
    X, y = overlapping()
    model = SVMClassifier(class_weight={1: 0.0}).fit(X, y)
    assert len(model.support_) == 0
    assert np.isfinite(model.decision_function(X)).all()
    assert (model.predict(X) == 0).all()


# Not to hang

HUGE = np.random.default_rng(3).normal(size=(300, 6)) * [1, 1e3, 1e6, 1e9, 1, 1]
DUPLICATES = np.repeat(np.random.default_rng(4).normal(size=(5, 3)), 60, axis=0)


@pytest.mark.parametrize("X", [HUGE, DUPLICATES], ids=["huge columns", "duplicates"])
@each_kernel
def test_hard_tables_end_within_their_limits(X, kernel):
    y = np.arange(300) % 2
    model = SVMClassifier(C=1e6, kernel=kernel, max_iter=3000, max_seconds=5)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    assert model.converged_ == (not caught)
    assert (model.n_iter_ <= 3000).all()
    assert np.isfinite(model.decision_function(X)).all()


def test_the_warning_says_how_far_it_got():
    X, y = overlapping()
    with pytest.warns(
        ConvergenceWarning, match=r"tolerance of 0.001, got a violation of .* after 3 steps\.$"
    ):
        model = SVMClassifier(C=100, max_iter=3).fit(X, y)
    assert not model.converged_
    assert model.n_iter_.tolist() == [3]
    with pytest.warns(ConvergenceWarning):
        assert not SVMClassifier(C=1e5, tol=1e-12, max_seconds=1e-9).fit(X, y).converged_


def test_without_slack_limits_are_told_and_prove_nothing():
    X, y = make_blobs(200, 2, centers=[[0, 0], [9, 9]], cluster_std=1.0, random_state=2)
    with pytest.warns(ConvergenceWarning):
        model = SVMClassifier(C=np.inf, kernel="linear", tol=1e-9, max_iter=2).fit(X, y)
    assert not model.converged_
    assert SVMClassifier(C=np.inf, kernel="linear").fit(X, y).score(X, y) == 1.0


def test_polynomials_that_overflow_are_refused():
    X, y = overlapping()
    with pytest.raises(DataError, match="Each column of X must be scaled"):
        SVMClassifier(kernel="poly", gamma=1.0, degree=3).fit(X * 1e90, y)


@pytest.mark.parametrize("C", [0, -1.0, "inf", -np.inf, np.nan])
def test_the_price_is_positive(C):
    with pytest.raises(ParameterError, match="C must be a number above 0 or infinity"):
        SVMClassifier(C).fit(*IRIS)


# Grids


@each_kernel
@each_scheme
def test_grids_score_like_fresh_fits(kernel, multi_class):
    X, y = overlapping(150, classes=3)
    model = SVMClassifier(**settings(kernel), multi_class=multi_class, class_weight="balanced", tol=1e-6)
    widths = [0.01, "scale"] if kernel == "sigmoid" else [0.1, "scale"]
    points = [{"C": C, "gamma": gamma} for gamma in widths for C in (10.0, 0.1, 1.0)]
    splits = list(StratifiedKFold(3).split(X, y))
    found = model.grid_scores(X, y, points=points, splits=splits)
    wanted = [
        cross_val_score(SVMClassifier(**model.get_params() | point), X, y, cv=splits) for point in points
    ]
    # Rows on a boundary may go either way.
    np.testing.assert_allclose(found, wanted, atol=1 / 49)
    assert (found == np.array(wanted)).mean() > 0.9


@pytest.mark.parametrize(("classes", "scoring"), [(2, "roc_auc"), (3, "balanced_accuracy")])
def test_grids_know_margins_for_any_score(classes, scoring, monkeypatch):
    X, y = overlapping(150, classes=classes)
    splits, points = list(StratifiedKFold(3).split(X, y)), [{"C": C} for C in (0.1, 1.0, 10.0)]
    wanted = [
        cross_val_score(SVMClassifier(tol=1e-6, **point), X, y, cv=splits, scoring=scoring)
        for point in points
    ]
    monkeypatch.setattr(SVMClassifier, "fit", None)  # it does without
    found = SVMClassifier(tol=1e-6).grid_scores(X, y, points=points, splits=splits, scoring=scoring)
    np.testing.assert_allclose(found, wanted, atol=1e-3)


def test_grids_of_known_values_and_of_functions():
    X, y = overlapping()
    splits, points = list(StratifiedKFold(3).split(X, y)), [{"C": 0.1}, {"C": 10.0}]
    plain = SVMClassifier(kernel="linear").grid_scores(X, y, points=points, splits=splits)
    known = SVMClassifier(kernel="precomputed").grid_scores(X @ X.T, y, points=points, splits=splits)
    called = SVMClassifier(kernel=lambda A, B: A @ B.T).grid_scores(X, y, points=points, splits=splits)
    np.testing.assert_allclose(known, plain, atol=1 / 60)
    np.testing.assert_array_equal(called, known)


def test_a_fitted_model_stays_as_it_is():
    X, y = overlapping()
    model = SVMClassifier().fit(X, y)
    before = model.decision_function(X)
    model.grid_scores(X[:, :2], y, points=[{"C": 2.0}], splits=[(np.arange(100), np.arange(100, 200))])
    np.testing.assert_array_equal(model.decision_function(X), before)


def test_other_scores_and_prices_are_those_of_fresh_fits():
    X, y = make_blobs(60, 2, centers=2, random_state=0)
    splits = list(StratifiedKFold(2).split(X, y))
    found = SVMClassifier().grid_scores(X, y, points=[{"C": np.inf}, {"C": 1.0}], splits=splits)
    assert found.shape == (2, 2)
    areas = SVMClassifier().grid_scores(X, y, points=[{"C": 1.0}], splits=splits, scoring="roc_auc")
    np.testing.assert_allclose(areas[0], cross_val_score(SVMClassifier(), X, y, cv=splits, scoring="roc_auc"))
    with pytest.raises(ParameterError, match="points must be dicts of C, kernel, gamma"):
        SVMClassifier().grid_scores(X, y, points=[{"tol": 1.0}], splits=splits)
    with pytest.raises(ParameterError, match="gamma must be"):
        SVMClassifier().grid_scores(X, y, points=[{"gamma": -1.0}], splits=splits)


def test_a_gamma_may_agree_with_another_on_some_splits_only():
    X = np.array([[1.0], [-1.0], [1.0], [-1.0], [1.0], [-1.0], [1.0], [2.0]])
    y = np.arange(8) % 2
    splits = [(np.arange(4), np.arange(4, 8)), (np.arange(2, 8), np.arange(2))]  # "scale" is 1 on the first
    points = [{"gamma": "scale", "C": 0.1}, {"gamma": 1.0, "C": 1.0}]
    found = SVMClassifier().grid_scores(X, y, points=points, splits=splits)
    fresh = [cross_val_score(SVMClassifier(**point), X, y, cv=splits) for point in points]
    np.testing.assert_array_equal(found, fresh)


def test_one_class_of_equal_rows_has_a_hard_margin():
    model = SVMClassifier(C=np.inf, kernel="linear").fit([[0.0], [0.0]], ["only", "only"])
    assert model.predict([[3.0]]).tolist() == ["only"]
