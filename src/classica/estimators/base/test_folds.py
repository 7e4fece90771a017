"""The test parts of a cross-validation, checked so that what is not tested is what is learned."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import LeaveOneOut, check_cv

from classica.errors import DataError, ParameterError, must
from classica.native import Codes

#: Stands for the parts of leave-one-out: each row by itself.
EACH_ROW: Final = "each row"


def read_test_parts(cv: Any, codes: Codes, groups: Any) -> Any:
    """Return the rows of each test part, or `EACH_ROW`."""
    if isinstance(cv, LeaveOneOut) or (isinstance(cv, str) and cv == "loo"):
        _require_others(len(codes))
        return EACH_ROW
    if isinstance(cv, str):
        raise ParameterError(must("cv", "an integer, 'loo', a splitter or an iterable of splits", cv))
    rows = len(codes)
    splits = _read_splits(cv, codes, groups)
    tested = np.bincount(np.concatenate([test for _, test in splits]), minlength=rows)
    if (tested != 1).any():
        row = int(np.argmax(tested != 1))
        raise DataError(f"cv must test every row once, got row {row} tested {tested[row]} times.")
    for train, test in splits:
        learned = np.zeros(rows, dtype=bool)
        learned[train] = True
        if len(train) + len(test) != rows or learned[test].any() or np.count_nonzero(learned) != len(train):
            raise DataError("cv must learn every row that is not tested, got other training parts.")
    return [test for _, test in splits]


def _require_others(rows: int) -> None:
    if rows < 2:
        raise DataError(must("X", "at least two rows, to leave one out", rows))


def _read_splits(cv: Any, codes: Codes, groups: Any) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    try:
        splitter = check_cv(cv, codes, classifier=True)
        splits = [_rows(split, len(codes)) for split in splitter.split(codes, codes, groups)]
    except (IndexError, TypeError, ValueError) as error:
        raise DataError(f"cv must split the {len(codes)} rows, got {cv!r}: {error}") from error
    if not splits:
        raise DataError(must("cv", "a splitter or an iterable of splits", cv))
    return splits


def _rows(split: Any, rows: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    train, test = (np.arange(rows)[part] for part in split)
    return train, test
