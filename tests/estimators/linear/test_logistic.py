import time
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from classica import LinearDiscriminantClassifier, LogisticClassifier
from classica.errors import DataError, ParameterError
from classica.estimators.linear import logistic_newton as _logistic_newton
from classica.estimators.linear import logistic_problem as _logistic_problem
from tests.reference import logistic as reference

EXACT = 1e-11
each_solver = pytest.mark.parametrize("solver", ["newton", "lbfgs"])
each_number = pytest.mark.parametrize("classes", [2, 3, 5])


def some_rows(rows=150, columns=4, classes=3, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, size=rows)
    y[:classes] = np.arange(classes)
    means = random.normal(size=(classes, columns))
    return random.normal(size=(rows, columns)) + 0.7 * means[y], y


def violation(model, X, y, weights=None):
    """Return by how much the fitted model misses the conditions of a minimum."""
    weights = np.ones(len(y)) if weights is None else weights
    C = 1.0 if np.isinf(model.C) else model.C
    ridge = 0.0 if np.isinf(model.C) else 1.0
    slopes = reference.loss_and_gradient(
        X, np.zeros(X.shape[1]), y, weights, np.column_stack([model.coef_, model.intercept_])
    )[1]
    slopes *= C
    slopes[:, :-1] += ridge * (1 - model.l1_ratio) * model.coef_
    if not model.fit_intercept:
        slopes[:, -1] = 0
    return reference.kkt_violation(slopes, model.coef_, ridge * model.l1_ratio)


# The minimum


@each_solver
@each_number
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("C", [1e-3, 1.0, 100.0, np.inf])
def test_no_slope_is_left(solver, classes, fit_intercept, C):
    X, y = some_rows(classes=classes)
    model = LogisticClassifier(C, solver=solver, fit_intercept=fit_intercept, tol=EXACT).fit(X, y)
    assert model.converged_
    assert violation(model, X, y) < 1e-6 * (1 if np.isinf(C) else max(C, 1))
    assert model.coef_.shape == (1 if classes == 2 else classes, 4)
    if not fit_intercept:
        assert (model.intercept_ == 0).all()


@each_solver
@each_number
def test_scikit_learn_finds_the_same(solver, classes):
    X, y = some_rows(classes=classes)
    weights = np.linspace(0.2, 2, len(y))
    ours = LogisticClassifier(0.3, solver=solver, class_weight="balanced", tol=EXACT)
    ours.fit(X, y, sample_weight=weights)
    # What "balanced" means beside row weights has changed in scikit-learn, so it is told by row.
    labels, codes = np.unique(y, return_inverse=True)
    totals = np.bincount(codes, weights)
    balanced = weights * (weights.sum() / (len(labels) * totals))[codes]
    peer = LogisticRegression(C=0.3, tol=1e-10, solver="newton-cholesky").fit(X, y, sample_weight=balanced)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-7)


@each_number
def test_a_general_minimiser_finds_nothing_better(classes):
    X, y = some_rows(rows=40, columns=2, classes=classes)
    model = LogisticClassifier(0.7, tol=EXACT).fit(X, y)
    shape = (len(model.coef_), 3)

    def objective(flat):
        both = flat.reshape(shape)
        value, slopes = reference.objective(X, y, np.ones(len(y)), 0.7, 0.0, both[:, :-1], both[:, -1])
        return value, slopes.ravel()

    found = minimize(objective, np.zeros(np.prod(shape)), jac=True, method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(model.objective_, found.fun, rtol=1e-10)
    np.testing.assert_allclose(model.coef_, found.x.reshape(shape)[:, :-1], rtol=0, atol=1e-5)


def test_solvers_agree_on_columns_of_any_unit():
    X, y = some_rows()
    X = X * [1e-6, 1.0, 1e3, 1e8] + [0.0, 1e5, -1e6, 1e12]
    models = [LogisticClassifier(solver=solver, tol=EXACT).fit(X, y) for solver in ("newton", "lbfgs")]
    np.testing.assert_allclose(models[0].predict_proba(X), models[1].predict_proba(X), rtol=0, atol=1e-6)
    free = [LogisticClassifier(np.inf, tol=EXACT).fit(T, y) for T in (X, some_rows()[0])]
    np.testing.assert_allclose(free[0].predict_proba(X), free[1].predict_proba(some_rows()[0]), atol=1e-6)


def test_one_vector_or_two_for_two_classes_have_the_same_posteriors():
    # Two vectors that sum to zero are each half as long: their penalty is half of that of one.
    X, y = some_rows(classes=2)
    model = LogisticClassifier(0.5, tol=EXACT).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(X @ model.coef_[0] + model.intercept_))
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef_[0] + model.intercept_, rtol=1e-10)

    def of_two(flat):
        both = flat.reshape(2, -1)
        value, slopes = reference.objective(X, y, np.ones(len(y)), 0.25, 0.0, both[:, :-1], both[:, -1])
        return value, slopes.ravel()

    two = minimize(of_two, np.zeros(10), jac=True, options={"gtol": 1e-9}).x.reshape(2, -1)
    posteriors = softmax(X @ two[:, :-1].T + two[:, -1], axis=1)
    np.testing.assert_allclose(model.predict_proba(X), posteriors, rtol=0, atol=1e-6)


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_weights_and_intercepts_of_the_classes_sum_to_zero(C):
    X, y = some_rows(classes=4)
    for solver in ("newton", "lbfgs"):
        model = LogisticClassifier(C, solver=solver, tol=EXACT).fit(X, y)
        np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(model.intercept_.sum(), 0, atol=1e-9)


