"""Folds within a single group: there is nothing left to keep together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold


class RowsOfOneGroup(StratifiedKFold):
    """Stratified folds that may be told the group of the rows, as splitters by group are."""

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows to learn from and those to test on."""
        yield from super().split(X, y)
