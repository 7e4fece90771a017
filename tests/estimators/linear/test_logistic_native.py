"""The kernels of softmax regression against plain references."""

import numpy as np
import pytest
import scipy.sparse as sp

from classica.native import softmax as kernels
from tests.layouts import LAYOUTS, assert_same_bits
from tests.reference import logistic as reference

pytestmark = pytest.mark.native

#: Rows and columns around the sizes at which tiles, lanes and blocks end.
SHAPES = [(1, 1), (7, 3), (8, 1), (9, 5), (63, 4), (64, 2), (65, 13), (200, 30), (3, 5000), (700, 12)]
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
each_number = pytest.mark.parametrize("classes", [2, 3, 4, 5, 11])


def a_task(shape, classes, vectors=None, seed=0, spread=1.0):
    random = np.random.default_rng(seed)
    X = random.normal(size=shape).astype(np.float32).astype(np.float64)
    codes = random.integers(0, classes, size=shape[0]).astype(np.int32)
    weights = random.uniform(0.1, 3, size=shape[0])
    center = random.normal(size=shape[1])
    coefficients = spread * random.normal(size=(vectors or classes, shape[1] + 1)) / np.sqrt(shape[1])
    return X, codes, weights, center, coefficients


def close(found, wanted, within=1e-12):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=within * max(1.0, abs(np.asarray(wanted)).max()))


@each_shape
@each_number
def test_loss_and_gradient(shape, classes):
    X, codes, weights, center, coefficients = a_task(shape, classes)
    for given in (weights, None):
        found = kernels.softmax_gradient(X, classes, center, codes, given, coefficients, 2)
        counted = np.ones(len(X)) if given is None else given
        wanted = reference.loss_and_gradient(X, center, codes, counted, coefficients)
        close(found[0], wanted[0])
        close(found[1], wanted[1])


@each_shape
def test_one_vector_for_two_classes(shape):
    X, codes, weights, center, coefficients = a_task(shape, 2, vectors=1)
    found = kernels.softmax_gradient(X, 2, center, codes, weights, coefficients, 2)
    wanted = reference.loss_and_gradient(X, center, codes, weights, coefficients)
    close(found[0], wanted[0])
    close(found[1], wanted[1])


@pytest.mark.parametrize("spread", [1e-3, 30.0, 1e3, 1e6])
def test_scores_of_any_size(spread):
    X, codes, weights, center, coefficients = a_task((200, 5), 4, spread=spread)
    loss, gradient = kernels.softmax_gradient(X, 4, center, codes, weights, coefficients, 1)
    wanted = reference.loss_and_gradient(X, center, codes, weights, coefficients)
    close(loss, wanted[0])
    close(gradient, wanted[1])


def test_losses_of_certain_rows_keep_their_digits():
    X, center = np.array([[40.0], [200.0], [650.0]]), np.zeros(1)
    for row, score in zip(X, X[:, 0], strict=True):
        one = kernels.softmax_gradient(
            row[None], 2, center, np.array([1], np.int32), None, np.array([[1.0, 0]]), 1
        )
        np.testing.assert_allclose(one[0], np.exp(-score), rtol=1e-14)
        np.testing.assert_allclose(one[1], [[-score * np.exp(-score), -np.exp(-score)]], rtol=1e-14)


def test_exponentials_to_the_last_digits():
    # A row with the scores 0 and -x has the second gradient 1 / (1 + e^x).
    for x in np.r_[np.linspace(0, 40, 4001), np.linspace(40, 700, 661)]:
        coefficients = np.array([[0.0, 0.0], [0.0, -x]])
        codes = np.zeros(1, np.int32)
        _, gradient = kernels.softmax_gradient(np.zeros((1, 1)), 2, np.zeros(1), codes, None, coefficients, 1)
        np.testing.assert_allclose(gradient[1, 1], 1 / (1 + np.exp(x)), rtol=2e-15)


