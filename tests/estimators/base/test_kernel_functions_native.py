"""The kernels of the core against NumPy, on plain and on nasty rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.estimators.base.kernel_functions import Kernel, make_kernel
from classica.native import kernels as native
from classica.native.kernels import KERNELS
from tests.layouts import LAYOUTS
from tests.reference import kernels as reference

pytestmark = pytest.mark.native


def rows(count, columns, seed):
    return np.random.default_rng(seed).normal(size=(count, columns))


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("shape", [(1, 1, 1), (7, 9, 3), (33, 50, 17), (100, 97, 1), (5, 3, 200)])
def test_matrix_equals_the_reference(name, shape):
    m, n, d = shape
    A, B = rows(m, d, 1), rows(n, d, 2)
    kernel = Kernel(name, 0.3, 0.7, 3, center=np.full(d, 0.25) if name == "rbf" else None)
    wanted = reference.kernel_matrix(A, B, name, 0.3, 0.7, 3)
    np.testing.assert_allclose(kernel.matrix(A, B, 1), wanted, rtol=1e-12, atol=1e-14 * abs(wanted).max())


@pytest.mark.parametrize("degree", range(8))
def test_powers(degree):
    A = rows(20, 4, 3)
    wanted = reference.kernel_matrix(A, A, "poly", 0.5, 1.0, degree)
    np.testing.assert_allclose(
        Kernel("poly", 0.5, 1.0, degree).matrix(A, A, 1), wanted, rtol=1e-11, atol=1e-12
    )


@pytest.mark.parametrize("name", KERNELS)
def test_a_value_depends_on_its_two_rows_alone(name):
    A, B = rows(101, 13, 4), rows(67, 13, 5)
    kernel = Kernel(name, 0.1, 0.5, 3)
    whole = kernel.matrix(A, B, 1)
    np.testing.assert_array_equal(whole, kernel.matrix(A, B, 3))
    np.testing.assert_array_equal(whole.T, kernel.matrix(B, A, 2))
    for first, last in ((0, 1), (13, 30), (60, 101)):
        np.testing.assert_array_equal(whole[first:last], kernel.matrix(A[first:last], B, 2))
    for layout in LAYOUTS.values():
        np.testing.assert_array_equal(whole, kernel.matrix(layout(A), B, 1))
    single = A.astype(np.float32)
    np.testing.assert_array_equal(kernel.matrix(single, B, 1), kernel.matrix(single.astype(float), B, 1))


def test_rows_equal_themselves_exactly():
    A = rows(50, 30, 6) * 1e3
    values = Kernel("rbf", 1.0).matrix(A, A, 1)
    np.testing.assert_array_equal(np.diag(values), 1.0)
    np.testing.assert_array_equal(values, values.T)


@pytest.mark.parametrize("shift", [0.0, 1e3, 1e6])
def test_distances_far_from_the_origin_lose_no_digits(shift):
    A = np.round(rows(60, 5, 7), 6) + shift
    kernel = make_kernel("rbf", 2.0, 0.0, 3, A, None, 1)
    # Differences of the shifted rows are exact, so NumPy's are the true ones.
    np.testing.assert_allclose(kernel.matrix(A, A, 1), reference.kernel_matrix(A, A, "rbf", 2.0), atol=1e-13)
    # Without a center, near rows are still right: they are compared column by column.
    near = A + 1e-3 * rows(60, 5, 8)
    plain = np.diag(Kernel("rbf", 2.0).matrix(A, near, 1))
    np.testing.assert_allclose(plain, np.exp(-2.0 * ((A - near) ** 2).sum(axis=1)), rtol=1e-12)


def test_far_rows_have_nothing_in_common():
    A = np.array([[1e100, 0.0], [-1e100, 1e90], [0.0, 0.0]])
    for gamma in (1e-3, 1.0, 1e300):
        np.testing.assert_array_equal(Kernel("rbf", gamma).matrix(A, A, 1), np.eye(3))
    np.testing.assert_array_equal(Kernel("rbf", 1e300).scores(A, A, np.ones((1, 3)), np.zeros(1), 1), 1.0)


def test_polynomials_stay_finite():
    A = np.array([[1e100], [-1e100]])
    np.testing.assert_array_equal(
        Kernel("poly", 1.0, 0.0, 3).matrix(A, A, 1), 1e280 * np.array([[1, -1], [-1, 1]])
    )


def test_exponentials_are_right_over_the_whole_range():
    random = np.random.default_rng(0)
    x = np.concatenate(
        [random.uniform(-746, 709.7, 200_000), random.normal(size=100_000), np.linspace(-1, 1, 4097)]
    )
    found, wanted = native.exponentials(x), np.exp(x)
    unit = np.maximum(np.spacing(wanted), np.finfo(float).smallest_subnormal)
    assert (abs(found - wanted) <= 2 * unit).all()
    assert (abs(found - wanted) / unit).mean() < 0.3
    ends = np.array([0.0, -0.0, -1e308, 1e308, -746.0, 709.79, -np.inf, 1e-300, -5e-324])
    np.testing.assert_array_equal(native.exponentials(ends), [1, 1, 0, np.inf, 0, np.inf, 0, 1, 1])


@given(st.floats(-745, 709))
def test_exponentials_one_by_one(x):
    found, wanted = native.exponentials(np.array([x]))[0], np.exp(x)
    assert abs(found - wanted) <= 2 * max(np.spacing(wanted), 5e-324)


@pytest.mark.parametrize("name", KERNELS)
def test_scores_are_weighted_sums(name):
    A, B, weights, offsets = rows(77, 6, 9), rows(205, 6, 10), rows(3, 205, 11), np.array([0.5, -1.0, 2.0])
    kernel = Kernel(name, 0.2, 0.1, 2)
    wanted = kernel.matrix(A, B, 1) @ weights.T + offsets
    found = kernel.scores(A, B, weights, offsets, 2)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * abs(wanted).max())
    parts = [kernel.scores(A[i : i + 5], B, weights, offsets, 1) for i in range(0, 77, 5)]
    np.testing.assert_array_equal(found, np.concatenate(parts))


def test_kernels_of_dot_products_and_distances():
    A = rows(41, 5, 12)
    for name in KERNELS:
        kernel = Kernel(name, 0.4, 0.3, 2)
        inner = native.squared_distances(A, 2) if name == "rbf" else Kernel("linear").matrix(A, A, 1)
        np.testing.assert_array_equal(native.kernel_of(inner, kernel.rules, 2), kernel.matrix(A, A, 1))


def test_width_by_the_spread_of_all_values():
    A = rows(30, 4, 13) * [1, 2, 3, 4]
    assert make_kernel("rbf", "scale", 0, 3, A, None, 1).gamma == pytest.approx(1 / (4 * A.var()))
    assert make_kernel("rbf", "auto", 0, 3, A, None, 1).gamma == 0.25
    weights = np.arange(30) % 3.0
    repeated = np.repeat(A, weights.astype(int), axis=0)
    weighted = make_kernel("rbf", "scale", 0, 3, A, weights, 1).gamma
    assert weighted == pytest.approx(1 / (4 * repeated.var()), rel=1e-14)
    assert make_kernel("rbf", "scale", 0, 3, np.ones((5, 2)), None, 1).gamma == 1.0


def test_functions_get_both_tables():
    A, B = rows(5, 3, 14), rows(4, 3, 15)
    kernel = make_kernel(lambda x, z: x @ z.T, "scale", 0, 3, A, None, 1)
    np.testing.assert_allclose(kernel.matrix(A, B, 1), A @ B.T)
    with pytest.raises(ValueError, match=r"must be of shape \(5, 4\), got \(2, 2\)"):
        make_kernel(lambda x, z: np.ones((2, 2)), "scale", 0, 3, A, None, 1).matrix(A, B, 1)
