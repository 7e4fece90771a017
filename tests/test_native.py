"""Each kernel equals its reference, refuses what it cannot read, and gives the same bits everywhere."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from classica import native
from tests.layouts import LAYOUTS, assert_same_bits, read_only
from tests.reference import moments, nearest_mean
from tests.reference.row_draws import philox, row_draws

pytestmark = pytest.mark.native

SMALLEST = 2.0**-1074


def some_tables():
    random = np.random.default_rng(0)
    normal = random.normal(size=(40, 5))
    return {
        "one value": normal[:1, :1],
        "one row": normal[:1],
        "one column": normal[:, :1],
        "plain": normal,
        "wide": random.normal(size=(9, 257)),
        "integers": random.integers(-9, 10, size=(40, 3)).astype(float),
        "zero spread": np.full((40, 3), 0.1),
        "duplicates": np.repeat(normal[:4], 10, axis=0),
        "mostly zero": normal * (random.random(normal.shape) < 0.2),
        "shifted by 1e8": normal + 1e8,
        "shifted by 1e12": normal + 1e12,
        "up to 1e150": normal / abs(normal).max() * 1e150,
        "plus and minus 1e150": np.where(normal > 0, 1e150, -1e150),
        "1e-150": normal * 1e-150,
        "subnormal": normal * 1e-310,
    }


TABLES = some_tables()
each_table = pytest.mark.parametrize("name", TABLES)


def groups_of(X, groups=3):
    return np.arange(len(X), dtype=np.int32) % groups


def model_of(X, scaled=False):
    """Return two means for class 0, none for class 1 and one for class 2."""
    means = np.array(X[[0, len(X) // 2, -1]], dtype=np.float64)
    inverse = np.linspace(0.5, 2, means.size).reshape(means.shape) if scaled else None
    with np.errstate(divide="ignore"):
        log_priors = np.log([0.625, 0.0, 0.375])
    return means, inverse, np.array([0, 2, 2, 3], dtype=np.int32), log_priors


def all_results(X, threads=1, model=None):
    group, weights = groups_of(np.empty(X.shape[0])), np.linspace(0.1, 3, X.shape[0])
    model = model_of(X) if model is None else model
    return [
        native.row_draws(X, 7, threads),
        *native.grouped_moments(X, group, 3, weights, True, threads),
        *native.grouped_moments(X, group, 3, None, True, threads),
        native.nearest_mean_predict(X, model, threads),
        native.nearest_mean_posteriors(X, model, threads),
        native.nearest_mean_distances(X, model, threads),
    ]


# Sums


def assert_moments_are_exact(X, group, groups, weights):
    counts, sums, squares = native.grouped_moments(X, group, groups, weights, True, 1)
    wanted = moments.grouped_moments(X, group, groups, weights)
    size = moments.grouped_moments(abs(X), group, groups, weights)
    n = len(X)
    np.testing.assert_allclose(counts[0], wanted[0].astype(float), rtol=2.0**-52, atol=0)
    # The low parts add up n rounding errors of at most n 2^-53 of the sum; below 2^-1074 nothing is kept, and
    # weights multiply what is not.
    heaviest = 1.0 if weights is None else max(1.0, float(np.max(weights, initial=0)))
    for found, exact, magnitude in ((sums, wanted[1], size[1]), (squares, wanted[2], size[2])):
        error = abs(moments.pairs_as_fractions(found) - exact)
        lost = moments.exact(8 * n) * moments.exact(heaviest) * moments.exact(SMALLEST)
        assert (error <= magnitude * moments.exact(4 * n**2 * 2.0**-106) + lost).all()


@each_table
@pytest.mark.parametrize("weighted", [False, True])
def test_grouped_moments_carry_double_double_precision(name, weighted):
    X = TABLES[name]
    weights = np.linspace(0.1, 3, len(X)) if weighted else None
    assert_moments_are_exact(X, groups_of(X), 3, weights)


numbers = st.one_of(
    st.integers(-5, 5).map(float),
    st.floats(-1e150, 1e150),
    st.floats(-1, 1).map(lambda x: 1e12 + x),
)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=numbers), st.data())
def test_grouped_moments_of_any_table(X, data):
    group = data.draw(arrays(np.int32, len(X), elements=st.integers(0, 2)))
    weights = data.draw(st.none() | arrays(np.float64, len(X), elements=st.floats(0.0, 1e6)))
    assert_moments_are_exact(X, group, 3, weights)


@each_table
def test_sparse_moments_equal_dense_moments(name):
    X = TABLES[name]
    dense = native.grouped_moments(X, groups_of(X), 3, None, True, 1)
    assert_same_bits(dense, native.grouped_moments(sp.csr_matrix(X), groups_of(X), 3, None, True, 1))


def test_moments_without_squares_are_the_same_sums():
    X = TABLES["plain"]
    counts, sums, squares = native.grouped_moments(X, groups_of(X), 3, None, False, 1)
    assert squares is None
    assert_same_bits((counts, sums), native.grouped_moments(X, groups_of(X), 3, None, True, 1)[:2])


@each_table
def test_means_and_variances(name):
    X = TABLES[name]
    found = native.grouped_moments(X, groups_of(X), 3, None, True, 1)
    exact = moments.grouped_moments(X, groups_of(X), 3)
    means, variances = native.means_and_variances(*found)
    wanted_means, wanted = (array.astype(float) for array in moments.means_and_variances(*exact))
    squares = (exact[2] / np.maximum(exact[0], 1)[:, None]).astype(float)
    np.testing.assert_allclose(means, wanted_means, rtol=2.0**-52, atol=SMALLEST)
    assert (variances >= 0).all()
    assert (abs(variances - wanted) <= 1e-15 * wanted + 1e-28 * squares + 8 * SMALLEST).all()


@pytest.mark.parametrize("value", [0.1, 2 / 3, -1e8 / 3, 1e12 + 0.3, 1e150])
@pytest.mark.parametrize("rows", [1, 3, 7, 1000, 99_999])
def test_a_constant_column_has_variance_zero(value, rows):
    X = np.full((rows, 1), value)
    found = native.grouped_moments(X, np.zeros(rows, np.int32), 1, None, True, 1)
    means, variances = native.means_and_variances(*found)
    assert means == value
    assert variances == 0


def test_an_empty_group_has_zeros():
    X = TABLES["plain"]
    found = native.grouped_moments(X, np.zeros(len(X), np.int32), 2, None, True, 1)
    means, variances = native.means_and_variances(*found)
    assert not means[1].any()
    assert not variances[1].any()


def double_doubles(shape):
    highs = arrays(np.float64, shape, elements=st.floats(-1e150, 1e150))
    shares = arrays(np.float64, shape, elements=st.floats(-1, 1))
    return st.tuples(highs, shares).map(lambda pair: np.stack([pair[0], pair[1] * pair[0] * 2.0**-53]))


@given(double_doubles((2, 3)), double_doubles((2, 3)), st.sampled_from([1.0, -1.0]))
def test_add_pairs(a, b, sign):
    out = native.add_pairs(a, b, sign)
    x, y = moments.pairs_as_fractions(a), moments.pairs_as_fractions(b)
    error = abs(moments.pairs_as_fractions(out) - (x + int(sign) * y))
    assert (error <= (abs(x) + abs(y)) * moments.exact(2.0**-102) + moments.exact(4 * SMALLEST)).all()


# Nearest mean


def assert_nearest_mean(X, rows, model, tolerance=1e-12):
    np.testing.assert_allclose(
        native.nearest_mean_posteriors(rows, model, 1),
        nearest_mean.posteriors(X, model),
        rtol=0,
        atol=tolerance,
    )
    found, scores = native.nearest_mean_predict(rows, model, 1), nearest_mean.scores(X, model)
    best = scores.max(axis=1)
    assert (np.take_along_axis(scores, found[:, None], axis=1)[:, 0] >= best - 1e-12 * (1 + abs(best))).all()


@each_table
@pytest.mark.parametrize("scaled", [False, True])
def test_dense_nearest_mean_equals_its_reference(name, scaled):
    X = TABLES[name]
    model = model_of(X, scaled)
    np.testing.assert_allclose(
        native.nearest_mean_distances(X, model, 1), nearest_mean.class_distances(X, model), rtol=1e-14
    )
    assert_nearest_mean(X, X, model)


@each_table
@pytest.mark.parametrize("scaled", [False, True])
def test_sparse_nearest_mean_equals_its_reference(name, scaled):
    X = TABLES[name]
    assert_nearest_mean(X, sp.csr_matrix(X), model_of(X, scaled), tolerance=1e-9)


def distances_to_itself(X, rows):
    model = X.copy(), None, np.arange(len(X) + 1, dtype=np.int32), np.zeros(len(X))
    return np.diagonal(native.nearest_mean_distances(rows, model, 1))


@each_table
def test_the_distance_of_a_dense_row_to_itself_is_zero(name):
    X = TABLES[name]
    assert not distances_to_itself(X, X).any()


@pytest.mark.parametrize("name", ["mostly zero", "shifted by 1e8"])
def test_the_distance_of_a_sparse_row_to_itself_is_zero(name):
    X = TABLES[name]
    assert not distances_to_itself(X, sp.csr_matrix(X)).any()


def test_a_sparse_row_keeps_small_columns_beside_large_ones():
    X = np.array([[1e8, 0.0]])
    means = np.array([[1e8, -2e-6], [1e8, 1e-6]])
    model = means, None, np.array([0, 1, 2], np.int32), np.zeros(2)
    found = native.nearest_mean_distances(sp.csr_matrix(X), model, 1)
    np.testing.assert_allclose(found, [[2e-6, 1e-6]], rtol=1e-9)


small = st.floats(-1e3, 1e3)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 20), st.just(3)), elements=small),
    arrays(np.float64, st.tuples(st.integers(1, 9), st.just(3)), elements=small),
)
def test_labels_of_any_table_are_the_argmax_of_the_posteriors(X, means):
    model = means, None, np.arange(len(means) + 1, dtype=np.int32), np.zeros(len(means))
    found = native.nearest_mean_predict(X, model, 1)
    np.testing.assert_array_equal(found, native.nearest_mean_posteriors(X, model, 1).argmax(axis=1))
    assert_nearest_mean(X, X, model, tolerance=1e-9)


def test_ties_go_to_the_first_class():
    model = np.array([[2.0], [0.0], [0.0]]), None, np.array([0, 1, 2, 3], np.int32), np.zeros(3)
    found = native.nearest_mean_predict(np.array([[1.0], [0.0], [2.0]]), model, 1)
    assert found.tolist() == [0, 1, 0]


def test_a_class_without_means_has_probability_zero_and_no_distance():
    X = TABLES["plain"]
    assert not native.nearest_mean_posteriors(X, model_of(X), 1)[:, 1].any()
    assert np.isinf(native.nearest_mean_distances(X, model_of(X), 1)[:, 1]).all()


# Random numbers


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**64 - 1])
@pytest.mark.parametrize("stream", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("counter", [0, 1, 2**32, 2**64 - 3])
def test_philox_equals_numpy(seed, stream, counter):
    wanted = [philox(seed, stream, counter + block) for block in range(3)]
    np.testing.assert_array_equal(native.philox(seed, stream, counter, 3), wanted)


@each_table
@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_row_draws_equal_their_reference(name, seed):
    X = TABLES[name]
    wanted = row_draws(X, seed)
    np.testing.assert_array_equal(native.row_draws(X, seed, 1), wanted)
    np.testing.assert_array_equal(native.row_draws(sp.csr_matrix(X), seed, 1), wanted)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=5)), st.integers(0, 2**64 - 1))
@example(np.array([[np.nan, -0.0, np.inf, -np.inf, 1e-50]]), 3)
def test_row_draws_of_any_content(X, seed):
    found = native.row_draws(X, seed, 1)
    np.testing.assert_array_equal(found, row_draws(X, seed))
    assert ((found >= 0) & (found < 1)).all()


def test_every_nan_draws_alike():
    payloads = np.array([[0x7FF8000000000000], [0xFFF8000000000000], [0x7FF8000000001234]], np.uint64)
    assert len(set(native.row_draws(payloads.view(np.float64), 0, 1))) == 1


def test_the_place_of_a_value_matters_and_a_zero_does_not():
    draws = native.row_draws(np.array([[1.0, 0], [0, 1], [0, 0], [-0.0, 0]]), 0, 1)
    assert len(set(draws)) == 3
    assert draws[2] == draws[3]


# Checks of values


def first_bad(X, largest, allow_nan):
    bad = ~(abs(X.astype(np.float64)) <= largest) & ~(np.isnan(X) & allow_nan)
    return int(bad.ravel().argmax()) if bad.any() else -1


values = st.one_of(st.floats(width=32), st.sampled_from([np.nan, np.inf, -np.inf, 1e10, -1e10]))


@given(
    arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=values, fill=st.just(1)),
    st.sampled_from([2.0**40, 1e150]),
    st.booleans(),
)
def test_first_bad_is_the_first_in_row_order(X, largest, allow_nan):
    wanted = first_bad(X, min(largest, float(np.finfo(np.float32).max)), allow_nan)
    for same in (X, np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X[::-1].copy()[::-1]):
        assert native.first_bad(same, largest, allow_nan, 1) == wanted
    assert native.first_bad(X.astype(np.float64), 2.0**40, allow_nan, 1) == first_bad(X, 2.0**40, allow_nan)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_first_bad_of_many_rows(order, threads):
    X = np.zeros((400_000, 8), order=order)
    assert native.first_bad(X, 1.0, False, threads) == -1
    X[399_999, 0] = X[150_000, 5] = X[150_001, 2] = np.nan
    assert native.first_bad(X, 1.0, False, threads) == 150_000 * 8 + 5
    assert native.first_bad(X, 1.0, True, threads) == -1


# The same bits


@each_table
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_give_the_same_bits(name, layout):
    X = TABLES[name]
    assert_same_bits(all_results(X), all_results(LAYOUTS[layout](X), model=model_of(X)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_float32_equals_its_float64_copy(layout):
    X = TABLES["plain"].astype(np.float32)
    assert_same_bits(all_results(X.astype(np.float64)), all_results(LAYOUTS[layout](X), model=model_of(X)))


def test_vectors_may_be_strided_and_read_only():
    X = TABLES["plain"]
    group, weights = groups_of(X), np.linspace(0.1, 3, len(X))
    plain = native.grouped_moments(X, group, 3, weights, True, 1)
    strided = np.repeat(group, 2)[::2], weights[::-1].copy()[::-1]
    assert_same_bits(plain, native.grouped_moments(X, strided[0], 3, strided[1], True, 1))
    assert_same_bits(plain, native.grouped_moments(X, read_only(group), 3, read_only(weights), True, 1))


def many_rows():
    random = np.random.default_rng(1)
    return random.normal(size=(300_000, 8)) * (random.random((300_000, 1)) < 0.5)


@pytest.mark.parametrize("kind", [np.asarray, np.asfortranarray, sp.csr_matrix])
def test_threads_give_the_same_bits(kind):
    X = many_rows()
    model, X = model_of(X), kind(X)
    alone = all_results(X, 1, model)
    for threads in (2, 5):
        assert_same_bits(alone, all_results(X, threads, model))


def test_a_row_alone_gives_the_bits_it_has_in_a_batch():
    X = TABLES["plain"]
    model = model_of(X)
    for kernel in (native.nearest_mean_posteriors, native.nearest_mean_distances):
        rows = [kernel(X[i : i + 1], model, 1) for i in range(len(X))]
        np.testing.assert_array_equal(np.concatenate(rows), kernel(X, model, 1))


# Sparse rows


def with_long_indices(X):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_indices_and_empty_rows_give_the_same_bits(dtype):
    X = TABLES["mostly zero"].astype(dtype)
    X[[0, 7, -1]] = 0
    short = sp.csr_matrix(X)
    assert short.indices.dtype == np.int32
    model = model_of(X)
    assert_same_bits(all_results(short, model=model), all_results(with_long_indices(short), model=model))
    assert_nearest_mean(X.astype(np.float64), short, model)


def test_explicit_zeros_and_unsorted_indices_change_nothing():
    X = TABLES["mostly zero"]
    tidy = sp.csr_matrix(X)
    data, columns = np.where(X, X, 0.0)[:, ::-1].ravel(), np.tile(np.arange(5)[::-1], len(X))
    untidy = sp.csr_matrix((data, columns, np.arange(len(X) + 1) * 5), shape=X.shape)
    np.testing.assert_array_equal(native.row_draws(tidy, 0, 1), native.row_draws(untidy, 0, 1))
    for one, other in zip(
        all_results(tidy, model=model_of(X)), all_results(untidy, model=model_of(X)), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def csr(data, indices, indptr, dtype):
    X = sp.csr_matrix((2, 2))
    X.data = np.array(data, dtype=np.float64)
    X.indices, X.indptr = np.array(indices, dtype), np.array(indptr, dtype)
    return X


MALFORMED = {
    "column too large": ([1], [2], [0, 1, 1]),
    "negative column": ([1], [-1], [0, 1, 1]),
    "falling starts": ([1, 1], [0, 1], [0, 2, 1]),
    "falling starts beyond the end": ([1, 1], [0, 1], [0, 9, 2]),
    "negative start": ([1], [0], [0, -1, 1]),
    "first start not zero": ([1, 1], [0, 1], [1, 1, 2]),
    "last start beyond the end": ([1, 1], [0, 1], [0, 1, 3]),
    "fewer columns than values": ([1, 1], [0], [0, 1, 2]),
    "fewer rows than told": ([1, 1], [0, 1], [0, 2]),
    "no starts": ([], [], []),
}


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_malformed_sparse_rows_are_refused(name, dtype):
    X = csr(*MALFORMED[name], dtype)
    model = model_of(np.eye(2))
    for call in (
        lambda: native.row_draws(X, 0, 1),
        lambda: native.grouped_moments(X, np.zeros(2, np.int32), 1, None, True, 1),
        lambda: native.nearest_mean_predict(X, model, 1),
        lambda: native.nearest_mean_posteriors(X, model, 1),
        lambda: native.nearest_mean_distances(X, model, 1),
    ):
        with pytest.raises(ValueError, match="must"):
            call()


# Refusals


@pytest.mark.parametrize("code", [-1, 2, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_group_codes_out_of_range_are_refused(code, kind):
    group = np.array([0, 1, code], dtype=np.int32)
    with pytest.raises(IndexError, match="group code"):
        native.grouped_moments(kind(np.eye(3)), group, 2, None, True, 1)


def test_shapes_that_do_not_agree_are_refused():
    X, group = np.eye(3), np.zeros(3, np.int32)
    with pytest.raises(ValueError, match="agree in shape"):
        native.grouped_moments(X, group[:2], 1, None, True, 1)
    with pytest.raises(ValueError, match="one entry per row"):
        native.grouped_moments(X, group, 1, np.ones(2), True, 1)
    with pytest.raises(ValueError, match="agree in shape"):
        native.add_pairs(np.zeros((2, 2, 2)), np.zeros((2, 2, 1)), 1.0)
    with pytest.raises(ValueError, match="agree in shape"):
        native.means_and_variances(np.ones((2, 3)), np.zeros((2, 2, 2)), None)
    with pytest.raises(ValueError, match="agree in shape"):
        native.means_and_variances(np.ones((2, 2)), np.zeros((2, 2, 2)), np.zeros((2, 2, 1)))


MODELS = {
    "other columns": (np.zeros((2, 2)), None, [0, 1, 2], 2),
    "other spreads": (np.zeros((2, 3)), np.ones((1, 3)), [0, 1, 2], 2),
    "falling starts": (np.zeros((2, 3)), None, [0, 2, 1], 2),
    "first start not zero": (np.zeros((2, 3)), None, [1, 1, 2], 2),
    "last start beyond the end": (np.zeros((2, 3)), None, [0, 1, 3], 2),
    "too few starts": (np.zeros((2, 3)), None, [0, 2], 2),
    "no starts": (np.zeros((2, 3)), None, [], 2),
    "no classes": (np.zeros((0, 3)), None, [0], 0),
}


@pytest.mark.parametrize("name", MODELS)
def test_malformed_models_are_refused(name):
    means, inverse, starts, classes = MODELS[name]
    model = means, inverse, np.array(starts, np.int32), np.zeros(classes)
    for kernel in (
        native.nearest_mean_predict,
        native.nearest_mean_posteriors,
        native.nearest_mean_distances,
    ):
        with pytest.raises(ValueError, match="must"):
            kernel(np.eye(3), model, 1)


@pytest.mark.parametrize("X", [np.eye(3, dtype=int), np.eye(3, dtype=">f8"), np.ones(3), np.ones((1, 3, 3))])
def test_other_types_and_dimensions_are_refused(X):
    with pytest.raises(TypeError):
        native.first_bad(X, 1.0, False, 1)
    with pytest.raises(TypeError):
        native.row_draws(X, 0, 1)
    with pytest.raises(TypeError):
        native.nearest_mean_predict(X, model_of(np.eye(3)), 1)


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, None])
def test_seeds_out_of_range_are_refused(seed):
    with pytest.raises(TypeError):
        native.row_draws(np.eye(2), seed, 1)


def test_no_rows_give_no_results():
    X = np.empty((0, 3))
    model = model_of(np.eye(3))
    assert native.first_bad(X, 1.0, False, 2) == -1
    assert native.row_draws(X, 0, 2).shape == (0,)
    assert native.nearest_mean_predict(X, model, 2).shape == (0,)
    assert native.nearest_mean_posteriors(X, model, 2).shape == (0, 3)
    assert not native.grouped_moments(X, np.empty(0, np.int32), 2, None, True, 2)[1].any()


def test_a_failing_chunk_raises_and_leaves_the_pool_usable():
    for _ in range(3):
        with pytest.raises(RuntimeError, match=r"^chunk 3 failed$"):
            native.sleep_loop(8, 1, 4, fail_at=3)
    native.sleep_loop(8, 1, 4)
