"""The kernels of the Gaussian classifiers against exact or plain references."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.special import softmax

from classica import native
from tests.layouts import LAYOUTS, assert_same_bits, read_only
from tests.reference import gaussian, moments

pytestmark = pytest.mark.native

SMALLEST = 2.0**-1074


def some_tables():
    random = np.random.default_rng(0)
    normal = random.normal(size=(40, 5))
    outliers = normal.copy()
    outliers[3, 0] = outliers[17, 2] = 1e10
    return {
        "one value": normal[:1, :1],
        "one row": normal[:1],
        "one column": normal[:, :1],
        "three columns": normal[:, :3],
        "four columns": normal[:, :4],
        "five columns": normal,
        "eight columns": random.normal(size=(21, 8)),
        "nine columns": random.normal(size=(21, 9)),
        "integers": random.integers(-9, 10, size=(40, 3)).astype(float),
        "constant": np.full((40, 3), 0.1),
        "duplicates": np.repeat(normal[:4], 10, axis=0),
        "zeros": np.zeros((12, 3)),
        "shifted by 1e8": normal + 1e8,
        "shifted by 1e12": normal + 1e12,
        "columns from 1e-12 to 1e12": normal * [1e-12, 1e-6, 1.0, 1e6, 1e12],
        "outliers of 1e10": outliers,
        "up to 1e150": normal / abs(normal).max() * 1e150,
        "plus and minus 1e150": np.where(normal > 0, 1e150, -1e150),
        "1e-150": normal * 1e-150,
        "1e-160": normal * 1e-160,
        "subnormal": normal * 1e-310,
    }


TABLES = some_tables()
each_table = pytest.mark.parametrize("name", TABLES)
#: Where all rows of a column have about the same size, so that no sum of magnitudes is small by chance.
TAME = ["five columns", "eight columns", "nine columns", "integers", "shifted by 1e8", "shifted by 1e12"]


def groups_of(X, groups=3):
    return np.arange(len(X), dtype=np.int32) % groups


def weights_of(X):
    return np.linspace(0.1, 3, len(X))


def assert_products_are_exact(X, group, groups, weights, tame=False):
    found = moments.pairs_as_fractions(native.grouped_products(X, group, groups, weights, 1))
    codes = np.zeros(len(X), np.int32) if group is None else group
    wanted, magnitudes = gaussian.grouped_products(X, codes, groups, weights)
    error, underflow = abs(found - wanted), moments.exact(16.0 * (len(X) + 1) * SMALLEST)
    if tame:
        assert (error <= magnitudes * moments.exact(1e-27) + underflow).all()
    # In a panel of 128 rows the high part is exact. The low part sums 128 terms (256 with weights) of up to
    # 2^-45 b_i b_j, so it stays below 2^-37 b_i b_j and its roundings below 2^-82 b_i b_j. The bounds b are
    # powers of two above all values, but not below 2^-480. Adding panels up costs a few 2^-106 of the sum.
    weight = np.ones((len(X), 1)) if weights is None else weights[:, None]
    bounds = [np.maximum(2 * abs(values).max(axis=0), 2.0**-480) for values in (X, weight * X)]
    rows, columns = np.tril_indices(X.shape[1])
    panel = moments.exact(bounds[0][rows]) * moments.exact(bounds[1][columns]) * moments.exact(2.0**-82)
    panels = len(X) // 128 + 1
    assert (error <= panels * (panel + magnitudes * moments.exact(2.0**-104)) + underflow).all()


# Products


@each_table
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_products_carry_double_double_precision(name, grouped, weighted):
    X = TABLES[name]
    group, groups = (groups_of(X), 3) if grouped else (None, 1)
    assert_products_are_exact(X, group, groups, weights_of(X) if weighted else None, tame=name in TAME)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 7, 8, 9])
@pytest.mark.parametrize("rows", [1, 2, 127, 128, 129])
def test_products_around_the_borders_of_strips_and_panels(rows, columns):
    X = np.random.default_rng(rows).normal(size=(rows, columns)) + 1000
    assert_products_are_exact(X, None, 1, None, tame=True)


@pytest.mark.parametrize("rows", [8191, 8192, 8193, 16385])
def test_products_around_the_borders_of_blocks(rows):
    # Whole numbers below 2^20: every sum of products is a whole number that a double-double holds exactly.
    X = np.random.default_rng(rows).integers(-(2**20), 2**20, size=(rows, 5))
    found = native.grouped_products(X.astype(np.float64), groups_of(X), 3, None, 2)
    for g in range(3):
        part = X[groups_of(X) == g].astype(object)
        wanted = (part.T @ part)[np.tril_indices(5)]
        assert [int(high) + int(low) for high, low in found[:, g].T] == wanted.tolist()


def test_products_of_many_blocks_keep_their_digits_behind_an_offset():
    X = 1e8 + np.random.default_rng(4).normal(size=(9000, 2))
    assert_products_are_exact(X, None, 1, None, tame=True)


numbers = st.one_of(
    st.integers(-5, 5).map(float),
    st.floats(-1e140, 1e140),
    st.floats(-1, 1).map(lambda x: 1e12 + x),
    st.floats(-1e-300, 1e-300),
)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=numbers), st.data())
def test_products_of_any_table(X, data):
    group = data.draw(arrays(np.int32, len(X), elements=st.integers(0, 2)))
    weights = data.draw(st.none() | arrays(np.float64, len(X), elements=st.floats(1e-6, 1e6)))
    assert_products_are_exact(X, group, 3, weights)


@pytest.mark.parametrize("size", [1e-200, 1e-20, 1e20, 1e200])
def test_weights_of_any_size(size):
    X = TABLES["five columns"]
    assert_products_are_exact(X, groups_of(X), 3, size * weights_of(X), tame=size > 1)


def test_weights_of_any_mixture_of_sizes():
    X = TABLES["nine columns"]
    assert_products_are_exact(X, None, 1, 10.0 ** np.linspace(-100, 100, len(X)))


def test_a_weight_of_two_is_the_row_twice_and_zero_no_row():
    X, times = TABLES["five columns"], np.arange(40) % 3
    weighted = native.grouped_products(X, None, 1, times.astype(float), 1)
    repeated = native.grouped_products(np.repeat(X, times, axis=0), None, 1, None, 1)
    error = abs(moments.pairs_as_fractions(weighted) - moments.pairs_as_fractions(repeated))
    assert (error <= moments.exact(1e-28 * 40 * abs(X).max() ** 2)).all()


def test_groups_without_rows_have_zeros():
    X = TABLES["five columns"]
    found = native.grouped_products(X, np.full(40, 2, np.int32), 4, None, 1)
    assert not found[:, [0, 1, 3]].any()
    np.testing.assert_array_equal(found[:, 2], native.grouped_products(X, None, 1, None, 1)[:, 0])


def test_an_outlier_taken_away_again_leaves_no_trace():
    X = TABLES["five columns"]
    row = np.array([[1e10, -2e10, 3e10, 0.1e10, 1.0]])
    both = native.grouped_products(np.vstack([X, row]), None, 1, None, 1)
    left = native.add_pairs(both, native.grouped_products(row, None, 1, None, 1), -1.0)
    # 106 bits of 9e20 end near 1e-11.
    np.testing.assert_allclose(left[0], native.grouped_products(X, None, 1, None, 1)[0], rtol=0, atol=1e-8)


# Means and scatter


def statistics(X, group, groups, weights, pooled):
    counts, sums, _ = native.grouped_moments(X, group, groups, weights, False, 1)
    products = native.grouped_products(X, None if pooled else group, 1 if pooled else groups, weights, 1)
    return counts, sums, products


def fractional(X):
    """Return weights whose sums no double holds."""
    return np.random.default_rng(9).uniform(0.1, 2, len(X))


@each_table
@pytest.mark.parametrize("weighted", [False, True])
def test_mean_pairs_carry_double_double_precision(name, weighted):
    X, weights = TABLES[name], fractional(TABLES[name]) if weighted else None
    counts, sums, _ = native.grouped_moments(X, groups_of(X), 3, weights, False, 1)
    found = moments.pairs_as_fractions(native.mean_pairs(counts, sums))
    exact = moments.grouped_moments(X, groups_of(X), 3, weights)
    wanted, _ = moments.means_and_variances(*exact)
    size, _ = moments.means_and_variances(*moments.grouped_moments(abs(X), groups_of(X), 3, weights))
    assert (abs(found - wanted) <= size * moments.exact(1e-27) + moments.exact(100 * SMALLEST)).all()


@each_table
@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_scatter_matrices_equal_the_exact_ones(name, pooled, weighted):
    X, weights = TABLES[name], fractional(TABLES[name]) if weighted else None
    group = groups_of(X)
    found = native.scatter_matrices(*statistics(X, group, 3, weights, pooled))
    parts = [group == g for g in range(3)]
    some = [gaussian.scatter(X[p], None if weights is None else weights[p]) for p in parts if p.any()]
    none = moments.exact(np.zeros(found.shape[1:]))
    wanted = [sum(some)] if pooled else [*some, *[none] * (3 - len(some))]
    for matrix, exact in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(matrix, matrix.T)
        about_zero = np.sqrt(np.array([float((moments.exact(column) ** 2).sum()) for column in X.T]))
        deviations = np.sqrt(np.maximum(np.diag(exact).astype(float), 0))
        # A double's own rounding, and what is below the resolution of the sums.
        allowed = 1e-14 * np.outer(deviations, deviations) + 3e-26 * np.outer(about_zero, about_zero)
        assert (abs(matrix - exact.astype(float)) <= allowed + 1e4 * SMALLEST).all()


def test_the_scatter_about_far_means_keeps_its_digits():
    X, weights = TABLES["shifted by 1e8"], fractional(TABLES["shifted by 1e8"])
    [found] = native.scatter_matrices(*statistics(X, np.zeros(40, np.int32), 1, weights, True))
    np.testing.assert_allclose(found, gaussian.scatter(X, weights).astype(float), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("value", [0.1, 1 / 3, -7.7e8, 1e150])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_constant_column_has_no_scatter(value, weighted):
    X = np.column_stack([TABLES["five columns"], np.full(40, value)])
    weights = fractional(X) if weighted else None
    for pooled in (False, True):
        found = native.scatter_matrices(*statistics(X, groups_of(X), 3, weights, pooled))
        assert not found[:, 5].any()
        assert not found[:, :, 5].any()
        assert (np.diagonal(found, axis1=1, axis2=2)[:, :5] > 0).all()


def test_a_group_without_rows_has_no_mean_and_no_scatter():
    X = TABLES["five columns"]
    counts, sums, products = statistics(X, np.zeros(40, np.int32), 2, None, False)
    assert not native.mean_pairs(counts, sums)[:, 1].any()
    assert not native.scatter_matrices(counts, sums, products)[1].any()


# Scores


def linear_model(columns, scores, seed=1):
    random = np.random.default_rng(seed)
    return random.normal(size=columns), random.normal(size=(scores, columns)), random.normal(size=scores)


def quadratic_model(columns, forms, seed=2):
    random = np.random.default_rng(seed)
    factors = np.triu(random.normal(size=(forms, columns, columns)))
    return random.normal(size=columns), random.normal(size=(forms, columns)), factors


def packed(model):
    return model[0], model[1], native.factor_strips(model[2])


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 8, 9, 33])
@pytest.mark.parametrize("scores", [0, 1, 4, 5, 6, 10, 11])
def test_linear_scores_equal_the_formula(columns, scores):
    X = np.random.default_rng(0).normal(size=(9, columns))
    center, weights, offsets = model = linear_model(columns, scores)
    size = abs(X - center) @ abs(weights).T + abs(offsets)
    wanted = (X - center) @ weights.T + offsets
    for rows in (0, 1, 7, 8, 9):
        error = abs(native.linear_scores(X[:rows], model, 1) - wanted[:rows])
        assert (error <= 1e-15 * (columns + 2) * size[:rows]).all()


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 8, 9, 33])
@pytest.mark.parametrize("forms", [0, 1, 3])
def test_quadratic_forms_equal_the_formula(columns, forms):
    X = np.random.default_rng(0).normal(size=(9, columns))
    center, centers, factors = model = quadratic_model(columns, forms)
    gaps = X[:, None] - center - centers
    wanted = (np.einsum("cij,ncj->nci", factors, gaps) ** 2).sum(axis=2)
    size = (np.einsum("cij,ncj->nci", abs(factors), abs(gaps)) ** 2).sum(axis=2)
    for rows in (0, 1, 7, 8, 9):
        error = abs(native.quadratic_forms(X[:rows], packed(model), 1) - wanted[:rows])
        assert (error <= 1e-15 * (columns + 4) * size[:rows]).all()


@pytest.mark.parametrize("columns", [1, 3, 4, 5, 8, 9])
def test_factor_strips_hold_four_rows_side_by_side(columns):
    _, _, factors = quadratic_model(columns, 2)
    strips = native.factor_strips(factors)
    assert strips.shape == (2, -(-columns // 4), 4 * columns)
    flat = strips.reshape(2, -1)
    wanted = np.zeros_like(flat)
    for k in range(columns):
        for j in range(columns):
            wanted[:, (k // 4 * columns + j) * 4 + k % 4] = factors[:, k, j]
    np.testing.assert_array_equal(flat, wanted)


def test_an_offset_costs_scores_no_digits():
    X = 1e8 + np.round(TABLES["five columns"] * 2**20) / 2**20  # exact behind the offset too
    center, weights, offsets = linear_model(5, 3)
    far = np.full(5, 1e8), weights, offsets
    np.testing.assert_array_equal(
        native.linear_scores(X, far, 1), native.linear_scores(X - 1e8, (0 * center, weights, offsets), 1)
    )
    center, centers, factors = packed(quadratic_model(5, 3))
    np.testing.assert_array_equal(
        native.quadratic_forms(X, (np.full(5, 1e8), centers, factors), 1),
        native.quadratic_forms(X - 1e8, (0 * center, centers, factors), 1),
    )


def test_rows_absurdly_far_away_have_finite_scores():
    X = np.array([[1e150, 1e150], [1e150, -1e150], [-1e150, -1e150], [0, 0]])
    steep = np.zeros(2), np.array([[1e170, 1e170], [1e170, -1e170], [0.0, 0.0]]), np.array([1.0, 2, 3])
    found = native.linear_scores(X, steep, 1)
    assert np.isfinite(found).all()
    assert found[0, 0] == found[1, 1] == 1e307
    assert found[2, 0] == -1e307
    assert found[3].tolist() == [1, 2, 3]
    forms = np.zeros(2), np.zeros((2, 2)), np.array([[[1e170, 1e170], [0, 1e170]], np.zeros((2, 2))])
    squares = native.quadratic_forms(X, packed(forms), 1)
    assert squares[:3, 0].tolist() == [1e307] * 3
    assert not squares[3].any()
    assert not squares[:, 1].any()


# Decisions


def some_scores():
    random = np.random.default_rng(5)
    plain = random.normal(size=(50, 4)) * 10
    holes = np.where(random.random(plain.shape) < 0.4, -np.inf, plain)
    holes[:, 2] = plain[:, 2]
    return {
        "plain": plain,
        "one class": plain[:, :1].copy(),
        "huge": plain * 1e299,
        "far apart": plain * 1e4,
        "impossible classes": holes,
        "all but one impossible": np.where(np.arange(4) == 2, plain, -np.inf),
        "all equal": np.full((5, 4), -3e5),
        "whole numbers": random.integers(-1, 2, size=(200, 5)).astype(float),
    }


SCORES = some_scores()
each_scores = pytest.mark.parametrize("name", SCORES)


@each_scores
def test_the_highest_score_wins(name):
    np.testing.assert_array_equal(native.highest_scores(SCORES[name], 1), SCORES[name].argmax(axis=1))


@each_scores
def test_posteriors_are_the_softmax(name):
    found = native.scores_to_posteriors(SCORES[name], 1)
    np.testing.assert_allclose(found, softmax(SCORES[name], axis=1), rtol=1e-14, atol=1e-300)
    assert (found[np.isneginf(SCORES[name])] == 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=1e-15 * 4)


@each_scores
def test_the_largest_posterior_is_that_of_the_highest_score(name):
    winner = native.scores_to_posteriors(SCORES[name], 1).argmax(axis=1)
    np.testing.assert_array_equal(winner, native.highest_scores(SCORES[name], 1))


@pytest.mark.parametrize("size", [1e-300, 1e-17, 0.1, 1.0, 700.0, 1e8, 1e307])
@pytest.mark.parametrize("sign", [-1, 1])
def test_scores_one_double_apart(size, sign):
    low = sign * size
    high = np.nextafter(low, np.inf)
    scores = np.array([[low, high, low], [high, low, high], [low, low, high], [high, high, high]])
    assert native.highest_scores(scores, 1).tolist() == [1, 0, 2, 0]
    found = native.scores_to_posteriors(scores, 1)
    assert found.argmax(axis=1).tolist() == [1, 0, 2, 0]
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=1e-15)
    if size < 1e8:
        np.testing.assert_allclose(found, 1 / 3, rtol=1e-12)


scores_of_any_size = st.floats(-1e300, 1e300) | st.just(-np.inf)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=scores_of_any_size))
def test_decisions_from_any_scores(scores):
    scores[:, 0] = np.where(np.isneginf(scores).all(axis=1), 0.0, scores[:, 0])
    winner = native.highest_scores(scores, 1)
    np.testing.assert_array_equal(winner, scores.argmax(axis=1))
    posteriors = native.scores_to_posteriors(scores, 1)
    np.testing.assert_array_equal(posteriors.argmax(axis=1), winner)
    np.testing.assert_allclose(posteriors, softmax(scores, axis=1), rtol=1e-13, atol=1e-300)


# The same bits


def all_results(X, threads=1, group=None, weights=None):
    group = groups_of(X) if group is None else group
    weights = weights_of(X) if weights is None else weights
    columns = X.shape[1]
    linear = native.linear_scores(X, linear_model(columns, 7), threads)
    return [
        native.grouped_products(X, group, 3, weights, threads),
        native.grouped_products(X, group, 3, None, threads),
        native.grouped_products(X, None, 1, weights, threads),
        native.grouped_products(X, None, 1, None, threads),
        linear,
        native.quadratic_forms(X, packed(quadratic_model(columns, 3)), threads),
        native.highest_scores(linear, threads),
        native.scores_to_posteriors(linear, threads),
    ]


@each_table
def test_layouts_give_the_same_bits(name):
    X = TABLES[name]
    plain = all_results(X)
    for layout in LAYOUTS.values():
        assert_same_bits(plain, all_results(layout(X)))


@pytest.mark.parametrize("name", ["five columns", "nine columns", "shifted by 1e8"])
def test_float32_equals_its_float64_copy(name):
    X = TABLES[name].astype(np.float32)
    plain = all_results(X.astype(np.float64))
    for layout in LAYOUTS.values():
        assert_same_bits(plain, all_results(layout(X)))


def test_vectors_may_be_strided_and_read_only():
    X = TABLES["five columns"]
    strided = all_results(X, 1, np.repeat(groups_of(X), 2)[::2], weights_of(X)[::-1].copy()[::-1])
    assert_same_bits(all_results(X), strided)
    assert_same_bits(all_results(X), all_results(X, 1, read_only(groups_of(X)), read_only(weights_of(X))))


@pytest.mark.parametrize("order", ["C", "F"])
def test_threads_give_the_same_bits(order):
    X = np.random.default_rng(6).normal(size=(40_000, 9)) + 1e4
    X = np.asarray(X, order=order)
    alone = all_results(X)
    for threads in (2, 3, 4, 5):
        assert_same_bits(alone, all_results(X, threads))


def test_a_row_alone_has_the_scores_it_has_in_a_batch():
    X, kernels = TABLES["nine columns"], (native.linear_scores, native.quadratic_forms)
    for kernel, model in zip(kernels, (linear_model(9, 7), packed(quadratic_model(9, 3))), strict=True):
        rows = [kernel(X[i : i + 1], model, 1) for i in range(len(X))]
        np.testing.assert_array_equal(np.concatenate(rows), kernel(X, model, 1))


# Refusals


@pytest.mark.parametrize("code", [-1, 2, 2**31 - 1, -(2**31)])
def test_group_codes_out_of_range_are_refused(code):
    with pytest.raises(IndexError, match="group code"):
        native.grouped_products(np.eye(3), np.array([0, 1, code], np.int32), 2, None, 1)


def test_a_code_out_of_range_in_a_later_block_is_refused_by_every_number_of_threads():
    group = np.zeros(40_000, np.int32)
    group[39_999] = 1
    for threads in (1, 3):
        with pytest.raises(IndexError, match="group code"):
            native.grouped_products(np.ones((40_000, 2)), group, 1, None, threads)


SHAPES = {
    "too few groups": lambda X, g: native.grouped_products(X, g[:2], 1, None, 1),
    "too many groups": lambda X, g: native.grouped_products(X, np.zeros(4, np.int32), 1, None, 1),
    "too few weights": lambda X, g: native.grouped_products(X, g, 1, np.ones(2), 1),
    "no codes for two groups": lambda X, g: native.grouped_products(X, None, 2, None, 1),
    "products of other columns": lambda X, g: native.scatter_matrices(
        np.ones((2, 1)), np.zeros((2, 1, 3)), np.zeros((2, 1, 3))
    ),
    "products of other groups": lambda X, g: native.scatter_matrices(
        np.ones((2, 3)), np.zeros((2, 3, 2)), np.zeros((2, 2, 3))
    ),
    "counts of other groups": lambda X, g: native.scatter_matrices(
        np.ones((2, 2)), np.zeros((2, 3, 2)), np.zeros((2, 3, 3))
    ),
    "means of other groups": lambda X, g: native.mean_pairs(np.ones((2, 2)), np.zeros((2, 3, 2))),
    "center of other columns": lambda X, g: native.linear_scores(
        X, (np.zeros(2), np.ones((2, 3)), np.zeros(2)), 1
    ),
    "weights of other columns": lambda X, g: native.linear_scores(
        X, (np.zeros(3), np.ones((2, 2)), np.zeros(2)), 1
    ),
    "too few offsets": lambda X, g: native.linear_scores(X, (np.zeros(3), np.ones((2, 3)), np.zeros(1)), 1),
    "factors of other columns": lambda X, g: native.quadratic_forms(
        X, (np.zeros(3), np.zeros((1, 3)), np.zeros((1, 1, 8))), 1
    ),
    "too few factors": lambda X, g: native.quadratic_forms(
        X, (np.zeros(3), np.zeros((2, 3)), np.zeros((1, 1, 12))), 1
    ),
    "too few strips": lambda X, g: native.quadratic_forms(
        np.ones((2, 5)), (np.zeros(5), np.zeros((1, 5)), np.zeros((1, 1, 20))), 1
    ),
    "centers of other columns": lambda X, g: native.quadratic_forms(
        X, (np.zeros(3), np.zeros((1, 2)), np.zeros((1, 1, 8))), 1
    ),
    "scores of no class": lambda X, g: native.highest_scores(np.empty((3, 0)), 1),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_do_not_agree_are_refused(name):
    with pytest.raises(ValueError, match="must"):
        SHAPES[name](np.eye(3), np.zeros(3, np.int32))


@pytest.mark.parametrize("X", [np.eye(3, dtype=int), np.eye(3, dtype=">f8"), np.ones(3), np.ones((1, 3, 3))])
def test_other_types_and_dimensions_are_refused(X):
    with pytest.raises((TypeError, IndexError)):
        native.grouped_products(X, None, 1, None, 1)
    with pytest.raises(TypeError):
        native.linear_scores(X, linear_model(3, 2), 1)
    with pytest.raises(TypeError):
        native.quadratic_forms(X, packed(quadratic_model(3, 2)), 1)


def test_no_rows_give_no_results():
    X = np.empty((0, 3))
    assert not native.grouped_products(X, np.empty(0, np.int32), 2, np.empty(0), 2).any()
    assert native.highest_scores(np.empty((0, 2)), 2).shape == (0,)
    assert native.scores_to_posteriors(np.empty((0, 2)), 2).shape == (0, 2)
