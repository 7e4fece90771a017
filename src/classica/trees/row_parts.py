"""Rows drawn for judging: the parts of a cross-validation, and rows held out.

What a row draws depends on its content alone, so equal rows are in the same part, a row of weight two is the
row twice, and the order of the table does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from classica import native
from classica.errors import DataError, must
from classica.native import Codes, Floats
from classica.trees.task import TreeTask
from classica.trees.tree import Longs

#: Rows to grow on, rows to judge by.
Fold = tuple[Longs, Longs]


def folds(cv: Any, task: TreeTask, random_state: Any) -> Iterator[Fold]:
    """Yield the folds of a cross-validation, without those that have nothing to grow on or to judge by.

    A number is that of the parts, drawn so that each has its share of every class; a splitter is asked; all
    else is a sequence of pairs of row numbers.
    """
    codes = _classes(task)
    if isinstance(cv, int | np.integer):
        begins, _ = _places_in_class(task, random_state)
        # Classes start with different parts, so that small ones do not all fall into the first.
        part = (np.floor(cv * begins).astype(np.int64) + codes) % cv
        pairs: Any = ((part != k, part == k) for k in range(cv))
    elif hasattr(cv, "split"):
        pairs = cv.split(np.zeros((task.rows, 1)), codes)
    else:
        pairs = ((_counted(task, one), _counted(task, other)) for one, other in cv)
    for given in pairs:
        grown_on, judged_by = (np.arange(task.rows)[chosen] for chosen in given)
        if len(grown_on) and len(judged_by):
            yield grown_on, judged_by


def rows_held_out(share: float, task: TreeTask, random_state: Any) -> NDArray[np.bool_]:
    """Return which rows are held out: a share of each class, rounded down."""
    _, ends = _places_in_class(task, random_state)
    # In exact arithmetic a third of three rows is one row.
    out: NDArray[np.bool_] = ends <= share + 1e-9
    return out


def _classes(task: TreeTask) -> Codes:
    return np.zeros(task.rows, dtype=np.int32) if task.target.codes is None else task.target.codes


def _places_in_class(task: TreeTask, random_state: Any) -> tuple[Floats, Floats]:
    """Return where each row begins and ends when its class, in random order, lies between 0 and 1."""
    seed = int(check_random_state(random_state).randint(2**31))
    draws, codes = native.row_draws(task.X, seed, task.threads), _classes(task)
    weights = np.ones(task.rows) if task.target.weights is None else task.target.weights
    _, group = np.unique(np.column_stack([codes, draws]), axis=0, return_inverse=True)
    group_weight = np.bincount(group.ravel(), weights)
    group_class = np.zeros(len(group_weight), dtype=np.int64)
    group_class[group.ravel()] = codes
    ends = np.cumsum(group_weight)
    class_ends = np.append(0.0, ends[np.searchsorted(group_class, np.unique(group_class), side="right") - 1])
    low = class_ends[np.unique(group_class, return_inverse=True)[1]]
    size = np.maximum(np.bincount(group_class, group_weight)[group_class], np.finfo(float).tiny)
    begins, ends = (ends - group_weight - low) / size, (ends - low) / size
    return np.clip(begins, 0.0, 1.0 - 1e-12)[group.ravel()], ends[group.ravel()]


def _counted(task: TreeTask, chosen: Any) -> NDArray[np.bool_]:
    """Return which rows are among the chosen ones of the table that was given."""
    counted = np.ones(task.rows, dtype=bool) if task.counted is None else task.counted
    given = np.zeros(len(counted), dtype=bool)
    try:
        given[np.asarray(chosen)] = True
    except IndexError:
        raise DataError(must("cv", f"row numbers below {len(given)}", chosen)) from None
    return given[counted]
