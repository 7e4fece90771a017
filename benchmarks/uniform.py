"""Rows spread evenly over the unit cube, for searches that know no classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Data


def uniform_rows(n_rows: int, n_new: int, n_columns: int, *, seed: int, dtype: Any = np.float64) -> Data:
    """Draw rows and new rows from the unit cube; the labels alternate between two classes."""
    rng = np.random.default_rng(seed)

    def draw(n: int) -> tuple[NDArray[Any], NDArray[Any]]:
        return rng.random((n, n_columns), dtype=dtype), np.arange(n) % 2

    return Data(*draw(n_rows), *draw(n_new))
