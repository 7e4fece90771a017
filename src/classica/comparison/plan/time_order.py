"""Folds in the order of time: a model is tested on what came after all it has learned from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


class TimeOrder:
    """A splitter whose groups are times; rows of one time are on one side.

    Parameters
    ----------
    n_splits : int
        How many folds; there must be more times than that.
    """

    def __init__(self, n_splits: int) -> None:
        self.n_splits = n_splits

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many folds there are."""
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows to learn from and those to test on, both in the order of time."""
        _, places = np.unique(np.asarray(groups), return_inverse=True)
        rows = np.argsort(places, kind="stable")
        times = int(places.max()) + 1
        # What comes first is only learned from; a choice of parameters within it needs three times.
        first = max(min(3, times - self.n_splits), times // (self.n_splits + 1))
        for block in np.array_split(np.arange(first, times), self.n_splits):
            start, end = np.searchsorted(places[rows], [block[0], block[-1] + 1])
            yield rows[:start], rows[start:end]
