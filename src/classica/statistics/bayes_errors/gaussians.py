"""Validate and hold Gaussian class densities with known parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from classica.arrays import VectorLike
from classica.decision import read_priors
from classica.errors import ParameterError, must
from classica.native import Floats

_LARGEST_MEAN = 1e150  # its square is still a double
_VARIANCES = 1e-150, 1e150
_TURNED_WITHOUT_LOSS = 1e4  # standard deviations


@dataclass(frozen=True)
class Gaussians:
    """Gaussian classes with their priors, none of which is 0.

    Attributes
    ----------
    means : ndarray of shape (n_classes, n_dimensions)
        The means.
    covariances : ndarray of shape (n_classes, n_dimensions, n_dimensions)
        The covariances, positive definite.
    priors : ndarray of shape (n_classes,)
        The priors, with sum 1.
    """

    means: Floats
    covariances: Floats
    priors: Floats

    @property
    def dimensions(self) -> int:
        """The number of dimensions."""
        return len(self.means[0])

    def distance(self) -> float:
        """Return the largest distance between means in a coordinate, in the smallest standard deviation."""
        smallest = np.sqrt(np.linalg.eigvalsh(self.covariances).min())
        return float(np.ptp(self.means, axis=0).max() / smallest)

    def reduced(self) -> Gaussians:
        """Return classes with the same Bayes error in as few dimensions as a shared covariance allows.

        Whitened, such classes are spherical and differ only in their means, so directions in which the means
        do not differ are irrelevant. C means span at most C - 1 directions. Three or more means that are very
        far apart are left as they are, because rounding would hide the differences between the closer ones.
        """
        if self.dimensions == 1 or (self.covariances != self.covariances[0]).any():
            return self
        factor = np.linalg.cholesky(self.covariances[0])
        white = solve_triangular(factor, (self.means - self.means[0]).T, lower=True).T
        _, spreads, directions = np.linalg.svd(white, full_matrices=False)
        if len(white) > 2 and spreads[0] > _TURNED_WITHOUT_LOSS:
            return self
        kept = max(1, int((spreads > 1e-12 * spreads[0]).sum()))
        shape = len(self.means), kept, kept
        return Gaussians(white @ directions[:kept].T, np.broadcast_to(np.eye(kept), shape), self.priors)


def read_gaussians(
    means: VectorLike, covariances: VectorLike, priors: VectorLike | None = None, what: str = "covariances"
) -> Gaussians:
    """Return the classes with a positive prior.

    Parameters
    ----------
    means : array-like of shape (n_classes,) or (n_classes, n_dimensions)
        One number or one row per class.
    covariances : array-like
        One number (in one dimension) or one matrix for all classes, or one for each.
    priors : None, "uniform", sequence of float
        None is "uniform".
    what : str, default="covariances"
        The name of the parameter in error messages; "variances" if only numbers are allowed.
    """
    points = _numbers(means, "means")
    if points.ndim == 1:
        points = points[:, None]
    if points.ndim != 2 or points.size == 0:
        raise ParameterError(must("means", "one number or one row of numbers for each class", means))
    if np.abs(points).max() > _LARGEST_MEAN:
        raise ParameterError(must("means", f"at most {_LARGEST_MEAN:g} from 0", means))
    classes, dimensions = points.shape
    spreads = _as_matrices(_numbers(covariances, what), classes, dimensions, what)
    for spread in spreads:
        _require_positive_definite(spread, what)
    shares = read_priors("uniform" if priors is None else priors, np.arange(classes))
    possible = shares > 0
    gaussians = Gaussians(points[possible], spreads[possible], shares[possible])
    if gaussians.distance() > 2 * _LARGEST_MEAN:
        rule = f"such that means are at most {2 * _LARGEST_MEAN:g} deviations apart"
        raise ParameterError(must(what, rule, covariances))
    return gaussians


def _numbers(values: Any, what: str) -> Floats:
    try:
        if np.iscomplexobj(values):
            raise TypeError
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(must(what, "numbers", values)) from None
    if not np.isfinite(numbers).all():
        raise ParameterError(must(what, "finite", values))
    return numbers


def _as_matrices(values: Floats, classes: int, dimensions: int, what: str) -> Floats:
    whole = classes, dimensions, dimensions
    if dimensions == 1 and values.size in (1, classes):
        return np.broadcast_to(values.reshape(-1, 1, 1), whole)
    if what == "variances":
        raise ParameterError(must(what, f"one number or one for each of {classes} classes", values.tolist()))
    if values.shape not in (whole, whole[1:]):
        raise ParameterError(must(what, f"of shape {whole[1:]} or {whole}", values.shape))
    return np.broadcast_to(values, whole)


def _require_positive_definite(covariance: Floats, what: str) -> None:
    line = what == "variances"
    shown = covariance.item() if line else covariance.tolist()
    if not _is_positive_definite(covariance):
        raise ParameterError(must(what, "positive" if line else "symmetric and positive definite", shown))
    eigenvalues = np.linalg.eigvalsh(covariance)
    if eigenvalues[0] < _VARIANCES[0] or eigenvalues[-1] > _VARIANCES[1]:
        low, high = _VARIANCES
        raise ParameterError(
            must(what, f"{'' if line else 'of eigenvalues '}from {low:g} to {high:g}", shown)
        )


def _is_positive_definite(covariance: Floats) -> bool:
    if (
        not np.allclose(covariance, covariance.T, rtol=1e-10, atol=0)
        or np.linalg.eigvalsh(covariance)[0] <= 0
    ):
        return False
    try:
        np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        return False
    return True
