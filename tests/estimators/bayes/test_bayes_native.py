"""The kernels of naive Bayes: equal to their reference, the same bits everywhere, safe with bad input."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from classica import native
from tests.reference import moments, naive_bayes

pytestmark = pytest.mark.native


def places(*numbers):
    return np.array(numbers, dtype=np.int32)


def coded(columns, keys, categories):
    starts = np.cumsum([0, *map(len, keys)], dtype=np.int32)
    return places(*columns), starts, np.concatenate([*keys, []]).astype(float), np.array(categories, np.uint8)


def some_rows(rows=200, seed=0, missing=0.1):
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.integers(0, 5, rows),  # small codes
            random.choice([-2.5, 0.1, 1e9, -0.0], rows),  # any values
            random.normal(size=rows),
            random.normal(size=rows) + 1e6,
        ]
    ).astype(float)
    X[random.random(X.shape) < missing] = np.nan
    return X, np.arange(rows, dtype=np.int32) % 3, random.integers(1, 5, rows) / 4


COLUMNS = coded([0, 2, 1, 3], [[0, 1, 3], [-0.5, 0.0, 1.0], [-2.5, 0.0, 0.1], []], [1, 0, 1, 0])


def table(slots, classes=3, zeros=False):
    random = np.random.default_rng(1)
    marks = (random.random((slots, classes)) < 0.3).astype(np.uint8) if zeros else None
    return random.normal(size=(slots, classes)), marks


# Moments with missing cells


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.2, 1.0])
def test_moments_of_known_cells(missing, weighted):
    X, group, weights = some_rows(missing=missing)
    counts, absent, sums, squares = native.grouped_known_moments(
        X, group, 3, weights if weighted else None, 1
    )
    weights = weights if weighted else np.ones(len(X))
    full = moments.grouped_moments(np.nan_to_num(X), group, 3, weights)
    gone = [[weights[(group == g) & np.isnan(X[:, j])].sum() for j in range(4)] for g in range(3)]
    assert counts[0].tolist() == full[0].astype(float).tolist()
    assert absent[0].tolist() == gone
    assert (moments.pairs_as_fractions(sums) == full[1]).all()
    np.testing.assert_allclose(squares[0], full[2].astype(float), rtol=1e-15)


# Codes


@pytest.mark.parametrize("weighted", [False, True])
def test_counts_equal_their_reference(weighted):
    X, group, weights = some_rows()
    found = native.count_codes(X, COLUMNS, group, 3, weights if weighted else None, 1)
    wanted = naive_bayes.count_codes(X, COLUMNS, group, 3, weights if weighted else np.ones(len(X)))
    np.testing.assert_array_equal(found[0], wanted)
    assert not found[1].any()


values = st.sampled_from([np.nan, -0.0, 0.0, 1.0, 2.0, 0.5, 4095.0, 4096.0, -1.0, 1e150, -1e150, 1e-310])


@given(
    arrays(np.float64, (6, 2), elements=values),
    st.lists(values.filter(lambda x: x == x), max_size=5, unique=True),
    st.booleans(),
)
def test_codes_of_any_value(X, keys, categories):
    columns = coded([0, 1], [sorted(keys), [0.0, 1.0]], [categories, 1])
    group = np.zeros(len(X), np.int32)
    found = native.count_codes(X, columns, group, 1, None, 1)
    np.testing.assert_array_equal(found[0], naive_bayes.count_codes(X, columns, group, 1, np.ones(len(X))))


def test_fractional_weights_are_counted_without_loss():
    X = np.zeros((2, 1))
    columns = coded([0], [[0.0]], [1])
    found = native.count_codes(X, columns, np.zeros(2, np.int32), 1, np.array([1e-6, 1e20]), 1)
    left = native.add_pairs(found, np.stack([[[1e20, 0.0]], [[0.0, 0.0]]]), -1.0)
    assert left[0, 0, 0] == pytest.approx(1e-6, rel=1e-9)


@pytest.mark.parametrize("zeros", [False, True])
def test_scores_are_sums_of_table_entries(zeros):
    X, _, _ = some_rows()
    logs, marks = table(13, zeros=zeros)
    scores, counted = np.ones((len(X), 3)), np.zeros((len(X), 3), np.int32)
    native.add_code_scores(X, COLUMNS, logs, marks, 1, scores, counted)
    one_each = [naive_bayes.count_codes(row[None], COLUMNS, np.zeros(1), 1, np.ones(1))[0] for row in X]
    np.testing.assert_allclose(scores, 1 + np.array(one_each) @ logs, rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(counted, np.array(one_each) @ marks if zeros else np.zeros((len(X), 3)))


def sparse_rows(seed=0):
    X = np.random.default_rng(seed).normal(size=(50, 4)).round(1)
    X[abs(X) < 0.8] = 0
    X[3, 2] = X[7, 0] = np.nan
    return X


@pytest.mark.parametrize("cut", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_rows_count_and_score_as_dense_ones(cut, weighted):
    X = sparse_rows()
    columns = coded(range(4), [[cut]] * 4, [0] * 4)
    group, weights = np.arange(50, dtype=np.int32) % 3, np.linspace(0.5, 2, 50) if weighted else None
    dense, sparse = (
        native.count_codes(rows, columns, group, 3, weights, 1) for rows in (X, sp.csr_matrix(X))
    )
    np.testing.assert_allclose(dense[0], sparse[0], rtol=1e-15, atol=1e-14)
    logs, marks = table(8, zeros=True)
    found = []
    for rows in (X, sp.csr_matrix(X)):
        scores, zeros = np.zeros((50, 3)), np.zeros((50, 3), np.int32)
        native.add_code_scores(rows, columns, logs, marks, 1, scores, zeros)
        found.append((scores, zeros))
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-13)
    np.testing.assert_array_equal(found[0][1], found[1][1])


def test_distinct_values_of_each_column():
    X, _, _ = some_rows(3000)
    found = native.distinct_values(X, places(1, 0, 2), 2)
    for values, j in zip(found, (1, 0, 2), strict=True):
        np.testing.assert_array_equal(values, np.unique(X[~np.isnan(X[:, j]), j]))
        assert not np.signbit(values[values == 0]).any()
    assert [len(v) for v in native.distinct_values(np.full((3, 2), np.nan), places(0, 1), 1)] == [0, 0]


# Gaussian columns


def gaussian_model(X):
    means = np.nan_to_num(np.stack([np.nanmean(X[c::3], axis=0) for c in range(3)]))
    return means, np.linspace(0.5, 2, means.size).reshape(means.shape)


def gaussian_scores(X, means, spreads, threads=1):
    scores = np.zeros((len(X), len(means)))
    norms = -np.log(spreads * np.sqrt(2 * np.pi))
    every = np.arange(X.shape[1], dtype=np.int32)
    native.add_gaussian_scores(X, (every, means, 1 / spreads, norms), threads, scores)
    return scores


@pytest.mark.parametrize("missing", [0.0, 0.2, 1.0])
def test_gaussian_scores_equal_their_reference(missing):
    X = some_rows(missing=missing)[0]
    means, spreads = gaussian_model(np.nan_to_num(X))
    np.testing.assert_allclose(
        gaussian_scores(X, means, spreads), naive_bayes.gaussian_scores(X, means, spreads), rtol=1e-12
    )


def test_a_complete_row_scores_the_same_beside_rows_with_missing_cells():
    X = some_rows()[0]
    means, spreads = gaussian_model(X)
    alone = np.vstack([gaussian_scores(row[None], means, spreads) for row in X])
    np.testing.assert_array_equal(gaussian_scores(X, means, spreads, 2), alone)


def test_no_distance_is_beyond_numbers():
    X = np.array([[1e150, -1e150], [np.nan, 1e150]])
    scores = gaussian_scores(X, np.zeros((2, 2)), np.full((2, 2), 1e-150))
    assert np.isfinite(scores).all()


# Kernel densities


@pytest.mark.parametrize("bandwidth", [1e-3, 0.3, 50.0])
def test_densities_equal_their_reference(bandwidth):
    X, group, weights = some_rows()
    X[:, 3] -= 1e6
    used = places(0, 2, 3)
    values, masses, starts, *_ = native.sort_columns(X, used, group, 3, weights, 2)
    bandwidths = np.full((3, 3), bandwidth) * [[1.0], [2.0], [3.0]]
    scores = np.zeros((len(X), 3))
    asked = X + 0.1
    native.add_density_scores(asked, used, values, masses, starts, bandwidths, 1, scores)
    wanted = naive_bayes.density_scores(asked[:, used], X[:, used], group, weights, bandwidths)
    np.testing.assert_allclose(scores, wanted, rtol=1e-12, atol=1e-12)


def test_sorted_columns_join_equal_values_and_tell_quartiles():
    X = np.array([[3.0], [1.0], [1.0], [np.nan], [5.0], [2.0]])
    group = np.array([0, 0, 0, 0, 1, 0], np.int32)
    values, masses, starts, quartiles, gaps = native.sort_columns(X, places(0), group, 3, None, 1)
    assert starts.tolist() == [[0, 3, 4, 4]]
    assert values[0, :4].tolist() == [1, 2, 3, 5]
    assert masses[0, :4].tolist() == [2, 1, 1, 1]
    assert quartiles[0].tolist() == [[1, 2], [5, 5], [0, 0]]
    assert gaps.tolist() == [4 / 3]


def test_a_class_without_values_takes_the_density_of_all():
    X, group = np.array([[0.0], [1.0], [4.0]]), np.array([0, 0, 2], np.int32)
    values, masses, starts, *_ = native.sort_columns(X, places(0), group, 3, None, 1)
    scores = np.zeros((1, 3))
    native.add_density_scores(
        np.array([[0.7]]), places(0), values, masses, starts, np.ones((3, 1)), 1, scores
    )
    assert np.exp(scores[0, 1]) == pytest.approx(2 / 3 * np.exp(scores[0, 0]) + np.exp(scores[0, 2]) / 3)


# Cut points


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("classes", [2, 4])
def test_cut_points_equal_their_reference(seed, classes):
    random = np.random.default_rng(seed)
    y = np.arange(120) % classes
    X = (random.normal(size=(120, 2)) + 2 * y[:, None] * [1, 0]).round(1)
    X[random.random(X.shape) < 0.05] = np.nan
    weights = random.integers(1, 3, 120).astype(float)
    found = native.cut_points(X, places(0, 1), y.astype(np.int32), weights, classes, 2)
    for j in (0, 1):
        np.testing.assert_allclose(found[j], naive_bayes.cut_points(X[:, j], y, weights), rtol=1e-15)


@pytest.mark.parametrize("x", [[1.0, 1.0], [np.nan, np.nan], [0.0, -0.0], [1.0, np.nextafter(1.0, 2)]])
def test_cut_points_of_degenerate_columns(x):
    X = np.repeat(x, 50)[:, None]
    [cuts] = native.cut_points(X, places(0), np.repeat([0, 1], 50).astype(np.int32), None, 2, 1)
    assert cuts.tolist() == ([1.0] if x[0] != x[1] and x[0] == x[0] else [])


# The same bits, and what is refused


def all_results(X, threads=1):
    _, group, weights = some_rows(X.shape[0])
    logs, marks = table(13, zeros=True)
    every, used = places(0, 1, 2, 3), places(0, 2)
    scores, zeros = np.zeros((X.shape[0], 3)), np.zeros((X.shape[0], 3), np.int32)
    means, spreads = gaussian_model(some_rows(30)[0])
    model = every, means, 1 / spreads, -np.log(spreads)
    native.add_code_scores(X, COLUMNS, logs, marks, threads, scores, zeros)
    native.add_gaussian_scores(X, model, threads, scores)
    sorted_columns = native.sort_columns(X, used, group, 3, weights, threads)
    native.add_density_scores(X, used, *sorted_columns[:3], np.full((3, 2), 1e-3), threads, scores)
    return [
        scores,
        zeros,
        native.count_codes(X, COLUMNS, group, 3, weights, threads),
        *native.grouped_known_moments(X, group, 3, weights, threads),
        *native.distinct_values(X, every, threads),
        *native.cut_points(X, used, group, weights, 3, threads),
    ]


LAYOUTS = {
    "columns first": np.asfortranarray,
    "slice": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_give_the_same_bits(layout):
    X = some_rows()[0]
    for one, other in zip(all_results(X), all_results(LAYOUTS[layout](X)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_threads_give_the_same_bits():
    X = some_rows(60_000)[0]
    for one, other in zip(all_results(X), all_results(X, 3), strict=True):
        np.testing.assert_array_equal(one, other)


def test_float32_equals_its_float64_copy():
    X = some_rows()[0].astype(np.float32)
    for one, other in zip(all_results(X), all_results(X.astype(np.float64)), strict=True):
        np.testing.assert_array_equal(one, other)


BAD_COLUMNS = {
    "a column beyond X": (places(4), places(0, 0), np.zeros(0), np.ones(1, np.uint8)),
    "a negative column": (places(-1), places(0, 0), np.zeros(0), np.ones(1, np.uint8)),
    "falling starts": (places(0, 1), places(0, 1, 0), np.zeros(0), np.ones(2, np.uint8)),
    "starts beyond the keys": (places(0), places(0, 2), np.zeros(1), np.ones(1, np.uint8)),
    "falling keys": (places(0), places(0, 2), np.array([1.0, 0.0]), np.ones(1, np.uint8)),
    "too few flags": (places(0), places(0, 0), np.zeros(0), np.ones(0, np.uint8)),
}


@pytest.mark.parametrize("name", BAD_COLUMNS)
def test_columns_that_cannot_be_are_refused(name):
    X = np.zeros((2, 4))
    with pytest.raises(ValueError, match="must"):
        native.count_codes(X, BAD_COLUMNS[name], np.zeros(2, np.int32), 1, None, 1)


@pytest.mark.parametrize("code", [-1, 3])
def test_codes_of_no_class_are_refused(code):
    X, group, _ = some_rows()
    group[5] = code
    for call in (
        lambda: native.count_codes(X, COLUMNS, group, 3, None, 1),
        lambda: native.sort_columns(X, places(0), group, 3, None, 1),
        lambda: native.cut_points(X, places(0), group, None, 3, 1),
        lambda: native.grouped_known_moments(X, group, 3, None, 1),
    ):
        with pytest.raises(IndexError, match="out of range"):
            call()


def test_sparse_rows_need_every_column():
    X = sp.csr_matrix(sparse_rows())
    with pytest.raises(ValueError, match="every column"):
        native.count_codes(X, coded([0], [[0.0]], [0]), np.zeros(50, np.int32), 1, None, 1)
