"""The isotonic curve: the probability of a class as a function of its score that never falls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from classica.native import Floats


@dataclass(frozen=True)
class IsotonicCurve:
    """A fitted curve: the scores at which it bends, and its height there; straight between, level outside."""

    scores: Floats
    heights: Floats

    @classmethod
    def fitted(cls, scores: Floats, positive: NDArray[np.bool_], weights: Floats) -> IsotonicCurve:
        """Return the curve of least squares, given finite scores of rows and which are of the class."""
        regression = IsotonicRegression(out_of_bounds="clip")
        with np.errstate(all="ignore"):  # looking for NaN, it adds up the scores
            regression.fit(scores, positive.astype(np.float64), weights)
        # Weighted means of zeros and ones may miss these by rounding.
        heights = np.clip(regression.y_thresholds_, 0.0, 1.0)
        return cls(np.array(regression.X_thresholds_, dtype=np.float64), heights)

    def __call__(self, scores: Floats) -> Floats:
        """Return the probability of the class for each score; a score may be infinite."""
        # A quarter of the scores, so that no difference overflows; what that rounds is below 1e-323.
        quarter = 0.25 if np.abs(self.scores).max() > 1e300 else 1.0
        with np.errstate(all="ignore"):
            heights: Floats = np.interp(scores * quarter, self.scores * quarter, self.heights)
        # Where two scores lie so close that the slope between them overflows, it is a step.
        steps = self.heights[np.searchsorted(self.scores, scores, side="right") - 1]
        return np.where(np.isnan(heights), steps, heights)
