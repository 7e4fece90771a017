import numpy as np
import pytest
from sklearn.svm import SVR

from classica import SVMRegressor
from classica.errors import DataError
from tests.reference import svm as reference


def wave(rows=150, seed=0):
    random = np.random.default_rng(seed)
    X = random.uniform(-3, 3, size=(rows, 2))
    return X, np.sin(X[:, 0]) + 0.3 * X[:, 1] + random.normal(scale=0.1, size=rows)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_predictions_are_those_of_libsvm(kernel, C):
    X, y = wave()
    settings = {"kernel": kernel, "C": C, "gamma": 0.3, "coef0": 1.0, "degree": 2, "epsilon": 0.05}
    ours = SVMRegressor(**settings, tol=1e-6).fit(X, y)
    theirs = SVR(**settings, tol=1e-6).fit(X, y)
    # Their kernel values are in single precision.
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=2e-4)
    assert ours.converged_
    assert 0 <= ours.duality_gap_ + 1e-9 < 1e-3


def test_the_tube_by_its_conditions():
    X, y = wave(40)
    model = SVMRegressor(gamma=0.5, C=2.0, epsilon=0.1, tol=1e-9).fit(X, y)
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    beta = np.zeros(40)
    beta[model.support_] = model.dual_coef_[0]
    alpha = np.concatenate([np.maximum(beta, 0), np.maximum(-beta, 0)])
    signs, upper = np.repeat([1.0, -1.0], 40), np.full(80, 2.0)
    linear = np.concatenate([0.1 - y, 0.1 + y])
    assert reference.violation(np.tile(K, (2, 2)), signs, upper, linear, alpha) <= 2e-9
    errors = abs(model.predict(X) - y)
    assert (errors[beta == 0] <= 0.1 + 1e-8).all()
    assert (errors[abs(beta) == 2.0] >= 0.1 - 1e-8).all()


def test_targets_within_the_tube_need_no_support():
    model = SVMRegressor(epsilon=1.0).fit([[0.0], [1.0], [2.0]], [4.0, 5.0, 5.5])
    assert len(model.support_) == 0
    np.testing.assert_allclose(model.predict([[7.0]]), [4.75])


def test_weights_are_repetitions():
    X, y = wave(60)
    weights = np.arange(60) % 3
    weighted = SVMRegressor(tol=1e-9, gamma=0.2).fit(X, y, weights)
    repeated = SVMRegressor(tol=1e-9, gamma=0.2).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-7)
    assert (weights[weighted.support_] > 0).all()


def test_known_values():
    X, y = wave(60)
    linear = SVMRegressor(kernel="linear", tol=1e-9).fit(X, y)
    known = SVMRegressor(kernel="precomputed", tol=1e-9).fit(X @ X.T, y)
    np.testing.assert_allclose(known.predict(X @ X.T), linear.predict(X), atol=1e-6)
    np.testing.assert_allclose(linear.predict(X), X @ linear.coef_[0] + linear.intercept_, atol=1e-9)


def test_absurd_targets_are_refused():
    with pytest.raises(DataError, match="y must be at most 1e"):
        SVMRegressor().fit([[0.0], [1.0]], [0.0, 1e200])
