"""Rows drawn for judging: the parts of a cross-validation, and rows held out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from classica.errors import DataError, must
from classica.native import Codes
from classica.trees.tree import Longs

#: Rows to grow on, rows to judge by.
Fold = tuple[Longs, Longs]


def folds(cv: Any, rows: int, codes: Codes | None, random_state: Any) -> Iterator[Fold]:
    """Yield the folds of a cross-validation, without those that have nothing to grow on or to judge by.

    A number is that of the parts, drawn so that each has its share of every class; a splitter is asked; all
    else is a sequence of pairs of row numbers.
    """
    places = np.arange(rows)
    if isinstance(cv, int | np.integer):
        part = np.empty(rows, dtype=np.int64)
        part[_shuffled(rows, codes, random_state)] = places % cv
        pairs: Any = ((part != k, part == k) for k in range(cv))
    else:
        labels = np.zeros(rows) if codes is None else codes
        pairs = cv.split(np.zeros((rows, 1)), labels) if hasattr(cv, "split") else cv
    for given in pairs:
        grown_on, judged_by = (_chosen(places, chosen) for chosen in given)
        if len(grown_on) and len(judged_by):
            yield grown_on, judged_by


def rows_held_out(share: float, rows: int, codes: Codes | None, random_state: Any) -> NDArray[np.bool_]:
    """Return which rows are held out: a share of each class, rounded down."""
    order = _shuffled(rows, codes, random_state)
    firsts = np.searchsorted(codes[order], codes[order]) if codes is not None else np.zeros(rows)
    place = np.arange(rows) - firsts
    out = np.zeros(rows, dtype=bool)
    # In exact arithmetic a third of three rows is one row.
    out[order] = np.floor((place + 1) * share + 1e-9) > np.floor(place * share + 1e-9)
    return out


def _shuffled(rows: int, codes: Codes | None, random_state: Any) -> Longs:
    """Return the rows in random order, class by class."""
    order: Longs = check_random_state(random_state).permutation(rows)
    return order if codes is None else order[np.argsort(codes[order], kind="stable")]


def _chosen(places: Longs, chosen: Any) -> Longs:
    try:
        rows: Longs = places[np.asarray(chosen)]
    except IndexError:
        raise DataError(must("cv", f"row numbers below {len(places)}", chosen)) from None
    return rows
