"""The axes along which Gaussian classes of one covariance lie farthest apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classica.estimators.gaussian.shared_covariance import SharedCovariance
from classica.native import Floats
from classica.threads import one_blas_thread


@dataclass(frozen=True)
class DiscriminantAxes:
    """Axes with unit variance within classes, the one with most variance between them first."""

    scalings: Floats  # (columns, axes)
    origin: Floats  # (columns,)
    deviations: Floats  # (axes,): between classes over within

    @classmethod
    def of(cls, gaussians: SharedCovariance, priors: Floats) -> DiscriminantAxes:
        """Return all axes along which the class means differ."""
        seen = gaussians.counts > 0
        means, shares = gaussians.means[seen], priors[seen]
        factor = gaussians.whitening.factor
        middle = np.einsum("c,cj->j", shares, means)
        most = min(len(means) - 1, means.shape[1])
        rows = gaussians.counts.sum() / max(len(means) - 1, 1)
        white = np.sqrt(rows * shares)[:, None] * np.einsum("ij,cj->ci", factor, means - middle)
        with one_blas_thread():
            _, deviations, directions = np.linalg.svd(white, full_matrices=False)
        kept = np.flatnonzero(deviations[:most] > 1e-10 * deviations.max(initial=0.0))
        scalings = np.einsum("ai,ij->ja", directions[kept], factor)
        return cls(scalings * _signs(scalings), gaussians.center + middle, deviations[kept])

    def first(self, count: int | None) -> tuple[Floats, Floats, Floats]:
        """Return scalings, origin and deviations of at most so many axes; None means all."""
        return self.scalings[:, :count], self.origin, self.deviations[:count]


def _signs(scalings: Floats) -> Floats:
    """Return the signs that make the largest entry of each axis positive: axes have no direction."""
    largest = np.abs(scalings).argmax(axis=0)
    signs: Floats = np.where(scalings[largest, np.arange(scalings.shape[1])] < 0, -1.0, 1.0)
    return signs
