"""Levels of categories by their codes: text is looked at once per level, not once per cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray


def codes_in(cells: pl.Series, levels: Sequence[str]) -> NDArray[np.int64]:
    """Return the index of each cell in a list of levels: -1 for a level that is not in it, -2 for missing.

    Parameters
    ----------
    cells : polars Series
        Of an Enum.
    levels : sequence of str
        Different levels, in any order.
    """
    assert isinstance(cells.dtype, pl.Enum)
    index = {level: place for place, level in enumerate(levels)}
    # The last entry is for missing cells.
    found = np.array([*(index.get(level, -1) for level in cells.dtype.categories), -2], dtype=np.int64)
    physical = cells.to_physical().cast(pl.Int64).fill_null(len(found) - 1)
    return found[physical.to_numpy()]


def decoded_labels(cells: pl.Series) -> NDArray[Any]:
    """Return labels as an array of their own, none of them missing; equal texts are one object."""
    if not isinstance(cells.dtype, pl.Enum):
        return cells.to_numpy().copy()
    levels = pl.Series(cells.dtype.categories).to_numpy()
    labels: NDArray[Any] = levels[cells.to_physical().to_numpy()]
    return labels
