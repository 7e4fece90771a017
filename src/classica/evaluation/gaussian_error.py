r"""The Bayes error of classes whose densities are known Gaussians.

.. math:: e_B = 1 - \int \max_j \pi_j \, p(x \mid j) \, dx

In one dimension the decision changes at roots of quadratics, between which the integral is a difference of
normal distribution functions. In two dimensions every line across the plane is such a problem again, so one
numerical integral is left. Beyond, points are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.linalg import solve_triangular
from scipy.special import ndtr

from classica.errors import ParameterError, must
from classica.evaluation.gaussians import Gaussians, read_gaussians
from classica.native import Floats
from classica.params import Integer, OneOf, Rule

_ROWS_AT_ONCE = 1 << 14
_FAR = 10.0  # standard deviations; beyond them lies less than 1e-22 of a Gaussian


@dataclass(frozen=True)
class GaussianBayesError:
    """The Bayes error of known Gaussians, and how well it is known.

    Attributes
    ----------
    error : float
        The Bayes error.
    uncertainty : float
        0 for a closed form, the estimated error of a quadrature, the standard error of a simulation.
    method : {"exact", "quadrature", "simulation"}
        How it was found.
    """

    error: float
    uncertainty: float
    method: str

    def __str__(self) -> str:
        known = "" if self.method == "exact" else f" ± {self.uncertainty:.1g}"
        return f"The Bayes error is {self.error:.6g}{known} ({self.method})."


def gaussian_bayes_error(
    means: Any,
    covariances: Any,
    priors: Any = None,
    *,
    method: str = "auto",
    n_samples: int = 200_000,
    random_state: int = 0,
) -> GaussianBayesError:
    r"""Return the least error any classifier can have on classes that are known Gaussians.

    .. math:: e_B = 1 - \int \max_j \pi_j \, p(x \mid j) \, dx

    Parameters
    ----------
    means : array-like of shape (n_classes,) or (n_classes, n_dimensions)
        The means; numbers in one dimension.
    covariances : array-like
        In one dimension a variance for all classes or one for each; otherwise a matrix for all classes or one
        for each, of shape (n_classes, n_dimensions, n_dimensions).
    priors : None, "uniform" or sequence of float, default=None
        The priors of the classes; None: equal.
    method : {"auto", "simulation"}, default="auto"
        Exact in one dimension, a quadrature in two, a simulation beyond; or always a simulation. Classes that
        share a covariance have as many dimensions as their means differ in: two classes have one.
    n_samples : int, default=200000
        How many points a simulation draws. It averages 1 − the highest posterior over them, which varies less
        than counting errors does.
    random_state : int, default=0
        The seed of the simulation.

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
    if method == "simulation" or classes.dimensions > 2:
        return GaussianBayesError(*_simulated(classes, n_samples, random_state), "simulation")
    if classes.dimensions == 2:
        return GaussianBayesError(*_plane_error(classes), "quadrature")
    line = np.log(classes.priors), classes.means[:, 0], classes.covariances[:, 0, 0]
    return GaussianBayesError(_line_error(*line), 0.0, "exact")


