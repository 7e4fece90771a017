"""Support vector machines as the lecture teaches them: rings, the search for parameters, margins."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from classica import SVMClassifier, coarse_to_fine
from classica.errors import DataError
from tests.lectures.rings import lifted, rings


@pytest.fixture(scope="module", params=range(3))
def tables(request):
    return rings(150, 150, request.param), rings(151, 49, 100 + request.param)


def test_a_plane_does_no_better_than_chance_on_rings(tables):
    (X, y), (new_X, new_y) = tables
    assert 0.4 <= SVMClassifier(kernel="linear").fit(X, y).score(new_X, new_y) <= 0.55


def test_lifting_makes_the_rings_separable(tables):
    (X, y), (new_X, new_y) = tables
    model = SVMClassifier(C=100, kernel="linear").fit(lifted(X), y)
    assert model.score(lifted(new_X), new_y) == 1.0


GRID = {"C": [1, 10, 100, 1000, 10_000], "gamma": [1e-4, 1e-3, 1e-2, 0.1]}


def test_the_grid_picks_the_printed_parameters(tables):
    (X, y), test = tables
    found = coarse_to_fine(
        SVMClassifier(), GRID, X, y, StratifiedKFold(2, shuffle=True, random_state=0), max_rounds=0
    )
    assert found.best_params == {"C": 10.0, "gamma": 0.1}
    assert found.best_estimator.score(*test) == 1.0


def test_a_closer_look_is_not_worse(tables):
    (X, y), test = tables
    found = coarse_to_fine(SVMClassifier(), GRID, X, y, 2)
    assert found.converged
    assert found.best_score == 1.0
    assert found.best_estimator.score(*test) == 1.0


# Hard margin. The nearest points of the two hulls are (1, 1) and (3, 1), so the plane x = 2 has margin 1 on
# both sides: w = (1, 0), b = -2.
SQUARE = np.array([[0.0, 0], [1, 1], [0, 2], [3, 1], [4, 0], [5, 3]])
SIDES = np.array([0, 0, 0, 1, 1, 1])


def test_hard_margin_by_hand():
    model = SVMClassifier(C=np.inf, kernel="linear", tol=1e-9).fit(SQUARE, SIDES)
    np.testing.assert_allclose(model.coef_, [[1, 0]], atol=1e-8)
    np.testing.assert_allclose(model.intercept_, [-2], atol=1e-8)
    np.testing.assert_allclose(model.margin_width_, [2], atol=1e-8)
    assert model.support_.tolist() == [1, 3]
    # |w|² = 1 is the sum of the multipliers, and so both are a half.
    np.testing.assert_allclose(model.dual_coef_, [[-0.5, 0.5]], atol=1e-8)
    np.testing.assert_allclose(model.slacks_, 0, atol=1e-8)
    np.testing.assert_allclose(model.objective_, [-0.5], atol=1e-8)


def test_soft_margin_by_hand():
    # Two points at -1 and 1, C = 0.1: both multipliers are at C, w = 0.2, and each misses its margin by 0.8.
    model = SVMClassifier(C=0.1, kernel="linear").fit([[-1.0], [1.0]], [0, 1])
    np.testing.assert_allclose(model.coef_, [[0.2]], atol=1e-12)
    np.testing.assert_allclose(model.dual_coef_, [[-0.1, 0.1]], atol=1e-12)
    np.testing.assert_allclose(model.slacks_, [[0.8, 0.8]], atol=1e-12)
    np.testing.assert_allclose(model.margin_width_, [10], atol=1e-12)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_hard_margin_on_classes_that_overlap_is_an_error(kernel):
    X = np.vstack([SQUARE, [[1.0, 1.0]]])  # a row of both classes
    with pytest.raises(DataError, match="separable by the kernel for an infinite C"):
        SVMClassifier(C=float("inf"), kernel=kernel).fit(X, [*SIDES, 1])


def test_hard_margin_on_rings(tables):
    (X, y), test = tables
    with pytest.raises(DataError, match="separable"):
        SVMClassifier(C=float("inf"), kernel="linear").fit(X, y)
    model = SVMClassifier(C=float("inf"), gamma=1.0).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.slacks_.max() < 1e-2
    assert model.score(*test) > 0.97
