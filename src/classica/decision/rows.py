"""Labels, numbers and probabilities by row, as given to the functions about answers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from classica.errors import DataError, must
from classica.native import Floats


def one_per_row(values: Any, what: str, kind: str = "label") -> NDArray[Any]:
    """Return the values as an array of one dimension; an error asks for one of their kind for each row."""
    if values is None:
        raise DataError(must(what, "given", None))
    try:
        column: NDArray[Any] = column_or_1d(values)
    except (TypeError, ValueError):
        raise DataError(must(what, f"one {kind} for each row", values)) from None
    return column


def number_per_row(values: Any, what: str) -> Floats:
    """Return the values as floats; they may still be infinite or NaN."""
    column = one_per_row(values, what, "number")
    try:
        numbers: Floats = column.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError(must(what, "one number for each row", values)) from None
    return numbers


def number_table(values: Any, what: str) -> Floats:
    """Return a table of numbers, whose entries may still be infinite or NaN."""
    try:
        if np.iscomplexobj(values):
            raise TypeError
        table: Floats = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(must(what, "a table of numbers", values)) from None
    if table.ndim != 2:
        raise DataError(must(what, "a table of two dimensions, a column per class", table.shape))
    return table
