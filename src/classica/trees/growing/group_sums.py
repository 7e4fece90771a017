"""Sums of weights by group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats


def group_sums(group_of_row: NDArray[np.integer[Any]], weights: Floats, groups: int) -> Floats:
    """Return the sum of the weights of each group's rows."""
    return np.bincount(group_of_row, weights, minlength=groups).astype(np.float64, copy=False)
