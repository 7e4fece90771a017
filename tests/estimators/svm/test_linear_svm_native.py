"""The kernels of the linear support vector machine against plain references."""

import numpy as np
import pytest
import scipy.sparse as sp

from classica import native
from classica.native import linear_svm_solvers as kernels
from tests.layouts import LAYOUTS, assert_same_bits
from tests.reference import linear_svm as reference

pytestmark = pytest.mark.native


def problem(rows, columns, seed=0, separable=False):
    random = np.random.default_rng(seed)
    signs = np.where(np.arange(rows) % 2, 1.0, -1.0)
    X = random.normal(size=(rows, columns)) + (3.0 if separable else 0.4) * signs[:, None]
    shares = random.random(rows) + 0.1
    return X, signs, shares / shares.sum()


def plain(X):
    return np.zeros(X.shape[1]), np.ones(X.shape[1])


def interior_point(X, signs, shares, alpha, intercept=True, tol=1e-8, threads=1):
    task = signs, shares, np.full(X.shape[1], alpha)
    return kernels.interior_point(X, plain(X), intercept, task, (tol, 200, threads))


@pytest.mark.parametrize("columns", [1, 3, 4, 5, 8, 11, 12, 13, 25, 30])
@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 130, 2049])
@pytest.mark.parametrize("ones", [False, True])
def test_gram_equals_the_matrix_product(rows, columns, ones):
    random = np.random.default_rng(rows + columns)
    X, weights = random.normal(size=(rows, columns)), random.random(rows)
    center, factor = random.normal(size=columns), random.random(columns)
    seen = np.column_stack([(X - center) * factor, np.ones((rows, int(ones)))])
    found = kernels.weighted_gram(X, (center, factor), ones, weights, 1)
    size = np.sqrt(np.outer(*[(weights[:, None] * seen**2).sum(axis=0)] * 2))
    assert (abs(found - seen.T @ (weights[:, None] * seen)) <= 1e-14 * size).all()
    found = kernels.weighted_gram(X, (center, factor), ones, None, 1)
    np.testing.assert_allclose(found, seen.T @ seen, rtol=0, atol=1e-13 * (seen**2).sum())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_and_threads_change_no_bit_of_a_gram_matrix(layout):
    X, _, shares = problem(5000, 7)
    first = kernels.weighted_gram(X, plain(X), True, shares, 1)
    assert_same_bits(first, kernels.weighted_gram(LAYOUTS[layout](X), plain(X), True, shares, 3))


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("separable", [True, False])
def test_interior_point_reaches_the_optimum(alpha, intercept, separable):
    X, signs, shares = problem(40, 3, separable=separable)
    found = interior_point(X, signs, shares, alpha, intercept)
    weights, bound = reference.dual(X, signs, shares, alpha, intercept)
    told = reference.objective(X, signs, shares, alpha, found.model[:-1], found.model[-1])
    np.testing.assert_allclose(found.objective, told, rtol=1e-12)
    np.testing.assert_allclose(found.objective, bound, rtol=1e-7)
    np.testing.assert_allclose(found.model[:-1], weights, rtol=1e-3, atol=1e-3 * abs(weights).max())
    assert found.converged
    assert 0 <= found.gap <= 1e-8 * found.objective
    assert ((found.duals >= 0) & (found.duals <= 1)).all()


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_bit_of_a_machine(threads):
    X, signs, shares = problem(9000, 6)
    first = interior_point(X, signs, shares, 1e-3)
    other = interior_point(X, signs, shares, 1e-3, threads=threads)
    assert_same_bits(first.model, other.model)
    assert_same_bits(first.duals, other.duals)


def descent(X, signs, shares, alpha, intercept=True, tol=1e-8, sweeps=5000, seed=0):
    task = signs, shares, np.array([alpha])
    return kernels.coordinate_descent(X, intercept, task, (tol, sweeps), seed)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [1e-2, 0.1, 10.0])
def test_coordinate_descent_reaches_the_optimum_of_interior_points(alpha, intercept):
    X, signs, shares = problem(200, 30)
    X[np.random.default_rng(1).random(X.shape) < 0.7] = 0
    wanted = interior_point(X, signs, shares, alpha, intercept)
    for rows in (X, sp.csr_matrix(X), np.asfortranarray(X), sp.csr_matrix(X.astype(np.float32))):
        found = descent(rows, signs, shares, alpha, intercept)
        rounded = 1e-8 if rows.dtype == np.float64 else 1e-6
        np.testing.assert_allclose(found.objective, wanted.objective, rtol=2e-8 + rounded)
        assert found.converged
        told = reference.objective(X, signs, shares, alpha, found.model[:-1], found.model[-1])
        np.testing.assert_allclose(found.objective, told, rtol=rounded)


def test_coordinate_descent_tells_when_it_has_not_converged():
    X, signs, shares = problem(200, 30)
    found = descent(X, signs, shares, 1e-6, tol=1e-12, sweeps=3)
    assert not found.converged
    assert found.iterations == 3
    best = interior_point(X, signs, shares, 1e-6).objective
    assert found.objective - found.gap <= best <= found.objective


@pytest.mark.parametrize(
    "kind", [np.asarray, np.asfortranarray, sp.csr_matrix, lambda X: X.astype(np.float32)]
)
def test_gradient_descent_takes_the_lectures_steps(kind):
    X, signs, _ = problem(30, 4)
    X = X.astype(np.float32).astype(np.float64)
    order, seasons = np.arange(30, dtype=np.uint32), 4
    found = kernels.gradient_descent(kind(X), signs, (order, np.empty(0)), (0.05, 0.3, seasons), True, (7, 2))
    blocks = native.philox(7, 2, 0, 30).ravel()
    drawn = [int(bits) * 30 >> 64 for bits in blocks]
    weights, intercept = reference.gradient_descent(X, signs, drawn, 0.05, 0.3, 30)
    np.testing.assert_allclose(found, np.append(weights, intercept), rtol=1e-12, atol=1e-14)


def test_gradient_descent_draws_rows_by_weight():
    X, signs, _ = problem(30, 4)
    order = np.arange(30, dtype=np.uint32)
    up_to = np.cumsum(np.where(np.arange(30) < 10, 1.0, 0.0))
    found = kernels.gradient_descent(X, signs, (order, up_to), (0.05, 0.3, 2), True, (7, 2))
    unit = (native.philox(7, 2, 0, 15).ravel() >> np.uint64(11)) * 2.0**-53
    drawn = np.searchsorted(up_to, unit * 10, side="right")
    assert drawn.max() < 10
    weights, intercept = reference.gradient_descent(X, signs, drawn, 0.05, 0.3, 30)
    np.testing.assert_allclose(found, np.append(weights, intercept), rtol=1e-12, atol=1e-14)


def test_a_step_never_overshoots():
    X, signs, _ = problem(30, 4)
    order = np.arange(30, dtype=np.uint32)
    found = kernels.gradient_descent(X, signs, (order, np.empty(0)), (50.0, 10.0, 3), True, (0, 0))
    assert np.isfinite(found).all()


def test_wrong_shapes_are_refused():
    X, signs, shares = problem(30, 4)
    with pytest.raises(ValueError, match="one entry per row"):
        interior_point(X, signs[:-1], shares, 1.0)
    with pytest.raises(ValueError, match="one entry per column"):
        kernels.weighted_gram(X, (np.zeros(3), np.ones(4)), True, None, 1)
    order = np.array([30], dtype=np.uint32)
    with pytest.raises(ValueError, match="order must name rows"):
        kernels.gradient_descent(X, signs, (order, np.empty(0)), (0.05, 0.3, 2), True, (7, 2))
