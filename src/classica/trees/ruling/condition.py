"""What a path or a rule asks of one column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classica.arrays import Dense


@dataclass(frozen=True)
class Condition:
    """What a path or a rule asks of one column.

    Attributes
    ----------
    column : int
        The index of the column.
    low, high : float
        A number must lie above ``low`` and not above ``high``.
    levels : tuple of int or None
        A category must be one of these codes; None for a column of numbers.
    known : bool
        False if no known cell will do.
    missing : bool
        Whether a missing value will do.
    """

    column: int
    low: float = -np.inf
    high: float = np.inf
    levels: tuple[int, ...] | None = None
    known: bool = True
    missing: bool = False

    @property
    def is_bounded(self) -> bool:
        """Whether it says anything about known cells."""
        return self.levels is not None or self.low > -np.inf or self.high < np.inf

    def meet(self, other: Condition) -> Condition:
        """Return the condition that holds where both do."""
        levels, known = self.levels, self.known and other.known
        if levels is not None and other.levels is not None:
            levels = tuple(code for code in levels if code in set(other.levels))
            known = known and bool(levels)
        low, high = max(self.low, other.low), min(self.high, other.high)
        missing = self.missing and other.missing
        return Condition(self.column, low, high, levels, known and low < high, missing)

    def holds(self, cells: ArrayLike) -> NDArray[np.bool_]:
        """Return where it holds, for the cells of its column; categories are codes, missing values NaN."""
        cells = np.asarray(cells, dtype=np.float64)  # a cut between two float32 numbers may be neither
        if not self.known:
            within = np.zeros(len(cells), dtype=bool)
        elif self.levels is not None:
            within = np.isin(cells, self.levels)
        elif self.is_bounded:
            within = (cells > self.low) & (cells <= self.high)
        else:
            within = ~np.isnan(cells)
        return within | np.isnan(cells) if self.missing else within


def all_hold(conditions: Iterable[Condition], X: Dense) -> NDArray[np.bool_]:
    """Return for which rows all conditions hold."""
    holds = np.ones(X.shape[0], dtype=bool)
    for condition in conditions:
        holds &= condition.holds(X[:, condition.column])
    return holds
