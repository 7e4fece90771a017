"""Rows drawn for judging: the parts of a cross-validation, and rows held out.

A row that counts as several cases is drawn case by case, and the draw depends on what is in a row, not on
where it stands: a weight of 2 is the row twice, here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from classica.errors import DataError, must
from classica.native import row_draws
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Longs

#: What scikit-learn takes for a random seed.
Seed = int | np.random.RandomState | None

#: Rows to grow on, rows to judge by; a row is named once per case.
Fold = tuple[Longs, Longs]


def cases_in_parts(task: TreeTask, cases: Longs, parts: int, random_state: Seed) -> Iterator[Fold]:
    """Yield the folds of a cross-validation; each part has its share of every class.

    Parts that leave nothing to grow on or nothing to judge by are left out.
    """
    rows = _shuffled(task, cases, random_state)
    part = np.arange(len(rows)) % parts
    for k in range(min(parts, len(rows))):
        if (part != k).any():
            yield rows[part != k], rows[part == k]


def cases_held_out(task: TreeTask, cases: Longs, share: float, random_state: Seed) -> Fold:
    """Return the rows kept and those held out: a share of each class, rounded down."""
    rows, codes = _shuffled(task, cases, random_state), task.target.codes
    of_class = np.zeros(len(rows)) if codes is None else codes[rows]
    index = np.arange(len(rows)) - np.searchsorted(of_class, of_class)
    # In exact arithmetic a third of three rows is one row.
    out = np.floor((index + 1) * share + 1e-9) > np.floor(index * share + 1e-9)
    return rows[~out], rows[out]


def given_parts(cv: Any, task: TreeTask) -> Iterator[Fold]:
    """Yield the folds of a splitter, or of a sequence of pairs of numbers of the rows that were given."""
    indices = np.arange(task.rows)
    if hasattr(cv, "split"):
        cv = cv.split(np.zeros((task.rows, 1)), indices if task.target.codes is None else task.target.codes)
    elif task.places is not None:
        indices = task.places
    for pair in cv:
        grown_on, judged_by = (_chosen(indices, rows) for rows in pair)
        if len(grown_on) and len(judged_by):
            yield grown_on, judged_by


def _shuffled(task: TreeTask, cases: Longs, random_state: Seed) -> Longs:
    """Return the row of each case, in random order, class by class."""
    draws = row_draws(task.X, check_random_state(random_state).randint(2**31), task.threads)[cases]
    if task.target.codes is not None:
        return cases[np.lexsort((draws, task.target.codes[cases]))]
    assert task.target.values is not None
    return cases[np.lexsort((task.target.values[cases], draws))]


def _chosen(indices: Longs, rows: ArrayLike) -> Longs:
    try:
        chosen: NDArray[np.int64] = indices[np.asarray(rows)]
    except IndexError:
        raise DataError(must("cv", f"row indices below {len(indices)}", rows)) from None
    return chosen[chosen >= 0]
