"""How rows are cut into folds: by class, by whole groups, or in the order of time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from classica.arrays import MatrixLike, VectorLike


class TimeOrder:
    """A splitter whose groups are times; rows of one time are on one side.

    Parameters
    ----------
    n_splits : int
        How many folds; there must be more times than that.
    """

    def __init__(self, n_splits: int) -> None:
        self.n_splits = n_splits

    def get_n_splits(
        self, X: MatrixLike | None = None, y: VectorLike | None = None, groups: Any = None
    ) -> int:
        """Return how many folds there are."""
        return self.n_splits

    def split(
        self, X: MatrixLike, y: VectorLike | None = None, groups: Any = None
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


class WholeGroups(StratifiedGroupKFold):
    """Folds of whole groups, none of them empty.

    Groups are dealt out one by one where they make the shares of the classes most alike, which now and then
    leaves a fold without rows: it is left out, and the others still hold every row once.
    """

    def split(
        self, X: MatrixLike, y: VectorLike, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows to learn from and those to test on."""
        with warnings.catch_warnings():
            # That a class has few rows is told with the table, not for every fold.
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            found = list(super().split(X, y, groups))
        for train, test in found:
            if len(train) and len(test):
                yield train, test


class SharesOfClasses(StratifiedKFold):
    """Stratified folds; they may be told the group of the rows, as splitters by group are.

    A class of fewer rows than folds is in as many test sets as it has rows. That is told with the table, so
    there is no warning for every fold.
    """

    def split(
        self, X: MatrixLike, y: VectorLike, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows to learn from and those to test on."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            found = list(super().split(X, y))
        yield from found
