"""How well one column alone tells the classes, honestly enough to find leaks."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.data.cells import as_text

#: A number with up to so many values is looked at value by value, beyond by as many ranges.
_RANGES = 100
#: ... unless values have fewer rows than this on average.
_ROWS_OF_A_VALUE = 3


def column_accuracy(cells: pl.Series, labels: NDArray[np.intp], classes: int) -> float:
    """Return the share of rows whose class one column tells.

    Of categories and ranges of numbers, a row counts as told if its class is the most frequent one among
    the *other* rows there; so values that occur once tell nothing. Of numbers, the best single
    threshold counts, too. Missing cells are a value of their own.
    """
    if not len(labels):
        return 0.0
    best = _told_by_groups(_groups(cells), labels, classes)
    if cells.dtype.is_numeric():
        best = max(best, _told_by_threshold(cells, labels, classes))
    return best / len(labels)


def _groups(cells: pl.Series) -> NDArray[np.intp]:
    """Return a number per row, the same for rows with the same value or range."""
    # Of values that occur once or twice each, rows that are in the table twice would tell one another.
    if cells.dtype.is_numeric() and cells.n_unique() > min(_RANGES, len(cells) / _ROWS_OF_A_VALUE):
        ranks = cells.rank("min").fill_null(0).to_numpy()
        parts = max(min(_RANGES, len(cells) // 10), 1)
        found = np.where(ranks == 0, -1, (ranks - 1) * parts // len(cells))
    else:
        found = (as_text(cells) if cells.dtype.is_nested() else cells).rank("dense").fill_null(0).to_numpy()
    _, groups = np.unique(found, return_inverse=True)
    return groups


def _told_by_groups(groups: NDArray[np.intp], labels: NDArray[np.intp], classes: int) -> int:
    counts = np.bincount(groups * classes + labels, minlength=(groups.max() + 1) * classes)
    table = counts.reshape(-1, classes)
    first = table.argmax(axis=1)
    most = table.max(axis=1)
    rest = table.copy()
    rest[np.arange(len(table)), first] = 0
    second = rest.max(axis=1)
    # Without the row itself, its class must still be ahead; rows of other classes are never told.
    return int(most[most - 1 > second].sum())


def _told_by_threshold(cells: pl.Series, labels: NDArray[np.intp], classes: int) -> int:
    known = cells.is_not_null().to_numpy()
    values, found = cells.drop_nulls().cast(pl.Float64).to_numpy(), labels[known]
    if len(values) < 2:
        return 0
    order = np.argsort(values, kind="stable")
    values, found = values[order], found[order]
    cuts = np.flatnonzero(values[1:] > values[:-1])
    if not len(cuts):
        return 0
    below, above = np.zeros(len(cuts), dtype=np.intp), np.zeros(len(cuts), dtype=np.intp)
    for label in range(classes):  # a class at a time, so that memory does not grow with their number
        count = np.cumsum(found == label)
        below = np.maximum(below, count[cuts])
        above = np.maximum(above, count[-1] - count[cuts])
    missing = np.bincount(labels[~known], minlength=classes).max()
    return int((below + above).max() + missing)
