"""Columns whose density in each class is a sum of Gaussian bells, one on each value seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike
from classica.estimators.base.estimator import TrainingData
from classica.estimators.bayes.known_moments import KnownMoments
from classica.native import Codes, Floats


@dataclass(frozen=True)
class KernelColumns:
    """The values of each class, with a bandwidth per class and column; zero for a column left out."""

    places: Codes
    values: Floats  # (columns, rows): those of each class side by side, ascending
    masses: Floats  # the same
    starts: NDArray[np.int64]  # (columns, classes + 1)
    bandwidths: Floats  # (classes, columns)

    @classmethod
    def of(cls, data: TrainingData, places: Codes, rule: float | str, threads: int) -> KernelColumns:
        """Return the model of some rows; ``rule`` is "range", "silverman" or a number.

        By a rule, a bandwidth is at least the mean gap between the column's distinct values: a class with
        one value, or few, is no surer than the column can tell.
        """
        classes = len(data.classes)
        values, masses, starts, quartiles, gaps = native.sort_columns(
            data.X, places, data.codes, classes, data.weights, threads
        )
        moments = KnownMoments.of(data.X, places, data.codes, classes, data.weights, threads)
        [overall] = moments.together().means_and_variances()[1]
        known = np.maximum(moments.known[0], np.finfo(np.float64).tiny)
        if rule == "range":
            wide = np.maximum(_ranges(values, starts) / np.sqrt(known), gaps)
        elif rule == "silverman":
            wide = np.maximum(_silverman(moments, quartiles) * known**-0.2, gaps)
        else:
            wide = np.broadcast_to(rule * np.sqrt(overall), known.shape)
        least = np.sqrt(np.finfo(np.float64).tiny)
        bandwidths = np.where(overall > 0, np.maximum(wide, least), 0.0)
        return cls(places, values, masses, starts, bandwidths)

    @property
    def n_parameters(self) -> int:
        """The values kept and a bandwidth per class, of the columns in use."""
        used = self.bandwidths.any(axis=0)
        return int(self.starts[used, -1].sum()) + len(self.bandwidths) * int(used.sum())

    def add_scores(self, X: MatrixLike, scores: Floats, zeros: Codes | None, threads: int) -> None:
        """Add the log density of each row in each class; none is counted as zero."""
        native.add_density_scores(
            X, self.places, self.values, self.masses, self.starts, self.bandwidths, threads, scores
        )


def _ranges(values: Floats, starts: NDArray[np.int64]) -> Floats:
    """Return the largest minus the smallest value per class and column, zero without values."""
    columns = np.arange(len(values))[:, None]
    first, last = starts[:, :-1], np.maximum(starts[:, 1:] - 1, 0)
    last_index = max(values.shape[1] - 1, 0)
    spans = values[columns, last] - values[columns, np.minimum(first, last_index)]
    ranges: Floats = np.where(starts[:, 1:] > first, spans, 0.0).T
    return ranges


def _silverman(moments: KnownMoments, quartiles: Floats) -> Floats:
    """Return 0.9 times the smaller of standard deviation and interquartile range / 1.34."""
    spreads = np.sqrt(moments.means_and_variances()[1])
    middle = (quartiles[:, :, 1] - quartiles[:, :, 0]).T / 1.34
    smaller: Floats = 0.9 * np.where(middle > 0, np.minimum(spreads, middle), spreads)
    return smaller
