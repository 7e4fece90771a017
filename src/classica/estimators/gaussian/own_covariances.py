"""Gaussian classes, each with a covariance of its own: the model behind the quadratic discriminant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.estimators.base.estimator import TrainingData
from classica.estimators.gaussian.regularization import CovarianceRules
from classica.estimators.gaussian.removal import Removal, degrees_of_freedom
from classica.estimators.gaussian.scatter import ClassSums
from classica.estimators.gaussian.shrinkage import shrunk
from classica.estimators.gaussian.whitening import Whitening, column_scales
from classica.native import Floats


@dataclass(frozen=True)
class OwnCovariances:
    """Means and covariances of the classes; a class without rows has the covariance within all."""

    counts: Floats
    center: Floats  # the mean of all rows
    means: Floats  # seen from there
    covariances: Floats
    shrinkage: Floats
    regularization: Floats  # the weight of the pooled covariance
    ranks: Sequence[int]  # directions in which the rows of each class vary
    whitenings: Sequence[Whitening]
    within: Whitening  # of the covariance within all classes
    columns: int  # that vary
    rules: CovarianceRules

    @classmethod
    def of(
        cls, statistics: ClassSums, rules: CovarianceRules, fourth_moments: Floats | None
    ) -> OwnCovariances:
        """Return the model of some statistics; `shrunk` explains ``fourth_moments``."""
        counts, (center, means) = statistics.counts, statistics.center_and_means()
        scatters = statistics.matrices()
        within = scatters.sum(axis=0) / degrees_of_freedom(float(counts.sum()), int((counts > 0).sum()))
        scales = column_scales(np.diag(within), counts, means)
        columns = int((scales > 0).sum())
        all_classes = Whitening.of(within, scales, rules.tol)
        own = [s / degrees_of_freedom(n or 1.0, 1) for s, n in zip(scatters, counts.tolist(), strict=True)]
        whitenings = [all_classes.of_part(covariance, rules.floor) for covariance in own]
        ranks = [whitening.rank for whitening in whitenings]
        exact = _exact_ranks(own, whitenings, all_classes, rules.tol)
        shares = rules.shares(counts, np.array(exact) < all_classes.rank, columns)
        filled = [(1 - share) * c + share * within for c, share in zip(own, shares, strict=True)]
        fourth = [None] * len(counts) if fourth_moments is None else fourth_moments.tolist()
        pairs = [shrunk(c, n, rules.shrinkage, f) for c, n, f in zip(filled, counts, fourth, strict=True)]
        for c in np.flatnonzero((shares > 0) | (rules.shrinkage is not None)):
            whitenings[c] = all_classes.of_part(pairs[c][0], rules.floor)
        covariances, amounts = (np.array(values) for values in zip(*pairs, strict=True))
        return cls(
            counts,
            center,
            means,
            covariances,
            amounts,
            shares,
            ranks,
            whitenings,
            all_classes,
            columns,
            rules,
        )

    def left_out_log_densities(self, data: TrainingData, squared: Floats) -> Floats:
        """Return the log density of each row in each class, had the row not been learned.

        ``squared`` holds the squared distances to the classes with all rows learned. Taking a row away
        changes the scatter of its class by a matrix of rank one, so distance and determinant follow by
        the formula of Sherman and Morrison. A row of NaN: not here, because its class would be filled up
        or vanish, the floor of the whitening would come into play or too many digits would be lost.
        """
        weight = np.ones(len(squared)) if data.weights is None else data.weights
        count = self.counts[data.codes]
        removal = Removal.of(weight, count)
        own = np.arange(len(squared)), data.codes
        scores = -0.5 * (squared + [w.log_determinant for w in self.whitenings])
        with np.errstate(all="ignore"):  # rows that are not covered
            left = 1 - removal.factor * squared[own] / (count - 1)
            covered = self._is_covered(weight, left, data) & removal.is_possible
            degrees = (count - 1 - weight) / (count - 1)
            log_determinant = np.log(left) - self.columns * np.log(degrees)
            moved = removal.stretch**2 * degrees * squared[own] / left
            scores[own] += -0.5 * (moved - squared[own] + log_determinant)
        scores[~covered] = np.nan
        return scores

    def _is_covered(self, weight: Floats, left: Floats, data: TrainingData) -> Any:
        """Say which rows can be taken away with no class filled up or floored, before or after."""
        smallest = np.array([w.smallest for w in self.whitenings])
        alone = not self.regularization.any() and smallest.min() > 4 * self.rules.floor
        alone &= self.counts.min() > self.columns
        kept = self.counts[data.codes] - weight
        spare = (kept > self.columns) & (kept >= 2)  # with less the divisor is not rows - 1
        # Floors are those of all classes, which a row changes little.
        steady = self.counts.sum() - len(self.counts) > 2 * weight + 1
        apart = left * smallest[data.codes] > 4 * self.rules.floor
        regular = left * self.within.smallest > 4 * self.rules.tol**2
        return alone & spare & steady & apart & regular & (left > 1e-4)


def _exact_ranks(
    covariances: Sequence[Floats], whitenings: Sequence[Whitening], within: Whitening, tol: float
) -> list[int]:
    """Return in how many directions each class varies at all, however little."""
    full = len(np.flatnonzero(np.diag(within.factor)))
    return [
        own.rank if own.rank == full else within.of_part(covariance, tol**2).rank
        for covariance, own in zip(covariances, whitenings, strict=True)
    ]
