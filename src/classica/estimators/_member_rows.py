"""Rows and columns for members: taken from whatever the user has, which stays what it is."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

#: The kinds of NumPy arrays that hold text or objects, which only their reader can judge.
_NOT_NUMBERS = "OUST"


def is_frame(X: Any) -> bool:
    """Return whether X is a frame of pandas, polars or Arrow."""
    return bool(nw.dependencies.is_into_dataframe(X))


def as_table(X: Any) -> Any:
    """Return what is neither frame, array nor sparse matrix as an array, if it can be one."""
    if hasattr(X, "dtype") or is_frame(X):
        return X
    try:
        array = np.asarray(X)
    except ValueError:  # rows of several lengths, which the reader of arrays explains
        return X
    # Beside text NumPy would turn numbers into text, too.
    return np.asarray(X, dtype=object) if array.dtype.kind == "U" else array


def holds_numbers(X: Any) -> bool:
    """Return whether X is an array or a sparse matrix of numbers."""
    return not is_frame(X) and getattr(getattr(X, "dtype", None), "kind", "f") not in _NOT_NUMBERS


def take_rows(X: Any, rows: NDArray[Any]) -> Any:
    """Return the rows of these numbers, in this order."""
    return nw.from_native(X, eager_only=True)[rows].to_native() if is_frame(X) else X[rows]


def take_columns(X: Any, columns: NDArray[Any]) -> Any:
    """Return the columns of these numbers, in this order; one that comes again in a frame gets a new name."""
    if not is_frame(X):
        return X[:, columns]
    frame = nw.from_native(X, eager_only=True)
    taken: dict[Any, nw.Series[Any]] = {}
    for name in [frame.columns[column] for column in columns]:
        new_name: Any = name
        while new_name in taken:
            new_name = f"{new_name}'" if isinstance(new_name, str) else new_name + 1
        taken[new_name] = frame.get_column(name).alias(new_name)
    return frame.select(*taken.values()).to_native()
