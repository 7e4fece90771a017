"""Take rows from any kind of table, keeping its type."""

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
    """Return whether X has its own method to take rows."""
    return callable(getattr(X, "take_rows", None))


def as_table(X: MatrixLike) -> Any:
    """Return sparse matrices as valid CSR, frames and tables unchanged, anything else as an array."""
    if sp.issparse(X):
        return sound_rows(X)
    if hasattr(X, "dtype") or is_frame(X) or gives_rows(X):
        return X
    try:
        array = np.asarray(X)
    except ValueError:  # rows of different lengths, which the array validation reports
        return X
    # Together with text, NumPy would convert numbers to text.
    return np.asarray(X, dtype=object) if array.dtype.kind == "U" else array


def take_rows(X: Any, rows: NDArray[Any]) -> Any:
    """Return the rows with these indices, in this order."""
    if gives_rows(X):
        return X.take_rows(rows)
    return nw.from_native(X, eager_only=True)[rows].to_native() if is_frame(X) else X[rows]
