"""The solver against a general one, and the conditions its solutions must meet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.estimators.base.kernel_functions import Kernel
from classica.native.svm_dual import Variables, solve
from tests.reference import svm as reference

pytestmark = pytest.mark.native

KERNELS = [Kernel("linear"), Kernel("rbf", 0.7), Kernel("poly", 0.5, 1.0, 2), Kernel("sigmoid", 0.2, -0.1)]
each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)


def problem(n, seed, C=1.0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    signs = np.where(random.random(n) < 0.4, 1.0, -1.0)
    signs[:2] = 1, -1
    upper = C * random.choice([0.0, 0.5, 1.0, 2.0], size=n)
    upper[:2] = C
    return X, signs, upper


def machine(signs, upper, linear=None, rows=None, alpha=None):
    n = len(signs)
    linear = np.full(n, -1.0) if linear is None else linear
    rows = np.arange(n, dtype=np.int32) if rows is None else rows
    return Variables(np.array([0, n]), rows, signs, linear, upper, np.zeros(n) if alpha is None else alpha)


def rules(tol=1e-10, steps=10**7, seconds=1e10, shrinking=True, cache=0.0):
    return tol, steps, seconds, shrinking, cache


@each_kernel
@pytest.mark.parametrize("n", [2, 3, 7, 16, 25])
def test_objective_of_a_general_solver(kernel, n):
    X, signs, upper = problem(n, n)
    K = kernel.matrix(X, X, 1)
    found = solve(X, kernel.rules, machine(signs, upper), rules(), 1)
    assert found.converged.all()
    assert (found.alpha >= 0).all()
    assert (found.alpha <= upper).all()
    assert signs @ found.alpha == pytest.approx(0, abs=1e-12)
    linear = np.full(n, -1.0)
    assert reference.violation(K, signs, upper, linear, found.alpha) <= 2e-10
    ours = reference.objective(K, signs, linear, found.alpha)
    assert found.objective[0] == pytest.approx(ours, abs=1e-10)
    if kernel.name != "sigmoid":  # no unique optimum there
        theirs = reference.objective(K, signs, linear, reference.solve(K, signs, upper, linear))
        assert ours <= theirs + 1e-7 * max(1, abs(theirs))
        assert found.gap[0] + 1e-12 >= 0
        assert found.gap[0] <= 1e-8 * upper.sum()


@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from(KERNELS), st.sampled_from([0.1, 1.0, 30.0]))
def test_conditions_hold_at_the_end(n, seed, kernel, C):
    X, signs, upper = problem(n, seed, C)
    found = solve(X, kernel.rules, machine(signs, upper), rules(1e-6), 1)
    K = kernel.matrix(X, X, 1)
    broken = reference.violation(K, signs, upper, np.full(n, -1.0), found.alpha)
    assert found.converged.all()
    assert broken <= 1.001e-6


def blobs(n, seed=0, columns=4):
    random = np.random.default_rng(seed)
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    return random.normal(size=(n, columns)) + 0.4 * signs[:, None], signs


@pytest.mark.parametrize("known", [False, True], ids=["tiles", "known values"])
@pytest.mark.parametrize("shrinking", [True, False])
def test_blocks_meet_the_same_conditions(known, shrinking):
    X, signs = blobs(5000)
    kernel, upper = Kernel("rbf", 0.3), np.ones(5000)
    K = kernel.matrix(X, X, 2)
    table = (K, None) if known else (X, kernel.rules)
    found = solve(*table, machine(signs, upper), rules(1e-4, shrinking=shrinking), 2)
    assert found.converged.all()
    assert reference.violation(K, signs, upper, -upper, found.alpha) <= 1.01e-4
    alone = solve(*table, machine(signs, upper), rules(1e-4, shrinking=shrinking), 1)
    np.testing.assert_array_equal(found.alpha, alone.alpha)


def test_known_values_and_rows_agree():
    X, signs = blobs(300)
    kernel, upper = Kernel("rbf", 0.3), np.ones(300)
    by_rows = solve(X, kernel.rules, machine(signs, upper), rules(1e-8), 1)
    known = solve(kernel.matrix(X, X, 1), None, machine(signs, upper), rules(1e-8), 1)
    np.testing.assert_allclose(known.alpha, by_rows.alpha, atol=1e-6)


@pytest.mark.parametrize("share", [0.9, 0.3])
def test_machines_on_parts_of_a_table_of_values(share):
    X, signs = blobs(400)
    kernel = Kernel("rbf", 0.3)
    rows = np.sort(np.random.default_rng(1).permutation(400)[: int(400 * share)]).astype(np.int32)
    upper = np.ones(len(rows))
    part = solve(kernel.matrix(X, X, 1), None, machine(signs[rows], upper, rows=rows), rules(1e-9), 1)
    alone = solve(X[rows], kernel.rules, machine(signs[rows], upper), rules(1e-9), 1)
    assert part.objective[0] == pytest.approx(alone.objective[0], rel=1e-12)
    np.testing.assert_allclose(part.alpha, alone.alpha, atol=1e-6)


def test_a_solution_is_a_start_that_needs_no_steps():
    X, signs = blobs(200)
    kernel, upper = Kernel("rbf", 0.3), np.ones(200)
    first = solve(X, kernel.rules, machine(signs, upper), rules(1e-6), 1)
    again = solve(X, kernel.rules, machine(signs, upper, alpha=first.alpha), rules(1.1e-6), 1)
    assert again.steps[0] == 0
    np.testing.assert_array_equal(again.alpha, first.alpha)


def test_limits_of_steps_and_time():
    X, signs = blobs(2000)
    kernel, upper = Kernel("rbf", 0.3), np.full(2000, 100.0)
    short = solve(X, kernel.rules, machine(signs, upper), rules(1e-9, steps=50), 1)
    assert short.steps[0] == 50
    assert not short.converged.any()
    assert short.gap[0] > 0
    hurried = solve(X, kernel.rules, machine(signs, upper), rules(1e-12, seconds=1e-6), 1)
    assert not hurried.converged.any()


def test_machines_without_anybody():
    nobody = machine(np.array([1.0, -1.0]), np.zeros(2))
    found = solve(np.ones((2, 1)), Kernel("linear").rules, nobody, rules(), 1)
    assert found.objective[0] == found.offset[0] == 0
    assert found.converged.all()
