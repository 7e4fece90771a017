r"""The inverse of a covariance, as the map after which it is the identity.

.. math:: A = \Lambda^{-1/2} U^T D^{-1}, \qquad A^T A = \Sigma^{-1}, \qquad
          D^{-1} \Sigma D^{-1} = U \Lambda U^T

D holds a scale per column, so nothing depends on units. A direction with less variance than a tolerance
squared, in those units, counts as having that much: a singular covariance then still answers, and a row
outside the span of its class is far away but not infinitely far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classica.native import Floats
from classica.threads import one_blas_thread


@dataclass(frozen=True)
class Whitening:
    """A factor of the inverse covariance, and what else its eigenvalues say."""

    factor: Floats  # upper triangular, factor.T @ factor is the inverse; zero for columns without scale
    log_determinant: float  # of the covariance, over columns with scale
    smallest: float  # eigenvalue before the floor, in units of the scales
    rank: int  # directions with more variance than the floor

    @classmethod
    def of(cls, covariance: Floats, scales: Floats, tol: float) -> Whitening:
        """Return the whitening of a covariance; columns of scale zero are left out."""
        used = np.flatnonzero(scales)
        if not len(used):
            return cls(np.zeros_like(covariance), 0.0, np.inf, 0)
        scale = scales[used]
        scaled = covariance[np.ix_(used, used)] / scale[:, None] / scale
        # The bits of LAPACK's results depend on its threads.
        with one_blas_thread():
            values, vectors = np.linalg.eigh(scaled)
            floored = np.maximum(values, tol**2)
            triangle = np.linalg.qr(vectors.T / np.sqrt(floored)[:, None], mode="r")
        factor = np.zeros_like(covariance)
        factor[np.ix_(used, used)] = triangle / scale
        log_determinant = float(np.log(floored).sum() + 2 * np.log(scale).sum())
        return cls(factor, log_determinant, float(values[0]), int((values > tol**2).sum()))


def column_scales(within: Floats, between: Floats) -> Floats:
    """Return a standard deviation per column from its variance within classes, else between them.

    A column that varies in neither way has scale zero.
    """
    scales: Floats = np.sqrt(np.where(within > 0, within, between))
    return scales
