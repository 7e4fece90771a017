"""Gaussian classes with one covariance: the model behind the linear discriminant and Fisher's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classica import native
from classica.estimators.base.estimator import TrainingData
from classica.estimators.gaussian.removal import Removal, degrees_of_freedom
from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.scatter import ClassSums
from classica.estimators.gaussian.shrinkage import (
    Shrinkage,
    Sizes,
    added_variances,
    amount_of,
    mean_fourth_powers,
    moved,
    shrunk,
)
from classica.estimators.gaussian.whitening import Whitening, column_scales
from classica.estimators.gaussian.wide_covariance import WideCovariance
from classica.native import Floats, LinearModel


@dataclass(frozen=True)
class SharedCovariance:
    """Class means and the covariance within classes, divided by n - C."""

    counts: Floats
    center: Floats  # the mean of all rows
    means: Floats  # seen from there
    shrinkage: float
    degrees: float  # the divisor of the covariance
    whitening: Whitening
    tol: float

    @classmethod
    def of(
        cls, statistics: ClassSums, shrinkage: Shrinkage, tol: float, fourth_moment: float | None = None
    ) -> SharedCovariance:
        """Return the model of some statistics; `shrunk` explains shrinkage and ``fourth_moment``."""
        counts, (center, means) = statistics.counts, statistics.center_and_means()
        rows = float(counts.sum())
        degrees = degrees_of_freedom(rows, int((counts > 0).sum()))
        amount, whitening = 0.0, None
        if isinstance(statistics, RowScatter):
            amount, whitening = _of_rows(statistics, degrees, shrinkage, tol, fourth_moment)
        if whitening is None:
            within = statistics.matrices().sum(axis=0) / degrees
            scales = column_scales(np.diag(within), counts, means)
            covariance, amount = shrunk(within, rows, shrinkage, fourth_moment)
            whitening = Whitening.of(covariance, scales, tol)
        return cls(counts, center, means, amount, degrees, whitening, tol)

    def white_means(self) -> Floats:
        """Return the class means after whitening."""
        white: Floats = np.einsum("ij,cj->ci", self.whitening.factor, self.means)
        return white

    def linear_model(self, log_priors: Floats) -> LinearModel:
        r"""Return the scores :math:`\log \pi_c - \frac12 d(x, \mu_c)^2`, less what all classes share."""
        white = self.white_means()
        weights = np.einsum("ci,ij->cj", white, self.whitening.factor)
        return self.center, weights, log_priors - 0.5 * np.einsum("ci,ci->c", white, white)

    def left_out_distances(self, data: TrainingData, threads: int) -> Floats:
        """Return the squared distances of each row to the classes, had the row not been learned.

        Taking a row away changes the scatter by a matrix of rank one, so the inverse follows by the
        formula of Sherman and Morrison. A row of NaN: not here, because a class would vanish, the floor
        of the whitening would come into play or too many digits would be lost.
        """
        scores = np.empty((len(data.codes), len(self.counts)))
        step = max(2**20 // self.means.shape[1], 1)
        for start in range(0, len(scores), step):
            part = slice(start, start + step)
            scores[part] = self._left_out_part(data.take(part), threads)
        return scores

    def _left_out_part(self, data: TrainingData, threads: int) -> Floats:
        no_offsets = np.zeros(len(self.whitening.factor))
        white = native.linear_scores(data.X, (self.center, self.whitening.factor, no_offsets), threads)
        means = self.white_means()
        weight = np.ones(len(white)) if data.weights is None else data.weights
        removal = Removal.of(weight, self.counts[data.codes])
        gap = white - means[data.codes]
        leverage = removal.factor * np.einsum("ij,ij->i", gap, gap) / self.degrees
        left = 1 - leverage
        degrees = self.degrees - weight
        covered = removal.is_possible & (left > 1e-4) & (left * self.whitening.smallest > 2 * self.tol**2)
        covered &= degrees >= 1
        with np.errstate(all="ignore"):  # rows that are not covered
            distances = np.column_stack(
                [
                    np.einsum("ij,ij->i", white - mean, white - mean)
                    + removal.factor * np.einsum("ij,ij->i", white - mean, gap) ** 2 / (self.degrees * left)
                    for mean in means
                ]
            )
            # The mean of the row's own class moves away from it.
            distances[np.arange(len(gap)), data.codes] *= removal.stretch**2
            distances *= (degrees / self.degrees)[:, None]
        distances[~covered] = np.nan
        return distances


def _of_rows(
    statistics: RowScatter, degrees: float, shrinkage: Shrinkage, tol: float, fourth_moment: float | None
) -> tuple[float, Whitening | None]:
    """Return the amount of shrinkage and the whitening from the rows; None if they cannot tell it."""
    counts, (_, means) = statistics.counts, statistics.center_and_means()
    sizes = Sizes.of_rows(statistics.gaps, degrees)
    amount = amount_of(sizes, float(counts.sum()), shrinkage, fourth_moment)
    added = added_variances(sizes.variances, amount, is_diagonal=shrinkage == "auto")
    scales = column_scales(sizes.variances, counts, means)
    return amount, WideCovariance(statistics, degrees, amount, added).whitening(scales, tol)


def covariance_within(statistics: ClassSums, amount: float, *, is_diagonal: bool) -> Floats:
    """Return the covariance within classes, shrunken."""
    counts = statistics.counts
    degrees = degrees_of_freedom(float(counts.sum()), int((counts > 0).sum()))
    return moved(statistics.matrices().sum(axis=0) / degrees, amount, is_diagonal=is_diagonal)


def variances_within(statistics: ClassSums, amount: float, *, is_diagonal: bool) -> Floats:
    """Return the diagonal of the same, which needs no more than the rows."""
    counts = statistics.counts
    variances = statistics.within_squares() / degrees_of_freedom(float(counts.sum()), int((counts > 0).sum()))
    return (1 - amount) * variances + added_variances(variances, amount, is_diagonal=is_diagonal)


def fourth_moment(data: TrainingData, statistics: ClassSums) -> float:
    """Return the mean fourth power of the distances of rows to their class means, in unit variances."""
    counts, (center, means) = statistics.counts, statistics.center_and_means()
    variances = statistics.within_squares() / counts.sum()
    each_class = np.broadcast_to(variances, means.shape)
    fourth = mean_fourth_powers(data.X, data.codes, data.weights, center + means, each_class)
    return float((counts * fourth).sum() / counts.sum())
