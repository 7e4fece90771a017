"""The test parts of a cross-validation, checked so that what is not tested is what is learned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import BaseCrossValidator, LeaveOneOut, check_cv

from classica.arrays import VectorLike
from classica.errors import DataError, ParameterError, must
from classica.native import Codes

#: What people pass as ``cv``: a number of folds, "loo", a splitter, or pairs of rows; None: five folds.
Splitting: TypeAlias = "int | str | BaseCrossValidator | Iterable[tuple[ArrayLike, ArrayLike]] | None"

#: Stands for the parts of leave-one-out: each row by itself.
EACH_ROW: Final = "each row"


def read_test_parts(cv: Splitting, codes: Codes, groups: VectorLike | None) -> Any:
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
            raise DataError(
                "cv must train on every row that is not in the test fold, got other training sets."
            )
    return [test for _, test in splits]


def _require_others(rows: int) -> None:
    if rows < 2:
        raise DataError(must("X", "at least two rows for leave-one-out", rows))


def _read_splits(
    cv: Splitting, codes: Codes, groups: VectorLike | None
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
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
