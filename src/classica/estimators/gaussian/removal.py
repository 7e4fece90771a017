"""What taking rows out of their classes does to means and covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats


@dataclass(frozen=True)
class Removal:
    """What taking rows of given weight out of their classes does to means and scatter."""

    stretch: Floats  # the row's difference from its class mean grows by this factor
    factor: Floats  # the scatter loses this times the outer product of that difference
    is_possible: NDArray[np.bool_]  # the class keeps rows

    @classmethod
    def of(cls, weights: Floats, class_counts: Floats) -> Removal:
        """Return the effect for each row."""
        left = class_counts - weights
        possible = left > 1e-9 * class_counts
        stretch = np.divide(class_counts, left, out=np.ones_like(left), where=possible)
        return cls(stretch, weights * stretch, possible)


def degrees_of_freedom(rows: float, means: int) -> float:
    """Return rows minus means; fractional weights that leave less than one row are scaled instead."""
    return rows - means if rows >= means + 1 else rows / (means + 1)