# Absolute penalties


@each_number
@pytest.mark.parametrize("l1_ratio", [0.2, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_conditions_of_a_minimum_with_kinks(classes, l1_ratio, seed):
    X, y = some_rows(classes=classes, columns=8, seed=seed)
    for C in (0.01, 0.1, 10.0):
        model = LogisticClassifier(C, l1_ratio=l1_ratio, tol=EXACT).fit(X, y)
        assert model.converged_
        assert violation(model, X, y) < 1e-7 * max(C, 1)
        assert model.n_parameters_ == max(np.count_nonzero(model.coef_) + max(classes - 1, 1), 1)


def test_weights_are_exactly_zero():
    X, y = some_rows(columns=8)
    counts = [
        np.count_nonzero(LogisticClassifier(C, l1_ratio=1.0).fit(X, y).coef_) for C in (1e-4, 0.02, 0.1, 10)
    ]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert 0 < counts[1] < counts[2] < 24
    shares = np.bincount(y) / len(y)
    nothing = LogisticClassifier(1e-4, l1_ratio=1.0, tol=EXACT).fit(X, y)
    np.testing.assert_allclose(nothing.predict_proba(X), np.tile(shares, (len(X), 1)), rtol=1e-9)


@each_number
def test_columns_one_by_one_give_the_same(classes, monkeypatch):
    X, y = some_rows(classes=classes, columns=8)
    model = LogisticClassifier(0.1, l1_ratio=0.7, tol=EXACT)
    wanted = model.fit(X, y).coef_
    monkeypatch.setattr(_logistic_newton, "MOST_PRODUCTS", 0)
    np.testing.assert_allclose(model.fit(X, y).coef_, wanted, rtol=0, atol=1e-8)
    monkeypatch.setattr(_logistic_problem, "_FEW_CELLS", 0)
    np.testing.assert_allclose(model.fit(sp.csr_matrix(X), y).coef_, wanted, rtol=0, atol=1e-7)
    assert ((model.coef_ == 0) == (wanted == 0)).all()


def test_columns_that_say_the_same_share_or_choose():
    X, y = some_rows(columns=1, classes=2)
    twice = np.repeat(X, 2, axis=1)
    for l1_ratio in (0.0, 0.5):
        both = LogisticClassifier(l1_ratio=l1_ratio, tol=EXACT).fit(twice, y)
        np.testing.assert_allclose(both.coef_[0, 0], both.coef_[0, 1], rtol=1e-6)
    free = LogisticClassifier(np.inf, tol=EXACT).fit(twice, y)
    np.testing.assert_allclose(free.coef_.sum(), LogisticClassifier(np.inf, tol=EXACT).fit(X, y).coef_.sum())
    np.testing.assert_allclose(free.coef_[0, 0], free.coef_[0, 1], rtol=1e-9)


# Sparse rows


@each_number
@pytest.mark.parametrize("few_cells", [0, 1 << 24])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_give_the_same(classes, few_cells, dtype, monkeypatch):
    monkeypatch.setattr(_logistic_problem, "_FEW_CELLS", few_cells)
    X, y = some_rows(classes=classes)
    X = np.where(X > 0.3, X, 0).astype(dtype)
    dense = LogisticClassifier(tol=1e-10).fit(X, y)
    sparse = LogisticClassifier(tol=1e-10).fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=0, atol=1e-7)
    np.testing.assert_allclose(sparse.predict_proba(sp.csr_matrix(X)), dense.predict_proba(X), atol=1e-7)


def test_zeros_of_many_columns_cost_nothing(monkeypatch):
    random = np.random.default_rng(0)
    X = sp.random(200, 1500, density=0.02, random_state=0, format="csr")
    y = (X @ random.normal(size=1500) > 0).astype(int)
    dense = LogisticClassifier(l1_ratio=0.9, C=10.0, tol=1e-10).fit(X.toarray(), y)
    with monkeypatch.context() as patch:
        patch.setattr(sp.csr_matrix, "toarray", None)
        patch.setattr(sp.csr_array, "toarray", None)
        sparse = LogisticClassifier(l1_ratio=0.9, C=10.0, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=0, atol=1e-7)
    np.testing.assert_allclose(sparse.intercept_, dense.intercept_, rtol=0, atol=1e-7)


def test_wide_sparse_rows():
    random = np.random.default_rng(0)
    cells = (random.random(40_000), random.integers(0, 50_000, 40_000), np.arange(0, 40_001, 100))
    X = sp.csr_matrix(cells, shape=(400, 50_000))
    X.sum_duplicates()
    y = (X @ random.normal(size=50_000) > 0).astype(int) + (random.random(400) < 0.2)
    for l1_ratio in (0.0, 0.9):
        model = LogisticClassifier(10.0, l1_ratio=l1_ratio, tol=1e-8).fit(X, y)
        assert model.converged_
        both = np.column_stack([model.coef_, model.intercept_])
        chances = softmax(X @ both[:, :-1].T + both[:, -1], axis=1)
        chances[np.arange(400), y] -= 1
        slopes = 10 * np.column_stack([(X.T @ chances).T, chances.sum(axis=0)])
        slopes[:, :-1] += (1 - l1_ratio) * model.coef_
        assert reference.kkt_violation(slopes, model.coef_, l1_ratio) < 1e-4
        assert (model.coef_ == 0).any() == (l1_ratio > 0) or l1_ratio == 0


# Without a penalty


@each_solver
def test_separable_classes_end_with_finite_weights_and_one_warning(solver):
    X = np.array([[0.0], [1], [2], [3]])
    with pytest.warns(ConvergenceWarning) as caught:
        model = LogisticClassifier(np.inf, solver=solver).fit(X, [0, 0, 1, 1])
    assert len(caught) == 1
    assert str(caught[0].message).count(". ") == 0
    assert model.separable_
    assert not model.converged_
    assert np.isfinite(model.coef_).all()
    assert model.predict(X).tolist() == [0, 0, 1, 1]
    assert not hasattr(model, "standard_errors_")
    assert not hasattr(model, "summary")


def test_rows_of_one_class_behind_a_plane_are_found():
    # The second column is 1 for rows of one class only: its weight grows, that of the first does not.
    X, y = some_rows(columns=1, classes=2)
    X = np.column_stack([X, (np.arange(len(y)) % 5 == 0) & (y == 1)])
    with pytest.warns(ConvergenceWarning, match="separable"):
        model = LogisticClassifier(np.inf, tol=1e-8).fit(X, y)
    assert model.separable_
    rest = X[:, 1] == 0
    alone = LogisticClassifier(np.inf, tol=1e-8).fit(X[rest, :1], y[rest])
    np.testing.assert_allclose(model.coef_[0, 0], alone.coef_[0, 0], rtol=1e-5)


def test_classes_that_overlap_are_not_called_separable():
    X, y = some_rows(rows=400, classes=2)
    assert not LogisticClassifier(np.inf).fit(X, y).separable_
    assert not LogisticClassifier(1.0).fit(X, y).separable_


def test_standard_errors_are_the_spread_over_samples():
    random = np.random.default_rng(0)
    estimates, told = [], []
    for _ in range(300):
        X = random.normal(size=(300, 2)) * [1, 100] + [5, 0]
        y = random.random(300) < expit(0.5 + X @ [1.0, -0.005] - 5)
        model = LogisticClassifier(np.inf).fit(X, y)
        estimates.append(np.append(model.intercept_, model.coef_[0]))
        told.append(model.standard_errors_)
    np.testing.assert_allclose(np.std(estimates, axis=0), np.mean(told, axis=0), rtol=0.15)


def test_standard_errors_only_where_they_mean_something():
    X, y = some_rows(classes=3)
    for model in (LogisticClassifier(np.inf).fit(X, y), LogisticClassifier(1.0).fit(X, y == 0)):
        assert not hasattr(model, "standard_errors_")
        assert not hasattr(model, "summary")
    free = LogisticClassifier(np.inf, fit_intercept=False).fit(np.column_stack([X, np.zeros(len(X))]), y == 0)
    assert free.standard_errors_[0] == free.standard_errors_[-1] == 0
    assert (free.standard_errors_[1:-1] > 0).all()


def test_summary():
    # Of 30 rows with x = 0, 10 are of the second class; of 30 with x = 1, 20 are: an odds ratio of 4.
    X = np.repeat([[0.0], [1.0]], 30, axis=0)
    y = np.r_[np.arange(30) < 10, np.arange(30) < 20].astype(int)
    model = LogisticClassifier(np.inf, tol=EXACT).fit(X, y)
    np.testing.assert_allclose(model.coef_, [[np.log(4)]], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, [-np.log(2)], rtol=1e-9)
    cells = 1 / 10 + 1 / 20
    np.testing.assert_allclose(model.standard_errors_, np.sqrt([cells, 2 * cells]), rtol=1e-9)
    lines = model.summary().splitlines()
    assert lines[0].split() == ["coefficient", "std.", "error", "z", "p", "odds", "ratio"]
    assert lines[1].split() == ["intercept", "-0.69315", "0.3873", "-1.7897", "0.073502", "0.5"]
    assert lines[2].split() == ["x0", "1.3863", "0.54772", "2.531", "0.011373", "4"]


# Beside the linear discriminant


def test_gaussians_of_one_covariance_have_the_log_odds_of_the_linear_discriminant():
    random = np.random.default_rng(0)
    root = np.array([[1.0, 0.0], [0.6, 0.8]])
    means = np.array([[0.0, 0.0], [1.5, -0.5]])
    y = (random.random(200_000) < 0.3).astype(int)
    X = random.normal(size=(len(y), 2)) @ root.T + means[y]
    inverse = np.linalg.inv(root @ root.T)
    direction = inverse @ (means[1] - means[0])
    offset = np.log(0.3 / 0.7) - direction @ (means[0] + means[1]) / 2
    ours, other = LogisticClassifier(np.inf).fit(X, y), LinearDiscriminantClassifier().fit(X, y)
    for model in (ours, other):
        np.testing.assert_allclose(model.coef_[0], direction, rtol=0.02)
        np.testing.assert_allclose(model.intercept_, [offset], rtol=0.02)
    # A posterior is off by at most a quarter of what the log odds are off.
    apart = abs(ours.predict_proba(X) - other.predict_proba(X))
    assert apart.mean() < 0.002
    assert apart.max() < 0.25 * abs(ours.decision_function(X) - other.decision_function(X)).max() < 0.05


# Edges


def test_one_class_is_certain():
    model = LogisticClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict_proba([[3.0]]).tolist() == [[1.0]]
    assert model.coef_.tolist() == [[0.0]]
    assert model.deviance_ == 0


def test_no_column_says_anything():
    model = LogisticClassifier(tol=EXACT).fit(np.full((4, 2), 0.1), [0, 1, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[5.0, 5.0]]), [[0.25, 0.75]], rtol=1e-9)
    assert (model.coef_ == 0).all()


