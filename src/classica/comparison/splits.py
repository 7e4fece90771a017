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
    TimeSeriesSplit,
)

from classica.comparison.settings import Settings
from classica.errors import DataError, must

Rows = NDArray[np.intp]
Splits = list[tuple[Rows, Rows]]
#: One of scikit-learn's, which ships no types.
Splitter: TypeAlias = Any


def outer_splits(settings: Settings, y: NDArray[Any], order: NDArray[Any] | None) -> Splits:
    """Return training and test rows of every outer fold, all repeats one after the other.

    ``order`` is the column of groups or times, if the settings name one.
    """
    if settings.time is not None:
        # A splitter by time takes rows as they come.
        sequence = np.argsort(np.asarray(order), kind="stable")
        found = splitter(settings, settings.folds, y, order, settings.seed).split(sequence)
        return [(sequence[train], sequence[test]) for train, test in found]
    return [
        split
        for repeat in range(settings.repeats)
        for split in _drawn(splitter(settings, settings.folds, y, order, settings.seed + repeat), y, order)
    ]


def splitter(
    settings: Settings, wanted: int, y: NDArray[Any], order: NDArray[Any] | None, seed: int
) -> Splitter:
    """Return what makes folds of rows as the settings ask for: by class, group or time."""
    if settings.time is not None:
        if len(y) < wanted + 1:
            raise DataError(must("folds", f"fewer than the {len(y)} rows in order of time", wanted))
        return TimeSeriesSplit(wanted)
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
