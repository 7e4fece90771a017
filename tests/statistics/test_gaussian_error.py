"""The Bayes error of known Gaussians against brute-force integration, closed forms and simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

from classica import gaussian_bayes_error
from classica.errors import ParameterError
from classica.statistics import two_gaussian_boundary


def brute_line(means, variances, priors, points=200_001):
    """One minus the integral of the highest weighted density, by the trapezoidal rule."""
    deviations = np.sqrt(variances)
    x = np.linspace(np.min(means - 9 * deviations), np.max(means + 9 * deviations), points)
    highest = np.max(
        [p * norm.pdf(x, m, s) for m, s, p in zip(means, deviations, priors, strict=True)], axis=0
    )
    return 1 - np.trapezoid(highest, x)


number = st.integers(-40, 40).map(lambda n: n / 10)
variance = st.integers(1, 60).map(lambda n: n / 10)
share = st.integers(0, 10)
lines = st.lists(st.tuples(number, variance, share), min_size=1, max_size=6).filter(
    lambda rows: sum(p for _, _, p in rows) > 0
)


@given(lines)
def test_on_a_line_it_is_the_integral(rows):
    means, variances, shares = np.array(rows).T
    priors = shares / shares.sum()
    found = gaussian_bayes_error(means, variances, priors)
    assert (found.method, found.uncertainty) == ("exact", 0)
    assert found.error == pytest.approx(brute_line(means, variances, priors), abs=1e-8)


@given(number, variance, lines)
def test_on_a_line_shift_scale_and_order_do_not_matter(shift, scale, rows):
    means, variances, shares = np.array(rows).T
    priors = shares / shares.sum()
    found = gaussian_bayes_error(means, variances, priors).error
    moved = gaussian_bayes_error(scale * means + 100 * shift, scale**2 * variances, priors).error
    assert moved == pytest.approx(found, abs=1e-9)
    assert gaussian_bayes_error(means[::-1], variances[::-1], priors[::-1]).error == pytest.approx(
        found, abs=1e-12
    )


@pytest.mark.parametrize(
    ("means", "variances", "priors", "error"),
    [
        ([4, 7], 1, None, norm.cdf(-1.5)),
        ([0, 0], 1, None, 0.5),
        ([0, 0], 1, [0.3, 0.7], 0.3),
        ([0, 0, 0], 1, [0.2, 0.3, 0.5], 0.5),
        ([3], 2, None, 0.0),
        ([0, 5], 1, [1, 0], 0.0),
        # Equal means: the narrow one is said inside ±√(8 ln 2 / 3), the wide one outside.
        (
            [0, 0],
            [1, 4],
            None,
            norm.cdf(-math.sqrt(8 * math.log(2) / 3)) + norm.cdf(math.sqrt(2 * math.log(2) / 3)) - 0.5,
        ),
        # So rare a narrow class is never said.
        ([0, 0], [1, 4], [0.1, 0.9], 0.1),
    ],
)
def test_closed_forms(means, variances, priors, error):
    assert gaussian_bayes_error(means, variances, priors).error == pytest.approx(error, rel=1e-13, abs=1e-15)


def test_tiny_errors_keep_their_digits():
    assert gaussian_bayes_error([0, 20], 1).error == pytest.approx(norm.cdf(-10), rel=1e-12, abs=0)
    assert gaussian_bayes_error([[0, 0, 0], [0, 20, 0]], np.eye(3)).error == pytest.approx(
        norm.cdf(-10), rel=1e-12, abs=0
    )


def test_far_from_zero_no_digits_are_lost():
    near = gaussian_bayes_error([0, 1, 3], [1, 2, 0.5])
    far = gaussian_bayes_error([1e7, 1e7 + 1, 1e7 + 3], [1, 2, 0.5])
    assert far.error == pytest.approx(near.error, rel=1e-8)
    points = two_gaussian_boundary([0, 3], [1, 2])
    assert two_gaussian_boundary([1e7, 1e7 + 3], [1, 2]) - 1e7 == pytest.approx(points, abs=1e-8)


PAIR = norm.cdf(-0.5)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("means", "variances", "error"),
    [
        # A third class far away: two thirds of the error of the other two.
        ([0, 1, 1e8], 1, 2 / 3 * PAIR),
        ([0, 1, 1e20], 1, 2 / 3 * PAIR),
        ([1e20, 0, 1], 1, 2 / 3 * PAIR),
        ([0, 1, 1e150], 1, 2 / 3 * PAIR),
        ([0, 1, 1e9], [1, 2, 1], 2 / 3 * 0.327180118876),
        ([0, 1e20, 1e20], [1, 1, 4], 2 / 3 * 0.338663),
        ([0, 1e150], 1, 0),
        ([0, 1e100], [1, 1 + 1e-15], 0),
    ],
)
def test_classes_far_apart_do_not_disturb_close_ones(means, variances, error):
    assert gaussian_bayes_error(means, variances).error == pytest.approx(error, rel=1e-5, abs=1e-300)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("means", [[0, 3], [3, 0], [1e6, 1e6 + 3]])
@pytest.mark.parametrize("variance", [1e-18, 1e-40, 1e-150])
def test_a_class_like_a_needle_is_told_from_a_wide_one(means, variance):
    s = math.sqrt(variance)
    half = s * math.sqrt(2 * (-math.log(s) + 4.5))  # where the needle sinks below the wide density near 3
    error = gaussian_bayes_error(means, [variance, 1]).error
    assert error == pytest.approx(0.5 * norm.pdf(3) * 2 * half + norm.cdf(-half / s), rel=0.01)
    assert len(two_gaussian_boundary(means, [variance, 1])) == 2


def test_boundaries_of_a_needle_lie_about_it():
    left, right = two_gaussian_boundary([0, 3], [1e-18, 1])
    assert -1e-8 < left < -7e-9 < 7e-9 < right < 1e-8
    assert two_gaussian_boundary([1e150, -5e149], 1) == pytest.approx([2.5e149])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("reach", [1e3, 1e9, 1e20, 1e150])
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("spreads", [[1, 1, 1], [1, 2, 1]])
def test_far_classes_in_space_do_not_disturb_close_ones(dimensions, reach, spreads):
    means = np.zeros((3, dimensions))
    means[1, 0], means[2, 1] = 1, reach
    covariances = np.array(spreads)[:, None, None] * np.eye(dimensions)
    close = gaussian_bayes_error(means[:2], covariances[:2])
    found = gaussian_bayes_error(means, covariances)
    allowed = 4 * (found.uncertainty + close.uncertainty) + 1e-9
    assert found.error == pytest.approx(2 / 3 * close.error, abs=allowed)
    assert found.uncertainty < 1e-3


def test_nearly_equal_variances_are_as_equal_ones():
    close = gaussian_bayes_error([0, 3], [1, 1 + 1e-13]).error
    assert close == pytest.approx(norm.cdf(-1.5), rel=1e-11)


@given(st.integers(1, 5), st.integers(1, 9), st.integers(0, 1000))
def test_two_classes_of_one_covariance_have_the_closed_form(dimensions, tenths, seed):
    random = np.random.default_rng(seed)
    means = random.normal(size=(2, dimensions))
    root = random.normal(size=(dimensions, dimensions)) + 2 * np.eye(dimensions)
    covariance = root @ root.T + 0.1 * np.eye(dimensions)
    difference = means[1] - means[0]
    distance = math.sqrt(difference @ np.linalg.solve(covariance, difference))
    p = tenths / 10
    tilt = math.log(p / (1 - p)) / distance
    error = p * norm.cdf(-distance / 2 - tilt) + (1 - p) * norm.cdf(-distance / 2 + tilt)
    found = gaussian_bayes_error(means, covariance, [p, 1 - p])
    assert found.method == "exact"
    assert found.error == pytest.approx(error, rel=1e-9)


def brute_plane(means, covariances, priors, points=1201, reach=14):
    axis = np.linspace(-reach, reach, points)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1)
    densities = [
        p * multivariate_normal(m, c).pdf(grid) for m, c, p in zip(means, covariances, priors, strict=True)
    ]
    step = axis[1] - axis[0]
    return 1 - np.max(densities, axis=0).sum() * step**2


PLANES = [
    ([[0, 0], [2, 0]], [np.eye(2), [[4, 1], [1, 2]]], [0.5, 0.5]),
    ([[0, 0], [2, 1], [-1, 2]], [[[1, 0.5], [0.5, 1]], [[2, -1], [-1, 1]], 0.3 * np.eye(2)], [0.2, 0.5, 0.3]),
    ([[0, 0], [0, 0]], [np.eye(2), 4 * np.eye(2)], [0.5, 0.5]),
    ([[0, 0], [2, 0], [0, 2]], [np.eye(2)] * 3, [0.2, 0.3, 0.5]),
]


@pytest.mark.parametrize(("means", "covariances", "priors"), PLANES)
def test_in_the_plane_it_is_the_integral(means, covariances, priors):
    found = gaussian_bayes_error(means, np.array(covariances), priors)
    assert found.method == "quadrature"
    assert found.uncertainty < 1e-8
    assert found.error == pytest.approx(brute_plane(means, covariances, priors), abs=2e-5)


def test_in_the_plane_the_rings_have_a_closed_form():
    """Round classes about one point: the distance alone decides, at r² = 8 ln 4 / 3."""
    squared = 8 * math.log(4) / 3
    error = 0.5 * math.exp(-squared / 2) + 0.5 * (1 - math.exp(-squared / 8))
    found = gaussian_bayes_error([[1, 2], [1, 2]], [np.eye(2), 4 * np.eye(2)])
    assert found.error == pytest.approx(error, abs=1e-10)


@settings(max_examples=15)
@given(lines)
def test_a_second_coordinate_that_tells_nothing_changes_nothing(rows):
    means, variances, shares = np.array(rows).T
    priors = shares / shares.sum()
    line = gaussian_bayes_error(means, variances, priors).error
    covariances = np.array([np.diag([v, 2.0]) for v in variances])
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    flat = np.column_stack([means, np.zeros(len(means))])
    plane = gaussian_bayes_error(flat @ turn.T, turn @ covariances @ turn.T, priors)
    assert plane.error == pytest.approx(line, abs=1e-8)
    assert abs(plane.error - line) <= max(plane.uncertainty, 1e-9)


def test_a_narrow_class_far_away_is_not_missed():
    means, covariances = [[0, 0], [500, 3]], [np.eye(2), 1e-4 * np.eye(2)]
    assert gaussian_bayes_error(means, covariances, [0.5, 0.5]).error == pytest.approx(0, abs=1e-12)
    thin = gaussian_bayes_error([[0, 0], [2.7, 0]], [np.eye(2), np.diag([1e-6, 1])])
    assert thin.error == pytest.approx(gaussian_bayes_error([0, 2.7], [1, 1e-6]).error, abs=1e-10)
    near = gaussian_bayes_error([[0, 0], [0, 0]], [np.eye(2), 1e-4 * np.eye(2)]).error
    squared = 2 * math.log(1e4) / (1e4 - 1)  # where the densities cross
    exact = 0.5 * math.exp(-squared * 1e4 / 2) + 0.5 * (1 - math.exp(-squared / 2))
    assert near == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("means", "covariances", "priors"), [*PLANES, ([4, 7, 5], [1, 1, 3], [0.1, 0.3, 0.6])]
)
def test_simulation_is_within_four_standard_errors(means, covariances, priors, seed):
    exact = gaussian_bayes_error(means, np.array(covariances), priors)
    drawn = gaussian_bayes_error(
        means, np.array(covariances), priors, method="simulation", n_samples=20_000, random_state=seed
    )
    assert drawn.method == "simulation"
    assert 0 < drawn.uncertainty < 0.003
    assert abs(drawn.error - exact.error) < 4 * drawn.uncertainty


def test_the_standard_error_is_that_of_repetition_and_below_that_of_counting():
    means, covariances, priors = PLANES[1]
    runs = [
        gaussian_bayes_error(
            means, np.array(covariances), priors, method="simulation", n_samples=2000, random_state=seed
        )
        for seed in range(60)
    ]
    spread = np.std([run.error for run in runs], ddof=1)
    assert 0.7 < spread / np.mean([run.uncertainty for run in runs]) < 1.3
    error = runs[0].error
    assert spread < 0.8 * math.sqrt(error * (1 - error) / 2000)


def test_many_dimensions_are_simulated_and_the_seed_decides():
    covariances = [np.eye(3), 2 * np.eye(3)]
    first = gaussian_bayes_error([[0, 0, 0], [1, 1, 1]], covariances, n_samples=40_000)
    assert first.method == "simulation"
    assert first == gaussian_bayes_error([[0, 0, 0], [1, 1, 1]], covariances, n_samples=40_000)
    other = gaussian_bayes_error([[0, 0, 0], [1, 1, 1]], covariances, n_samples=40_000, random_state=1)
    assert other.error != first.error
    assert abs(other.error - first.error) < 4 * math.hypot(first.uncertainty, other.uncertainty)


def test_means_on_a_line_or_plane_need_no_simulation():
    means = np.outer([0, 1, 5], [1, 2, 3, 4])
    assert gaussian_bayes_error(means, np.eye(4)).method == "exact"
    assert gaussian_bayes_error(means, np.eye(4)).error == pytest.approx(
        gaussian_bayes_error(np.array([0, 1, 5]) * math.sqrt(30), 1).error, rel=1e-12
    )
    means[0, 0] = 7
    assert gaussian_bayes_error(means, np.eye(4)).method == "quadrature"


@pytest.mark.parametrize(
    ("means", "variances", "priors", "points"),
    [
        ([4, 7], 1, None, [5.5]),
        ([7, 4], 1, None, [5.5]),
        ([0, 0], 1, None, []),
        ([0, 0], [1, 4], [0.1, 0.9], []),
        ([0, 0], [1, 4], None, [-math.sqrt(8 * math.log(2) / 3), math.sqrt(8 * math.log(2) / 3)]),
        ([0, 1], 1, [1, 0], []),
    ],
)
def test_boundaries(means, variances, priors, points):
    assert two_gaussian_boundary(means, variances, priors) == pytest.approx(points, rel=1e-13)


@given(number, number, variance, variance, st.integers(1, 9))
def test_on_the_boundary_both_classes_are_equally_likely(first, second, v1, v2, tenths):
    p = tenths / 10
    points = two_gaussian_boundary([first, second], [v1, v2], [p, 1 - p])
    assert (np.diff(points) > 0).all()
    left = math.log(p) + norm.logpdf(points, first, math.sqrt(v1))
    right = math.log(1 - p) + norm.logpdf(points, second, math.sqrt(v2))
    np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9)


def test_the_sentences():
    assert str(gaussian_bayes_error([4, 7], 1)) == "The Bayes error is 0.0668072 (exact)."
    drawn = gaussian_bayes_error([4, 7], 1, method="simulation", n_samples=1000)
    assert str(drawn).endswith("(simulation).")
    assert " ± 0.00" in str(drawn)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: gaussian_bayes_error([0, 1], [1, -1]),
            "covariances must be symmetric and positive definite, got [[-1.0]].",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], 0),
            "covariances must be symmetric and positive definite, got [[0.0]].",
        ),
        (
            lambda: gaussian_bayes_error(np.eye(2), [[1, 2], [2, 1]]),
            "covariances must be symmetric and positive definite, got [[1.0, 2.0], [2.0, 1.0]].",
        ),
        (
            lambda: gaussian_bayes_error(np.eye(2), [[1, 0.5], [0, 1]]),
            "covariances must be symmetric and positive definite, got [[1.0, 0.5], [0.0, 1.0]].",
        ),
        (
            lambda: gaussian_bayes_error(np.eye(2), np.eye(3)),
            "covariances must be of shape (2, 2) or (2, 2, 2), got (3, 3).",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], [1, 1, 1]),
            "covariances must be of shape (1, 1) or (2, 1, 1), got (3,).",
        ),
        (lambda: gaussian_bayes_error([0, np.nan], 1), "means must be finite, got [0, nan]."),
        (lambda: gaussian_bayes_error("ab", 1), "means must be numbers, got 'ab'."),
        (
            lambda: gaussian_bayes_error(3, 1),
            "means must be one number or one row of numbers for each class, got 3.",
        ),
        (
            lambda: gaussian_bayes_error([], 1),
            "means must be one number or one row of numbers for each class, got [].",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], 1, [0.5, 0.6]),
            "priors must be non-negative and sum to 1, got [0.5, 0.6].",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], 1, [1.0]),
            "priors must be one number for each of 2 classes, got [1.0].",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], 1, method="x"),
            "method must be 'auto' or 'simulation', got 'x'.",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], 1, n_samples=1),
            "n_samples must be an integer of at least 100, got 1.",
        ),
        (
            lambda: gaussian_bayes_error([0, 1e155], 1),
            "means must be at most 1e+150 from 0, got [0, 1e+155].",
        ),
        (
            lambda: gaussian_bayes_error([0, 1], [1e-200, 1]),
            "covariances must be of eigenvalues from 1e-150 to 1e+150, got [[1e-200]].",
        ),
        (
            lambda: gaussian_bayes_error([0, 1e150], 1e-10),
            "covariances must be such that means are at most 2e+150 deviations apart, got 1e-10.",
        ),
        (
            lambda: gaussian_bayes_error(np.eye(2), [[1, 1], [1, 1]]),
            "covariances must be symmetric and positive definite, got [[1.0, 1.0], [1.0, 1.0]].",
        ),
        (lambda: gaussian_bayes_error([1j, 0], 1), "means must be numbers, got [1j, 0]."),
        (lambda: two_gaussian_boundary([4, 7], -1), "variances must be positive, got -1.0."),
        (
            lambda: two_gaussian_boundary([4, 7], 1e200),
            "variances must be from 1e-150 to 1e+150, got 1e+200.",
        ),
        (
            lambda: two_gaussian_boundary([4, 7], [1, 2, 3]),
            "variances must be one number or one for each of 2 classes, got [1.0, 2.0, 3.0].",
        ),
        (lambda: two_gaussian_boundary([0, 1, 2], 1), "means must be two numbers, got [0, 1, 2]."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(ParameterError) as refused:
        call()
    assert str(refused.value) == message
