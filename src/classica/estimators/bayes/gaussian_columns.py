"""Columns that are normal within each class: means, variances and the log densities of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike
from classica.estimators.bayes.known_moments import KnownMoments
from classica.native import Codes, Floats

_HALF_LOG_2_PI = 0.5 * np.log(2 * np.pi)


@dataclass(frozen=True)
class GaussianColumns:
    """Mean and variance per class and column; a column that never varies is left out."""

    places: Codes
    means: Floats  # (classes, columns)
    variances: Floats  # the same, floored
    used: NDArray[np.bool_]  # (columns,)
    inverse_spreads: Floats
    log_norms: Floats
    least: Floats  # (columns,): the floor of the variances

    @classmethod
    def of(cls, moments: KnownMoments, places: Codes, ddof: int, floor: float) -> GaussianColumns:
        """Return the model of these sums.

        A class with no known cell in a column takes mean and variance of all classes together. Variances
        are at least ``floor`` times the column's variance within classes or, where that is zero, over all
        rows.
        """
        means, variances = unbiased(moments, ddof)
        total = moments.together()
        [all_means], [all_variances] = unbiased(total, ddof)
        [overall] = total.means_and_variances()[1]
        used = overall > 0
        unknown = moments.known[0] <= 0
        within = moments.within_variances()
        least = np.maximum(floor * np.where(within > 0, within, overall), np.finfo(np.float64).tiny)
        means = np.where(unknown, all_means, means)
        variances = np.maximum(np.where(unknown, all_variances, variances), least)
        inverse = np.where(used, 1.0 / np.sqrt(variances), 0.0)
        log_norms = np.where(used, -0.5 * np.log(variances) - _HALF_LOG_2_PI, 0.0)
        return cls(places, means, np.where(used, variances, 0.0), used, inverse, log_norms, least)

    @property
    def n_parameters(self) -> int:
        """Means and variances in use."""
        return 2 * len(self.means) * int(self.used.sum())

    def add_scores(self, X: MatrixLike, scores: Floats, zeros: Codes | None, threads: int) -> None:
        """Add the log density of each row in each class; no density is zero."""
        native.add_gaussian_scores(X, self._model(), threads, scores)

    def left_out_scores(
        self,
        X: MatrixLike,
        moments: KnownMoments,
        ddof: int,
        codes: Codes,
        weights: Floats | None,
        threads: int,
    ) -> Floats:
        """Return each row's log density in its own class without it; NaN where a floor may come in.

        Taking a row of weight w away raises the variance within classes at most by n / (n - w): where all
        classes stay above that floor, no other class notices that the row is gone.
        """
        known = moments.known[0].sum(axis=0)
        heaviest = 1.0 if weights is None else float(weights.max())
        with np.errstate(divide="ignore", invalid="ignore"):
            least = self.least * known / np.maximum(known - heaviest, 0.0)
        plain = unbiased(moments, ddof)[1]
        settled = ((plain > least) & (moments.known[0] > 0)).all(axis=0)
        least = np.where(self.used, np.where(settled, least, np.inf), -1.0)
        sums = moments.known, moments.sums, moments.squares, least, float(ddof)
        return native.left_out_gaussian_scores(X, self._model(), sums, codes, weights, threads)

    def _model(self) -> native.GaussianModel:
        return self.places, self.means, self.inverse_spreads, self.log_norms


def unbiased(moments: KnownMoments, ddof: int) -> tuple[Floats, Floats]:
    """Return means, and variances with divisor n - ddof; zero where that is not positive."""
    means, variances = moments.means_and_variances()
    known = moments.known[0]
    divisor = known - ddof
    scale = np.divide(known, divisor, out=np.zeros_like(known), where=divisor > 0)
    return means, variances * scale