def two_gaussian_boundary(means: Any, variances: Any, priors: Any = None) -> Floats:
    r"""Return the points at which the decision between two Gaussians on a line changes.

    They solve :math:`\pi_1 \, p(x \mid 1) = \pi_2 \, p(x \mid 2)`: one point for equal variances, two or none
    for unequal ones.

    Parameters
    ----------
    means : sequence of two floats
        The means.
    variances : float or sequence of two floats
        One variance for both, or one for each.
    priors : None, "uniform" or sequence of two floats, default=None
        The priors; None: equal.

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
    classes = read_gaussians(means, variances, priors)
    return _crossings(np.log(classes.priors), classes.means[:, 0], classes.covariances[:, 0, 0])


def _check(what: str, value: Any, rule: Rule) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(what, str(rule), value))


def _log_densities(x: Floats, means: Floats, variances: Floats) -> Floats:
    """Return log p(x | j) without the constant all classes share, for each x and class."""
    scores: Floats = -0.5 * (np.log(variances) + (x[:, None] - means) ** 2 / variances)
    return scores


def _crossings(logs: Floats, means: Floats, variances: Floats) -> Floats:
    """Return where any two of the weighted densities cross, ascending; `logs` are those of the weights."""
    middle = means.mean()  # far from 0 the coefficients would lose digits
    i, j = np.triu_indices(len(means), k=1)
    shifted, precisions = means - middle, 1 / variances
    heights = logs + _log_densities(np.array([middle]), means, variances)[0]
    a = 0.5 * (precisions[j] - precisions[i])
    b = shifted[i] * precisions[i] - shifted[j] * precisions[j]
    c = heights[i] - heights[j]
    discriminant = b * b - 4 * a * c
    a, b, c, root = (v[discriminant > 0] for v in (a, b, c, np.sqrt(np.maximum(discriminant, 0))))
    # The two forms avoid the difference of b and root; where a is 0 the first is infinite.
    q = -0.5 * (b + np.copysign(root, b))
    with np.errstate(divide="ignore", over="ignore"):
        roots = np.concatenate([q / a, c / q])
    return np.sort(roots[np.isfinite(roots)] + middle)


def _line_error(logs: Floats, means: Floats, variances: Floats) -> float:
    """Return the mass of all weighted Gaussians that lies where another one is higher."""
    cuts = _crossings(logs, means, variances)
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    scores = logs + _log_densities(_inside(cuts), means, variances)
    mass = np.exp(logs) * _between(edges, means, np.sqrt(variances))
    mass[np.arange(len(mass)), scores.argmax(axis=1)] = 0
    return float(mass.sum())


def _inside(cuts: Floats) -> Floats:
    """Return a point of each interval between cuts, and one on either side of them."""
    if len(cuts) == 0:
        return np.zeros(1)
    beyond = 1 + np.abs(cuts[[0, -1]])
    return np.concatenate([[cuts[0] - beyond[0]], (cuts[1:] + cuts[:-1]) / 2, [cuts[-1] + beyond[1]]])


def _between(edges: Floats, means: Floats, deviations: Floats) -> Floats:
    """Return the probability of each interval under each Gaussian, to the last digits in both tails."""
    standard = (edges[:, None] - means) / deviations
    low, high = standard[:-1], standard[1:]
    right = low > 0
    probability: Floats = ndtr(np.where(right, -low, high)) - ndtr(np.where(right, -high, low))
    return probability


def _plane_error(classes: Gaussians) -> tuple[float, float]:
    """Integrate the error on each line of constant first coordinate, on which all classes are Gaussian."""
    (x, y), cov = classes.means.T, classes.covariances
    spread, slope = cov[:, 0, 0], cov[:, 0, 1] / cov[:, 0, 0]
    rest = cov[:, 1, 1] - slope * cov[:, 0, 1]
    constant = np.log(classes.priors) - 0.5 * np.log(2 * np.pi)

    def error_on_line(at: float) -> float:
        logs = constant + _log_densities(np.array([at]), x, spread)[0]
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
    """Yield 1 − the highest posterior at points drawn from each class, as many as its prior says."""
    random = np.random.default_rng(seed)
    for mean, factor, prior in zip(classes.means, factors, classes.priors, strict=True):
        count = max(100, round(n_samples * prior))
        parts = []
        for start in range(0, count, _ROWS_AT_ONCE):
            shape = min(_ROWS_AT_ONCE, count - start), classes.dimensions
            parts.append(_doubt(mean + random.standard_normal(shape) @ factor.T, classes, factors))
        yield np.concatenate(parts)


def _doubt(X: Floats, classes: Gaussians, factors: Floats) -> Floats:
    scores = np.empty((len(X), len(factors)))
    for j, (mean, factor) in enumerate(zip(classes.means, factors, strict=True)):
        white = solve_triangular(factor, (X - mean).T, lower=True)
        scores[:, j] = -0.5 * (white**2).sum(axis=0) - np.log(np.diag(factor)).sum()
    scores += np.log(classes.priors)
    joint = np.exp(scores - scores.max(axis=1, keepdims=True))
    joint[np.arange(len(X)), scores.argmax(axis=1)] = 0
    others = joint.sum(axis=1)  # the highest counts 1; 1 − 1 / (1 + others) would lose a small doubt
    doubt: Floats = others / (1 + others)
    return doubt
