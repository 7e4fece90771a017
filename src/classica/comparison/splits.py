"""Who is tested on what: the folds of a comparison."""

from __future__ import annotations

import warnings
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from classica.comparison.settings import Settings
from classica.comparison.time_order import TimeOrder
from classica.errors import DataError, must

Rows = NDArray[np.intp]
Splits = list[tuple[Rows, Rows]]
#: As scikit-learn has them, which ships no types.
Splitter: TypeAlias = Any


def outer_splits(settings: Settings, y: NDArray[Any], order: NDArray[Any] | None) -> Splits:
    """Return training and test rows of every outer fold, all repeats one after the other.

    ``order`` is the column of groups or times, if the settings name one.
    """
    return [
        split
        # Time has one order only.
        for repeat in range(settings.repeats if settings.time is None else 1)
        for split in _drawn(splitter(settings, settings.folds, y, order, settings.seed + repeat), y, order)
    ]


def splitter(
    settings: Settings, wanted: int, y: NDArray[Any], order: NDArray[Any] | None, seed: int
) -> Splitter:
    """Return what makes folds of rows as the settings ask for: by class, group or time."""
    if settings.time is not None:
        times = len(np.unique(np.asarray(order)))
        if times < 2:
            raise DataError(must("time", "a column of at least 2 different values", times))
        return TimeOrder(min(wanted, times - 1))
    if settings.groups is not None:
        groups = len(np.unique(np.asarray(order)))
        if groups < 2:
            raise DataError(must("groups", "a column of at least 2 different values", groups))
        return StratifiedGroupKFold(min(wanted, groups), shuffle=True, random_state=seed)
    largest = int(np.unique(y, return_counts=True)[1].max())
    if largest < 2:
        return KFold(min(wanted, len(y)), shuffle=True, random_state=seed)
    return StratifiedKFold(min(wanted, largest), shuffle=True, random_state=seed)


def _drawn(folds: Splitter, y: NDArray[Any], order: NDArray[Any] | None) -> Splits:
    with warnings.catch_warnings():
        # A class with fewer rows than folds is absent from some: told with the table, not here.
        warnings.simplefilter("ignore", UserWarning)
        return list(folds.split(np.zeros((len(y), 1)), y, groups=order))
