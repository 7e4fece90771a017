r"""The inverse of a covariance, as the map after which it is the identity.

.. math:: A = \Lambda^{-1/2} U^T D^{-1}, \qquad A^T A = \Sigma^{-1}, \qquad
          D^{-1} \Sigma D^{-1} = U \Lambda U^T

D holds a scale per column, so nothing depends on units. A direction with less variance than a tolerance
squared, in those units, counts as having that much: a singular covariance then still answers, and a row
outside the span of its class is far away but not infinitely far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg.lapack import dtrtri

from classica.native import Floats
from classica.threads import one_blas_thread


@dataclass(frozen=True)
class Whitening:
    """A factor of the inverse covariance, and what else its eigenvalues say."""

    factor: Floats  # factor.T @ factor is the inverse, here or in a span; zero for columns without scale
    log_determinant: float  # of the covariance, over columns with scale
    smallest: float  # eigenvalue before the floor or a bound below it, in units of the scales
    rank: int  # directions with more variance than the floor

    @classmethod
    def of(cls, covariance: Floats, scales: Floats, tol: float) -> Whitening:
        """Return the whitening of a covariance; columns of scale zero are left out."""
        used = np.flatnonzero(scales)
        if not len(used):
            return cls(np.zeros_like(covariance), 0.0, np.inf, 0)
        scale = scales[used]
        # The bits of LAPACK's results depend on its threads.
        with one_blas_thread():
            spectrum = floored(covariance[np.ix_(used, used)] / scale[:, None] / scale, tol**2)
        factor = np.zeros_like(covariance)
        factor[np.ix_(used, used)] = spectrum.factor / scale
        return replace(
            spectrum, factor=factor, log_determinant=spectrum.log_determinant + 2 * np.log(scale).sum()
        )

    def of_part(self, covariance: Floats, floor: float) -> Whitening:
        """Return the whitening of another covariance, whose variances are at least ``floor`` times ours.

        That holds in every direction, so it means the same in any coordinates.
        """
        used = np.flatnonzero(np.diag(self.factor))
        if not len(used):
            return self
        own = np.ix_(used, used)
        with one_blas_thread():
            spectrum = floored(self.factor[own] @ covariance[own] @ self.factor[own].T, floor)
            factor = np.zeros_like(covariance)
            factor[own] = spectrum.factor @ self.factor[own]
        log_determinant = spectrum.log_determinant + self.log_determinant
        return replace(spectrum, factor=factor, log_determinant=log_determinant)


def floored(covariance: Floats, floor: float) -> Whitening:
    """Return the whitening by Cholesky's factor, or by eigenvalues where some may be below the floor."""
    try:
        # Turned around, the factor comes out upper triangular.
        root = np.linalg.cholesky(covariance[::-1, ::-1])[::-1, ::-1]
    except np.linalg.LinAlgError:
        return _of_eigenvalues(covariance, floor)
    factor, _ = dtrtri(root)
    smallest = 1 / float((factor**2).sum())  # the sum of the inverse eigenvalues is at least the largest
    if not smallest > 2 * floor:
        return _of_eigenvalues(covariance, floor)
    return Whitening(factor, 2 * float(np.log(np.diag(root)).sum()), smallest, len(covariance))


def _of_eigenvalues(covariance: Floats, floor: float) -> Whitening:
    values, vectors = np.linalg.eigh(covariance)
    floored = np.maximum(values, floor)
    factor = np.asarray(np.linalg.qr(vectors.T / np.sqrt(floored)[:, None], mode="r"))
    rank = int((values > floor).sum())
    return Whitening(factor, float(np.log(floored).sum()), float(values[0]), rank)


def column_scales(within: Floats, counts: Floats, means: Floats) -> Floats:
    """Return a standard deviation per column from its variance within classes, else between them.

    ``means`` are those of the classes as seen from the mean of all rows. A column that varies in neither way
    has scale zero.
    """
    between = np.einsum("c,cj->j", counts, means**2) / counts.sum()
    between[np.ptp(means[counts > 0], axis=0) == 0] = 0.0  # what is left is the rounding of the center
    scales: Floats = np.sqrt(np.where(within > 0, within, between))
    return scales
