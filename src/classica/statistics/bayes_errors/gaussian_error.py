r"""The Bayes error of classes whose densities are known Gaussians.

.. math:: e_B = 1 - \int \max_j \pi_j \, p(x \mid j) \, dx

In one dimension the decision changes at roots of quadratics, between which the integral is a difference of
normal distribution functions. In two dimensions every line across the plane is a one-dimensional problem,
which leaves one numerical integral. In higher dimensions the error is simulated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.linalg import solve_triangular
from scipy.special import ndtr

from classica.arrays import VectorLike
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.params import Integer, OneOf, Rule
from classica.statistics.bayes_errors.gaussians import Gaussians, read_gaussians

_ROWS_AT_ONCE = 1 << 14
_FAR_APART = 1e9  # standard deviations; a quadrature would lose the digits in which close classes differ
_FAR = 10.0  # standard deviations; beyond them lies less than 1e-22 of a Gaussian


@dataclass(frozen=True)
class GaussianBayesError:
    """The Bayes error of known Gaussians, with its uncertainty.

    Attributes
    ----------
    error : float
        The Bayes error.
    uncertainty : float
        0 for a closed form, the estimated error of a quadrature, the standard error of a simulation.
    method : {"exact", "quadrature", "simulation"}
        How it was computed.
    """

    error: float
    uncertainty: float
    method: str

    def __str__(self) -> str:
        uncertainty = "" if self.method == "exact" else f" ± {self.uncertainty:.1g}"
        return f"The Bayes error is {self.error:.6g}{uncertainty} ({self.method})."


def gaussian_bayes_error(
    means: VectorLike,
    covariances: VectorLike,
    priors: VectorLike | None = None,
    *,
    method: str = "auto",
    n_samples: int = 200_000,
    random_state: int = 0,
) -> GaussianBayesError:
    r"""Compute the Bayes error of classes with known Gaussian densities.

    .. math:: e_B = 1 - \int \max_j \pi_j \, p(x \mid j) \, dx

    Parameters
    ----------
    means : array-like of shape (n_classes,) or (n_classes, n_dimensions)
        The means of the classes; a sequence of numbers in one dimension.
    covariances : array-like
        In one dimension one variance for all classes or one per class; otherwise one matrix for all classes
        or one per class, of shape (n_classes, n_dimensions, n_dimensions).
    priors : None, "uniform" or sequence of float, default=None
        The priors of the classes; None for equal priors.
    method : {"auto", "simulation"}, default="auto"
        "auto" is exact in one dimension and uses quadrature in two; it simulates in more dimensions, and
        where means in two dimensions are more than 10⁹ standard deviations apart. "simulation" always
        simulates. Classes that share a covariance matrix are first projected on the directions in which their
        means differ (one for two classes), if the means are within 10⁴ standard deviations.
    n_samples : int, default=200000
        Number of points that a simulation draws. It averages one minus the highest posterior, which varies
        less than a count of errors.
    random_state : int, default=0
        Random seed of the simulation.

    Returns
    -------
    GaussianBayesError

    Examples
    --------
    The lecture's N(4, 1) and N(7, 1), equally likely: the boundary 5.5 leaves :math:`\Phi(-1.5)`.

    >>> print(gaussian_bayes_error([4, 7], 1))
    The Bayes error is 0.0668072 (exact).
    >>> covariances = [[[1, 0], [0, 1]], [[4, 1], [1, 2]]]
    >>> print(gaussian_bayes_error([[0, 0], [2, 0]], covariances))  # doctest: +ELLIPSIS
    The Bayes error is 0.210063 ± ... (quadrature).
    """
    _check("method", method, OneOf("auto", "simulation"))
    _check("n_samples", n_samples, Integer(at_least=100))
    _check("random_state", random_state, Integer(at_least=0))
    classes = read_gaussians(means, covariances, priors).reduced()
    far = classes.dimensions == 2 and classes.distance() > _FAR_APART
    if method == "simulation" or classes.dimensions > 2 or far:
        return GaussianBayesError(*_simulated(classes, n_samples, random_state), "simulation")
    if classes.dimensions == 2:
        return GaussianBayesError(*_plane_error(classes), "quadrature")
    line = np.log(classes.priors), classes.means[:, 0], classes.covariances[:, 0, 0]
    return GaussianBayesError(_line_error(*line), 0.0, "exact")


def two_gaussian_boundary(
    means: VectorLike, variances: VectorLike, priors: VectorLike | None = None
) -> Floats:
    r"""Compute the points at which the decision between two univariate Gaussians changes.

    They solve :math:`\pi_1 \, p(x \mid 1) = \pi_2 \, p(x \mid 2)`: one point for equal variances, two or none
    for unequal ones.

    Parameters
    ----------
    means : sequence of two floats
        The means.
    variances : float or sequence of two floats
        One variance for both, or one for each.
    priors : None, "uniform" or sequence of two floats, default=None
        The priors; None for equal priors.

    Returns
    -------
    ndarray
        The points, ascending.

    Examples
    --------
    The lecture's two Gaussians: equally likely, the first three times, and a tenth as likely as the second.

    >>> two_gaussian_boundary([4, 7], 1)
    array([5.5])
    >>> two_gaussian_boundary([4, 7], 1, [3 / 4, 1 / 4]).round(5)
    array([5.8662])
    >>> two_gaussian_boundary([4, 7], 1, [1 / 11, 10 / 11]).round(5)
    array([4.73247])
    """
    if np.shape(means) != (2,):
        raise ParameterError(must("means", "two numbers", means))
    classes = read_gaussians(means, variances, priors, "variances")
    points, _ = _crossings(np.log(classes.priors), classes.means[:, 0], classes.covariances[:, 0, 0])
    return points.high[np.isfinite(points.high)]


def _check(what: str, value: object, rule: Rule) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(what, str(rule), value))


@dataclass(frozen=True)
class _Points:
    """Ascending points of a line, each the unevaluated sum of two doubles.

    So a point at a tiny distance from a mean keeps its digits, however far from 0 that mean lies.
    """

    high: Floats
    low: Floats

    def standard(self, means: Floats, deviations: Floats) -> Floats:
        """Return how many deviations each point lies from each mean."""
        from_means: Floats = ((self.high[:, None] - means) + self.low[:, None]) / deviations
        return from_means


def _log_densities(x: float, means: Floats, variances: Floats) -> Floats:
    """Return log p(x | j) without the constant all classes share, for each class."""
    scores: Floats = -0.5 * (np.log(variances) + ((x - means) / np.sqrt(variances)) ** 2)
    return scores


def _crossings(logs: Floats, means: Floats, variances: Floats) -> tuple[_Points, NDArray[np.intp]]:
    r"""Return where any two weighted densities cross, and which one is highest before, between and after.

    `logs` are those of the weights. Of two classes the narrower one is the higher between the roots of

    .. math:: (1 - r^2) \, t^2 + 2 r e \, t - (e^2 + 2 h) = 0

    where t counts its own deviations from its own mean, r is the ratio of the deviations, e the distance of
    the means in deviations of the wider class, and h the difference of the logs of the peaks. Roots at
    infinity stand for a class that is the higher up to there, everywhere or nowhere.
    """
    i, j = np.triu_indices(len(means), k=1)
    narrow, wide = np.where(variances[j] < variances[i], (j, i), (i, j))
    deviations = np.sqrt(variances)
    a = (variances[wide] - variances[narrow]) / variances[wide]
    e = (means[wide] - means[narrow]) / deviations[wide]
    h = logs[narrow] - logs[wide] + 0.5 * (np.log(variances[wide]) - np.log(variances[narrow]))
    first, second = _roots(a, deviations[narrow] / deviations[wide], e, h)
    center, unit = np.tile(means[narrow], 2), np.tile(deviations[narrow], 2)
    points = _sums(center, unit * np.concatenate([np.minimum(first, second), np.maximum(first, second)]))
    order = np.lexsort([points.low, points.high])
    rank = np.empty_like(order)
    rank[order] = np.arange(1, len(order) + 1)
    begin, end = rank[: len(i)], rank[len(i) :]
    # How many other classes each class beats in each interval: the changes at the cuts, accumulated.
    beaten = np.zeros((len(order) + 1, len(means)), dtype=np.intp)
    np.add.at(beaten, (0, wide), 1)
    for cut, change in ((begin, 1), (end, -1)):
        np.add.at(beaten, (cut, narrow), change)
        np.add.at(beaten, (cut, wide), -change)
    return _Points(points.high[order], points.low[order]), beaten.cumsum(axis=0).argmax(axis=1)


def _roots(a: Floats, r: Floats, e: Floats, h: Floats) -> tuple[Floats, Floats]:
    """Solve the quadratics of `_crossings` without squaring what is large or subtracting what is close."""
    peak = np.sqrt(2 * a * np.abs(h))
    far = np.abs(e)
    below = np.sqrt(np.maximum(far - peak, 0)) * np.sqrt(far + peak)
    root = np.where(h >= 0, np.hypot(e, peak), below)
    crossing = root > 0
    q = np.where(crossing, -(r * e + np.copysign(root, e)), 1.0)
    with np.errstate(divide="ignore", over="ignore"):
        first, second = q / a, -(e * (e / q) + 2 * h / q)
    always = (a == 0) & (h >= 0)
    return np.where(crossing, first, np.inf), np.where(crossing, second, np.where(always, -np.inf, np.inf))


def _sums(first: Floats, second: Floats) -> _Points:
    """Return the sums with their rounding errors (Knuth's two-sum)."""
    high = first + second
    finite = np.isfinite(high)
    part = np.where(finite, high, 0) - first
    missing = (first - (np.where(finite, high, 0) - part)) + (np.where(finite, second, 0) - part)
    return _Points(high, np.where(finite, missing, 0))


def _line_error(logs: Floats, means: Floats, variances: Floats) -> float:
    """Return the mass of all weighted Gaussians that lies where another one is higher."""
    cuts, highest = _crossings(logs, means, variances)
    mass = np.exp(logs) * _between(cuts.standard(means, np.sqrt(variances)))
    mass[np.arange(len(mass)), highest] = 0
    return float(mass.sum())


def _between(cuts: Floats) -> Floats:
    """Return the probability before, between and after standardised cuts, accurate in both tails."""
    end = np.full((1, cuts.shape[1]), np.inf)
    low, high = np.concatenate([-end, cuts]), np.concatenate([cuts, end])
    right = low > 0
    probability: Floats = ndtr(np.where(right, -low, high)) - ndtr(np.where(right, -high, low))
    return probability


def _plane_error(classes: Gaussians) -> tuple[float, float]:
    """Integrate the error on each line of constant first coordinate, on which all classes are Gaussian."""
    (x, y) = classes.means.T
    factors = np.asarray(np.linalg.cholesky(classes.covariances), dtype=np.float64)
    spread, slope, rest = factors[:, 0, 0] ** 2, factors[:, 1, 0] / factors[:, 0, 0], factors[:, 1, 1] ** 2
    constant = np.log(classes.priors) - 0.5 * np.log(2 * np.pi)

    def error_on_line(at: float) -> float:
        logs = constant + _log_densities(at, x, spread)
        return _line_error(logs, y + slope * (at - x), rest)

    # Pieces that end where classes begin, peak and end: none is narrow enough to be missed.
    ends = np.unique(x[:, None] + np.array([-_FAR, 0, _FAR]) * np.sqrt(spread)[:, None])
    parts = [
        quad(error_on_line, low, high, epsabs=1e-12, epsrel=1e-10, full_output=1)
        for low, high in pairwise(ends)
    ]
    return float(sum(part[0] for part in parts)), float(sum(part[1] for part in parts))


def _simulated(classes: Gaussians, n_samples: int, seed: int) -> tuple[float, float]:
    """Return the mean of 1 − the highest posterior over points of each class, and its standard error."""
    factors = np.asarray(np.linalg.cholesky(classes.covariances), dtype=np.float64)
    error = variance = 0.0
    for prior, doubts in zip(classes.priors, _doubts(classes, factors, n_samples, seed), strict=True):
        error += prior * doubts.mean()
        variance += prior**2 * doubts.var(ddof=1) / len(doubts)
    return float(error), float(np.sqrt(variance))


def _doubts(classes: Gaussians, factors: Floats, n_samples: int, seed: int) -> Iterator[Floats]:
    """Yield 1 − the highest posterior at points drawn from each class in proportion to its prior."""
    random = np.random.default_rng(seed)
    for mean, factor, prior in zip(classes.means, factors, classes.priors, strict=True):
        count = max(100, round(n_samples * prior))
        parts = []
        for start in range(0, count, _ROWS_AT_ONCE):
            shape = min(_ROWS_AT_ONCE, count - start), classes.dimensions
            parts.append(_doubt(random.standard_normal(shape) @ factor.T, mean, classes, factors))
        yield np.concatenate(parts)


def _doubt(X: Floats, origin: Floats, classes: Gaussians, factors: Floats) -> Floats:
    """Return 1 − the highest posterior at points given by their distance from an origin."""
    scores = np.empty((len(X), len(factors)))
    for j, (mean, factor) in enumerate(zip(classes.means, factors, strict=True)):
        white = solve_triangular(factor, (X + (origin - mean)).T, lower=True)
        scores[:, j] = -0.5 * (white**2).sum(axis=0) - np.log(np.diag(factor)).sum()
    scores += np.log(classes.priors)
    joint = np.exp(scores - scores.max(axis=1, keepdims=True))
    joint[np.arange(len(X)), scores.argmax(axis=1)] = 0
    others = joint.sum(axis=1)  # the highest counts 1; 1 − 1 / (1 + others) would lose a small doubt
    doubt: Floats = others / (1 + others)
    return doubt
