"""Who is tested on what: the folds of a comparison."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold

from classica.comparison.plan.fold_splitters import SharesOfClasses, TimeOrder, WholeGroups
from classica.comparison.plan.settings import Settings
from classica.errors import DataError, must
from classica.metrics.measures import metric

Rows = NDArray[np.intp]
Splits = list[tuple[Rows, Rows]]
#: As scikit-learn has them, which ships no types.
Splitter: TypeAlias = Any

_FOLDS_OF_MANY_CLASSES = 5


def outer_splits(settings: Settings, y: NDArray[Any], order: NDArray[Any] | None) -> Splits:
    """Return training and test rows of every outer fold, all repeats one after the other.

    ``order`` is the column of groups or times, if the settings name one.
    """
    _require_parts(settings, y, order)
    return [
        split
        # Time has one order only.
        for repeat in range(settings.repeats if settings.time is None else 1)
        for split in _drawn(splitter(settings, settings.folds, y, order, settings.seed + repeat), y, order)
    ]


def splitter(
    settings: Settings, wanted: int, y: NDArray[Any], order: NDArray[Any] | None, seed: int
) -> Splitter:
    """Return what makes folds of rows as the settings ask for: by class, group or time.

    Where the metric looks at every class, there are no more folds than the smallest one can be in. Within the
    rows of a single group there is nothing left to keep together.
    """
    if settings.time is not None:
        times = len(np.unique(np.asarray(order)))
        if times < 2:
            raise DataError(must("time", "a column of at least 2 different values", times))
        return TimeOrder(min(wanted, times - 1))
    groups = 0 if settings.groups is None else len(np.unique(np.asarray(order)))
    largest = int(np.unique(y, return_counts=True)[1].max())
    most = min(wanted, largest, _with_every_class(settings, y, order if groups > 1 else None))
    if groups > 1:
        if largest < 2:
            return GroupKFold(min(wanted, groups), shuffle=True, random_state=seed)
        return WholeGroups(min(most, groups), shuffle=True, random_state=seed)
    if largest < 2:
        return KFold(min(wanted, len(y)), shuffle=True, random_state=seed)
    return SharesOfClasses(most, shuffle=True, random_state=seed)


def _require_parts(settings: Settings, y: NDArray[Any], order: NDArray[Any] | None) -> None:
    """Raise `DataError` if rows cannot be told apart by groups, or no two folds can have both classes."""
    if settings.time is not None:
        return
    if settings.groups is not None and len(np.unique(np.asarray(order))) < 2:
        raise DataError(must("groups", "a column of at least 2 different values", 1))
    counts = _parts_with_class(y, order)
    if metric(settings.metric).every_class and len(counts) == 2 and min(counts.values()) < 2:
        what = "row" if settings.groups is None else f"value of {settings.groups!r}"
        label = min(counts, key=lambda each: counts[each])
        rule = f"in more than one {what} for the metric {settings.metric!r}"
        raise DataError(must(f"The class {label!r}", rule, 1))


def _with_every_class(settings: Settings, y: NDArray[Any], order: NDArray[Any] | None) -> int:
    """Return how many folds can have rows of every class, if the metric needs that; no limit otherwise.

    A class of a single row, or group, is in one fold at most, whatever is done, and sets no limit. Of three
    classes or more each counts for less, and one of few rows is no reason to give up most folds.
    """
    if not metric(settings.metric).every_class:
        return len(y)
    counts = _parts_with_class(y, order).values()
    fewest = min((count for count in counts if count > 1), default=len(y))
    return fewest if len(counts) == 2 else max(fewest, _FOLDS_OF_MANY_CLASSES)


def _parts_with_class(y: NDArray[Any], order: NDArray[Any] | None) -> dict[Any, int]:
    """Return in how many rows, or groups of rows, each class is."""
    apart = np.arange(len(y)) if order is None else order
    return {label: len(np.unique(apart[y == label])) for label in np.unique(y).tolist()}


def _drawn(folds: Splitter, y: NDArray[Any], order: NDArray[Any] | None) -> Splits:
    return list(folds.split(np.zeros((len(y), 1)), y, groups=order))
