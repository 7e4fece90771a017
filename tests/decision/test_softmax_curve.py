"""Temperature scaling: the slope against scipy and against the truth, and predictions that stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from classica.decision.softmax_curve import SoftmaxCurve
from tests.reference.temperature import best_slope


def multinomial(rows=400, classes=4, slope=1.0, seed=0):
    """Return scores, and classes drawn with the probabilities of the softmax of slope · scores."""
    random = np.random.default_rng(seed)
    scores = 2.0 * random.normal(size=(rows, classes))
    draws = random.random((rows, 1))
    codes = (draws > softmax(slope * scores, axis=1).cumsum(axis=1)).sum(axis=1)
    return scores, np.minimum(codes, classes - 1)


def slope_of(curve):
    return curve.slope / curve.scale


@pytest.mark.parametrize("slope", [0.1, 1.0, 3.0])
def test_the_slope_that_classes_were_drawn_with(slope):
    scores, codes = multinomial(rows=20000, slope=slope)
    curve = SoftmaxCurve.fitted(scores, codes, np.ones(len(codes)))
    np.testing.assert_allclose(slope_of(curve), slope, rtol=0.05)
    np.testing.assert_allclose(curve(scores), softmax(slope_of(curve) * scores, axis=1), rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_the_optimum_is_scipys(seed, weighted, missing):
    scores, codes = multinomial(rows=60, slope=0.7, seed=seed)
    random = np.random.default_rng(seed)
    if missing:
        holes = random.random(scores.shape) < 0.2
        holes[np.arange(len(codes)), codes] = False
        scores[holes] = np.nan
    weights = random.uniform(0.1, 4.0, len(codes)) if weighted else np.ones(len(codes))
    found = slope_of(SoftmaxCurve.fitted(scores, codes, weights))
    np.testing.assert_allclose(found, best_slope(scores, codes, weights), rtol=1e-6)


def test_a_weight_is_a_number_of_rows():
    scores, codes = multinomial(rows=80)
    times = np.random.default_rng(1).integers(0, 5, len(codes))
    weighted = SoftmaxCurve.fitted(scores, codes, times.astype(float))
    repeated = SoftmaxCurve.fitted(
        np.repeat(scores, times, axis=0), np.repeat(codes, times), np.ones(times.sum())
    )
    np.testing.assert_allclose(slope_of(weighted), slope_of(repeated), rtol=1e-11)


def test_separated_rows_give_a_finite_slope():
    """Three classes of two rows each, all with one gap: the curve hits the target 3/4 of the true class."""
    codes = np.array([0, 0, 1, 1, 2, 2])
    curve = SoftmaxCurve.fitted(np.eye(3)[codes], codes, np.ones(6))
    np.testing.assert_allclose(curve(np.eye(3)), np.full((3, 3), 1 / 8) + np.eye(3) * 5 / 8, rtol=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1e9, 1e300])
def test_scores_of_any_size_give_the_same_probabilities(size):
    scores, codes = multinomial()
    plain = SoftmaxCurve.fitted(scores, codes, np.ones(len(codes)))
    sized = SoftmaxCurve.fitted(scores * size, codes, np.ones(len(codes)))
    np.testing.assert_allclose(sized(scores * size), plain(scores), rtol=1e-9)


@pytest.mark.parametrize("far", [1e3, 1e30, 1.7e308])
def test_a_row_far_out_leaves_the_others_their_slope(far):
    """A single huge score of the right class says nothing about the others."""
    scores, codes = multinomial()
    plain = slope_of(SoftmaxCurve.fitted(scores, codes, np.ones(len(codes))))
    scores[0, codes[0]] = far
    curve = SoftmaxCurve.fitted(scores, codes, np.ones(len(codes)))
    assert 0 < curve.slope < np.inf
    assert np.isfinite(curve(scores)).all()
    assert slope_of(curve) < 1.1 * plain


@pytest.mark.parametrize(
    "scores", [np.zeros((6, 3)), -np.eye(3)[[0, 0, 1, 1, 2, 2]], np.full((6, 3), 5e-324), np.empty((0, 3))]
)
def test_scores_that_say_nothing_or_the_contrary_give_equal_probabilities(scores):
    codes = np.array([0, 0, 1, 1, 2, 2])[: len(scores)]
    curve = SoftmaxCurve.fitted(scores, codes, np.ones(len(codes)))
    assert curve.slope > 0
    np.testing.assert_allclose(curve(scores), np.full(scores.shape, 1 / 3), rtol=1e-7)


def test_infinite_and_missing_scores():
    curve = SoftmaxCurve(scale=2.0, slope=1.0)
    inf, nan = np.inf, np.nan
    rows = [[inf, 0, 0], [inf, inf, 0], [-inf, 0, 0], [-inf, -inf, -inf], [nan, 0, 0], [1.7e308, -1.7e308, 0]]
    expected = [[1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5], [1 / 3] * 3, [0, 0.5, 0.5], [1, 0, 0]]
    np.testing.assert_allclose(curve(np.array(rows)), expected, rtol=1e-15)


score = st.floats(allow_nan=False) | st.sampled_from([0.0, 5e-324, 1.0, 1.0 + 2**-52, -1.0])


@given(
    st.lists(st.tuples(score, score, score), min_size=1, max_size=20),
    st.floats(5e-324, 1.7e308),
    st.floats(5e-324, 1.7e308),
)
def test_no_prediction_changes(rows, scale, slope):
    """Not even where scores differ by the last bit, or slope and scale are those of a file."""
    scores = np.array(rows)
    found = SoftmaxCurve(scale, slope)(scores)
    np.testing.assert_array_equal(found.argmax(axis=1), scores.argmax(axis=1))
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
    assert found.min() >= 0
