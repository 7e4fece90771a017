"""Classes of known Gaussian densities, as read from what the user gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from classica.decision import read_priors
from classica.errors import ParameterError, must
from classica.native import Floats


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
        """How many numbers describe a point."""
        return len(self.means[0])

    def reduced(self) -> Gaussians:
        """Return classes with the same Bayes error in as few dimensions as a shared covariance allows.

        Whitened, such classes are round and of one size, and only their means tell them apart: directions in
        which the means do not differ say nothing. C means differ in at most C - 1 directions.
        """
        if (self.covariances != self.covariances[0]).any():
            return self
        factor = np.linalg.cholesky(self.covariances[0])
        white = solve_triangular(factor, (self.means - self.means[0]).T, lower=True).T
        _, spreads, directions = np.linalg.svd(white, full_matrices=False)
        kept = max(1, int((spreads > 1e-12 * spreads[0]).sum()))
        shape = len(self.means), kept, kept
        return Gaussians(white @ directions[:kept].T, np.broadcast_to(np.eye(kept), shape), self.priors)


def read_gaussians(means: Any, covariances: Any, priors: Any = None) -> Gaussians:
    """Return the classes that can occur.

    Parameters
    ----------
    means : array-like of shape (n_classes,) or (n_classes, n_dimensions)
        One number or one row per class.
    covariances : array-like
        One number (in one dimension) or one matrix for all classes, or one for each.
    priors : None, "uniform", sequence of float
        None is "uniform".
    """
    points = _numbers(means, "means")
    if points.ndim == 1:
        points = points[:, None]
    if points.ndim != 2 or points.size == 0:
        raise ParameterError(must("means", "one number or one row of numbers for each class", means))
    classes, dimensions = points.shape
    spreads = _as_matrices(_numbers(covariances, "covariances"), classes, dimensions)
    _require_positive_definite(spreads)
    shares = read_priors("uniform" if priors is None else priors, np.arange(classes))
    possible = shares > 0
    return Gaussians(points[possible], spreads[possible], shares[possible])


def _numbers(values: Any, what: str) -> Floats:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(must(what, "numbers", values)) from None
    if not np.isfinite(numbers).all():
        raise ParameterError(must(what, "finite", values))
    return numbers


def _as_matrices(values: Floats, classes: int, dimensions: int) -> Floats:
    whole = classes, dimensions, dimensions
    if dimensions == 1 and values.size in (1, classes):
        return np.broadcast_to(values.reshape(-1, 1, 1), whole)
    if values.shape not in (whole, whole[1:]):
        raise ParameterError(must("covariances", f"of shape {whole[1:]} or {whole}", values.shape))
    return np.broadcast_to(values, whole)


def _require_positive_definite(covariances: Floats) -> None:
    for covariance in covariances:
        symmetric = np.allclose(covariance, covariance.T, rtol=1e-10, atol=0)
        if not symmetric or np.linalg.eigvalsh(covariance)[0] <= 0:
            raise ParameterError(must("covariances", "symmetric and positive definite", covariance.tolist()))
