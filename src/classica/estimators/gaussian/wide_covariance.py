r"""The whitening of a covariance within classes where rows are fewer than columns.

With the rows as seen from their class means in :math:`Z`, columns scaled, the covariance is
:math:`t I + f Z^T Z`: one variance in all directions but those of the rows. An orthonormal basis :math:`Q`
of rows and class means (a QR factorisation, :math:`O(n^2 d)`) turns the covariance of all columns into one of
about as many as there are rows. Directions across to them have no part in any score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.whitening import Whitening, floored
from classica.native import Floats
from classica.threads import one_blas_thread


@dataclass(frozen=True)
class WideCovariance:
    """A covariance as what rows give to it and what shrinkage adds to each variance."""

    statistics: RowScatter
    degrees: float
    amount: float  # of shrinkage
    added: Floats  # to the variance of each column

    def whitening(self, scales: Floats, tol: float) -> Whitening | None:
        """Return the whitening; columns of scale zero are left out.

        None where shrinkage leaves columns with less variance than the floor `tol`, in units of the scales,
        but not all of them alike: then the floor has directions of its own, for which all columns are needed.
        """
        used = np.flatnonzero(scales)
        if not len(used):
            return Whitening(np.zeros((1, len(scales))), 0.0, 0.0, 0)
        scale, floor = scales[used], tol**2
        added = self.added[used] / scale**2
        if not _is_alike(added) and not added.min() > 2 * floor:
            return None
        least = np.maximum(added, floor)  # the variance of directions without rows, in units of the scales
        with one_blas_thread():
            model = self._of_rows(
                used, scale * np.sqrt(least), float((added / least).max()), floor / float(least.max())
            )
        return replace(model, rank=int((added > floor).sum()) or model.rank, smallest=0.0)

    def _of_rows(self, used: NDArray[np.intp], scale: Floats, share: float, floor: float) -> Whitening:
        """Return the whitening in the span of rows and means; elsewhere the variance is that of the scale."""
        _, means = self.statistics.center_and_means()
        rows = np.concatenate([self.statistics.gaps, means])[:, used] / scale
        basis, coordinates = np.linalg.qr(rows.T)
        within = coordinates[:, : len(self.statistics.rows)]
        part = (1 - self.amount) / self.degrees
        spectrum = floored(part * (within @ within.T) + share * np.eye(len(within)), floor)
        factor = np.zeros((len(within), means.shape[1]))
        factor[:, used] = spectrum.factor @ (basis.T / scale)
        return replace(
            spectrum, factor=factor, log_determinant=spectrum.log_determinant + 2 * np.log(scale).sum()
        )


def _is_alike(added: Floats) -> bool:
    """Say whether shrinkage adds the same to all columns, but for those in which nothing varies."""
    some = added[added > 0]
    return not len(some) or float(np.ptp(some)) <= 1e-12 * float(some.max())