def test_far_away_rows_have_probabilities():
    X, y = some_rows()
    model = LogisticClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for far in (1e10, 1e150, -1e150):
            rows = np.full((1, 4), far)
            assert np.isfinite(model.predict_proba(rows)).all()
            assert np.isfinite(model.predict_log_proba(rows)).all()
    logs = model.predict_log_proba(X * 1e3)
    scores = X * 1e3 @ model.coef_.T + model.intercept_
    # What is left of a difference has the rounding of the scores.
    rounding = 1e-15 * abs(scores).max()
    np.testing.assert_allclose(logs, log_softmax(scores, axis=1), rtol=1e-12, atol=rounding)


def test_too_large_values_are_refused():
    with pytest.raises(DataError, match="column 1, row 2, must be at most 1e\\+150"):
        LogisticClassifier().fit([[1.0, 2], [3, 4], [5, 1e151]], [0, 1, 1])


@each_solver
def test_too_few_steps_are_told(solver):
    X, y = some_rows()
    with pytest.warns(ConvergenceWarning, match="max_iter must be larger to reach tol=1e-12, got 2"):
        model = LogisticClassifier(solver=solver, max_iter=2, tol=1e-12).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ == 2


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan, -np.inf, True, None])
def test_what_the_penalty_must_be(wrong):
    with pytest.raises(ParameterError, match="C must be a number above 0 or infinity, got"):
        LogisticClassifier(wrong).fit([[0.0], [1.0]], [0, 1])


def test_weights_of_classes():
    X, y = some_rows()
    by_class = {0: 2.0, 2: 0.5}
    weighted = LogisticClassifier(class_weight=by_class, tol=EXACT).fit(X, y)
    rows = LogisticClassifier(tol=EXACT).fit(X, y, sample_weight=np.array([2.0, 1.0, 0.5])[y])
    np.testing.assert_array_equal(weighted.coef_, rows.coef_)


def test_number_of_parameters():
    X, y = some_rows(classes=4)
    assert LogisticClassifier().fit(X, y).n_parameters_ == 15
    assert LogisticClassifier(fit_intercept=False).fit(X, y).n_parameters_ == 12
    assert LogisticClassifier().fit(X, y == 0).n_parameters_ == 5


def test_many_rows_take_few_passes():
    X, y = some_rows(rows=60_000, columns=30, classes=6)
    start = time.process_time()
    model = LogisticClassifier(tol=1e-4).fit(X, y)
    assert model.n_iter_ < 40
    assert time.process_time() - start < 10
