"""Rows taken from whatever the user has, which stays what it is."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.sparse_rows import sound_rows


def is_frame(X: MatrixLike) -> bool:
    """Return whether X is a frame of pandas, polars or Arrow."""
    return bool(nw.dependencies.is_into_dataframe(X))


def gives_rows(X: MatrixLike) -> bool:
    """Return whether X is a table of a kind of its own, which knows how to take rows."""
    return callable(getattr(X, "take_rows", None))


def as_table(X: MatrixLike) -> Any:
    """Return a sparse matrix as sound CSR; what is no matrix, frame or table as an array, if it can be."""
    if sp.issparse(X):
        return sound_rows(X)
    if hasattr(X, "dtype") or is_frame(X) or gives_rows(X):
        return X
    try:
        array = np.asarray(X)
    except ValueError:  # rows of several lengths, which the reader of arrays explains
        return X
    # Beside text NumPy would turn numbers into text, too.
    return np.asarray(X, dtype=object) if array.dtype.kind == "U" else array


def take_rows(X: Any, rows: NDArray[Any]) -> Any:
    """Return the rows of these numbers, in this order."""
    if gives_rows(X):
        return X.take_rows(rows)
    return nw.from_native(X, eager_only=True)[rows].to_native() if is_frame(X) else X[rows]
