"""Folds that keep groups together and have about the shares of the classes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold


class WholeGroups(StratifiedGroupKFold):
    """Folds of whole groups, none of them empty.

    Groups are dealt out one by one where they make the shares of the classes most alike, which now and then
    leaves a fold without rows: it is left out, and the others still hold every row once.
    """

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows to learn from and those to test on."""
        with warnings.catch_warnings():
            # That a class has few rows is told with the table, not for every fold.
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            found = list(super().split(X, y, groups))
        for train, test in found:
            if len(train) and len(test):
                yield train, test
