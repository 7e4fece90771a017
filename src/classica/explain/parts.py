"""What one column of a table adds to scores, cells as they are in the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from classica.explain.terms import Linear, Term
from classica.native import Floats


@dataclass(frozen=True)
class NumberPart:
    """A column of numbers: a gap is filled, the number centred and scaled, and then a term says the rest.

    Attributes
    ----------
    column : int
        The place of the column.
    fill : float or None
        What a missing number becomes.
    center, scale : float
        What is taken away, and then divided by.
    term : Term
        What the number adds.
    """

    column: int
    fill: float | None
    center: float
    scale: float
    term: Term

    @property
    def takes_missing(self) -> bool:
        """Whether a missing number adds something that is known."""
        return self.fill is not None or not isinstance(self.term, Linear)

    def values(self, cells: pl.Series) -> Floats:
        """Return what each cell adds, a column per score."""
        x = cells.cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)
        if self.fill is not None:
            x = np.where(np.isnan(x), self.fill, x)
        return self.term.values((x - self.center) / self.scale)


@dataclass(frozen=True)
class LevelPart:
    """A column of categories: what each level adds, what any other does, and what a gap does.

    Attributes
    ----------
    column : int
        The place of the column.
    levels : tuple
        The known levels.
    added : float64 array of shape (levels, scores)
        What each adds.
    unseen, missing : float64 arrays
        What other levels and missing cells add; NaN where the model takes none.
    """

    column: int
    levels: tuple[Any, ...]
    added: Floats
    unseen: Floats
    missing: Floats

    @property
    def takes_missing(self) -> bool:
        """Whether a missing cell adds something that is known."""
        return not bool(np.isnan(self.missing).any())

    def values(self, cells: pl.Series) -> Floats:
        """Return what each cell adds, a column per score."""
        places = {level: place for place, level in enumerate(self.levels)}
        table = np.vstack([self.added.reshape(-1, len(self.unseen)), self.unseen, self.missing])
        unseen, missing = len(self.levels), len(self.levels) + 1
        rows = [missing if _is_gap(cell) else places.get(cell, unseen) for cell in cells.to_list()]
        found: Floats = table[rows]
        return found


Part = NumberPart | LevelPart


def _is_gap(cell: Any) -> bool:
    return cell is None or cell != cell
