"""Columns for members: taken from whatever the user has, which stays what it is."""

from __future__ import annotations

from typing import Any

import narwhals as nw
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.row_taking import is_frame

#: The kinds of NumPy arrays that hold text or objects, which only their reader can judge.
_NOT_NUMBERS = "OUST"


def holds_numbers(X: MatrixLike) -> bool:
    """Return whether X is an array or a sparse matrix of numbers."""
    return not is_frame(X) and getattr(getattr(X, "dtype", None), "kind", "f") not in _NOT_NUMBERS


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
