"""Folds that have the shares of the classes, also of classes of few rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold


class SharesOfClasses(StratifiedKFold):
    """Stratified folds; they may be told the group of the rows, as splitters by group are.

    A class of fewer rows than folds is in as many test sets as it has rows. That is told with the table, so
    there is no warning for every fold.
    """

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows to learn from and those to test on."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            found = list(super().split(X, y))
        yield from found
