"""Classes and numbers that depend on curved regions of some columns, with noise: work for trees."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Data


def labelled_regions(n_rows: int, n_new: int, n_columns: int, n_classes: int, *, seed: int) -> Data:
    """Draw float32 columns and cut a curved score of ten of them into classes of equal size."""

    def label(scores: NDArray[Any]) -> NDArray[Any]:
        cuts = np.quantile(scores, np.arange(1, n_classes) / n_classes)
        return np.searchsorted(cuts, scores)

    return _data(n_rows, n_new, n_columns, seed, label)


def valued_regions(n_rows: int, n_new: int, n_columns: int, *, seed: int) -> Data:
    """Draw the same columns with the score itself as the target."""
    return _data(n_rows, n_new, n_columns, seed, lambda scores: scores)


def _data(n_rows: int, n_new: int, n_columns: int, seed: int, target: Any) -> Data:
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n_rows + n_new, n_columns), dtype=np.float32)
    x = rows[:, :10].astype(np.float64)
    scores = (
        x[:, 0]
        + x[:, 1] * x[:, 2]
        + np.sin(2 * x[:, 3])
        + x[:, 4] ** 2
        - np.abs(x[:, 5])
        + x[:, 6] * (x[:, 7] > 0)
    )
    values = target(scores + 0.5 * rng.standard_normal(len(scores)))
    return Data(rows[:n_rows], values[:n_rows], rows[n_rows:], values[n_rows:])