def test_the_gradient_is_that_of_the_loss():
    X, codes, weights, center, coefficients = a_task((50, 3), 3)
    _, gradient = kernels.softmax_gradient(X, 3, center, codes, weights, coefficients, 1)
    for place in np.ndindex(coefficients.shape):
        step = np.zeros_like(coefficients)
        step[place] = 1e-5
        losses = [
            kernels.softmax_gradient(X, 3, center, codes, weights, coefficients + sign * step, 1)[0]
            for sign in (1, -1)
        ]
        np.testing.assert_allclose((losses[0] - losses[1]) / 2e-5, gradient[place], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("shape", [(1, 1), (9, 5), (65, 13), (300, 30), (700, 12)], ids=str)
@each_number
def test_curvature(shape, classes):
    X, _, weights, center, coefficients = a_task(shape, classes)
    for vectors in {classes, 1} if classes == 2 else {classes}:
        found = kernels.softmax_curvature(X, classes, center, weights, coefficients[:vectors], 2)
        wanted = reference.pair_curvatures(X, center, weights, coefficients[:vectors])
        close(np.tril(found), np.tril(wanted))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_precision_and_threads_change_no_bit(layout):
    X, codes, weights, center, coefficients = a_task((5000, 20), 6)
    plain = kernels.softmax_gradient(X, 6, center, codes, weights, coefficients, 1)
    bent = kernels.softmax_curvature(X, 6, center, weights, coefficients, 1)
    for table in (LAYOUTS[layout](X), LAYOUTS[layout](X.astype(np.float32))):
        for threads in (1, 3):
            other = kernels.softmax_gradient(table, 6, center, codes, weights, coefficients, threads)
            assert other[0] == plain[0]
            assert_same_bits(other[1], plain[1])
            found = kernels.softmax_curvature(table, 6, center, weights, coefficients, threads)
            assert_same_bits(np.tril(found), np.tril(bent))


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_products_and_residuals(index, dtype):
    X, codes, weights, _, coefficients = a_task((400, 30), 5)
    X = np.where(X > 0.8, X, 0).astype(dtype)
    table = sp.csr_matrix(X)
    table.indices, table.indptr = table.indices.astype(index), table.indptr.astype(index)
    M = np.ascontiguousarray(coefficients[:, :-1].T)
    for threads in (1, 3):
        scores = kernels.sparse_product(table, M, threads)
        close(scores, X @ M, 1e-14)
        loss = kernels.softmax_residuals(scores, codes, weights, threads)
        own = np.column_stack([coefficients[:, :-1], np.zeros(5)])
        wanted = reference.loss_and_gradient(X, np.zeros(30), codes, weights, own)
        close(loss, wanted[0])
        close(scores.T @ X, wanted[1][:, :-1], 1e-11)


# Descent along coordinates


def a_quadratic(size, seed=0):
    random = np.random.default_rng(seed)
    root = random.normal(size=(size, size + 2))
    at = np.where(random.random(size) < 0.5, 0.0, random.normal(size=size))
    bounds = np.where(random.random(size) < 0.2, 0.0, 3 * random.random(size))
    return root @ root.T, 3 * random.normal(size=size), at, bounds


@pytest.mark.parametrize("size", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(10))
def test_descent_ends_where_no_slope_is_left(size, seed):
    curvature, gradient, at, bounds = a_quadratic(size, seed)
    step = kernels.descend_coordinates(curvature, gradient, at, bounds, 1e-13, 100_000)
    slope, end = gradient + curvature @ step, at + step
    left = np.where(end == 0, np.maximum(abs(slope) - bounds, 0), abs(slope + np.sign(end) * bounds))
    assert left.max() < 1e-9


def test_large_bounds_make_all_zero():
    curvature, gradient, at, _ = a_quadratic(6)
    step = kernels.descend_coordinates(curvature, gradient, at, np.full(6, 1e6), 1e-13, 1000)
    assert (at + step == 0).all()


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("kind", ["columns first", "float32", "sparse"])
def test_descent_by_columns_is_descent_on_their_products(classes, kind):
    random = np.random.default_rng(classes)
    X = np.where(random.random((60, 6)) < 0.5, random.normal(size=(60, 6)), 0).astype(np.float32)
    center = np.zeros(6) if kind == "sparse" else random.normal(size=6)
    scale = np.append(random.uniform(0.5, 2, size=6), 1.0)
    used = np.array([0, 2, 3, 5, 6])
    vectors = 1 if classes == 2 else classes
    at = np.where(random.random((vectors, 5)) < 0.5, 0.0, 0.1 * random.normal(size=(vectors, 5)))
    gradient = 2 * random.normal(size=at.shape)
    ridge, bounds = random.random(5), np.r_[random.random(4), 0.0]
    p = random.dirichlet(np.ones(classes), size=60)
    z = (np.column_stack([X - center, np.ones(60)]) / scale)[:, used]
    if classes == 2:
        curvature = np.ascontiguousarray((p[:, 0] * p[:, 1])[None]), np.zeros((1, 60))
        matrix = np.einsum("i,ij,ik->jk", curvature[0][0], z, z)
    else:
        curvature = (np.ascontiguousarray(p.T),) * 2
        mixed = np.einsum("ic,cd->icd", p, np.eye(classes)) - np.einsum("ic,id->icd", p, p)
        matrix = np.einsum("icd,ij,ik->cjdk", mixed, z, z).reshape(at.size, at.size)
    matrix = matrix + np.diag(np.tile(ridge, vectors))
    tiled = np.tile(bounds, vectors)
    wanted = kernels.descend_coordinates(matrix, gradient.ravel(), at.ravel(), tiled, 1e-12, 20_000)
    table = {
        "columns first": np.asfortranarray(X.astype(float)),
        "float32": X,
        "sparse": sp.csr_matrix(X.T.astype(float)),
    }[kind]
    found = kernels.descend_columns(
        table, used, center, scale, curvature, gradient, at, ridge, bounds, 1e-12, 20_000
    )
    end, wanted_end = at + found, at + wanted.reshape(at.shape)
    # The intercepts of more than two classes may all be moved by one number.
    if classes > 2:
        end[:, -1] -= end[:, -1].mean()
        wanted_end[:, -1] -= wanted_end[:, -1].mean()
    np.testing.assert_allclose(end, wanted_end, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(end[:, :-1] == 0, wanted_end[:, :-1] == 0)


# What does not fit is refused


def test_codes_and_shapes_are_checked():
    X, codes, weights, center, coefficients = a_task((10, 3), 3)
    with pytest.raises(ValueError, match="codes must be those of the classes"):
        kernels.softmax_gradient(X, 3, center, codes + np.int32(1), weights, coefficients, 1)
    with pytest.raises(ValueError, match="a row per class"):
        kernels.softmax_gradient(X, 4, center, codes, weights, coefficients, 1)
    with pytest.raises(ValueError, match="must fit the columns"):
        kernels.softmax_gradient(X, 3, center[:2], codes, weights, coefficients, 1)
    with pytest.raises(ValueError, match="weights must have one entry"):
        kernels.softmax_gradient(X, 3, center, codes, weights[:5], coefficients, 1)
    with pytest.raises(ValueError, match="codes must be those of the classes"):
        kernels.softmax_residuals(np.zeros((10, 2)), np.full(10, 2, np.int32), None, 1)
