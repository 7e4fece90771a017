"""The sufficient statistics of naive Bayes: what is summed over the rows of each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.estimators.bayes.code_counts import CodeCounts
from classica.estimators.bayes.known_moments import KnownMoments
from classica.native import Floats


@dataclass(frozen=True)
class BayesStatistics:
    """Sums of the Gaussian columns, counts of the intervals and of the categories."""

    moments: KnownMoments
    intervals: CodeCounts
    categories: CodeCounts

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each class."""
        return self.moments.counts

    def plus(self, other: BayesStatistics, sign: float = 1.0) -> BayesStatistics:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""
        return BayesStatistics(
            self.moments.plus(other.moments, sign),
            self.intervals.plus(other.intervals, sign),
            self.categories.plus(other.categories, sign),
        )

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> BayesStatistics:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""
        return BayesStatistics(
            self.moments.spread_over(indices, groups),
            self.intervals.spread_over(indices, groups),
            self.categories.spread_over(indices, groups),
        )

    def only(self, kept: NDArray[np.bool_]) -> BayesStatistics:
        """Return the statistics of the chosen classes."""
        return BayesStatistics(self.moments.only(kept), self.intervals.only(kept), self.categories.only(kept))
