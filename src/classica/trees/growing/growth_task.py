"""What a tree is grown and pruned on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.trees.growing.growth import GrowthRules, RowNumbers, Target, TreeTable
from classica.trees.growing.tree import Longs, Tree

#: Beyond it, taking cases one by one would cost more than it is worth.
MOST_CASES_PER_ROW = 20


@dataclass(frozen=True)
class TreeTask:
    """Everything a tree is grown and pruned on."""

    X: Any
    table: TreeTable
    target: Target
    rules: GrowthRules
    threshold: str
    threads: int
    #: Where each of the rows is that were given, -1 for those without weight; None: all are there.
    places: Longs | None = None

    def grow(self, rows: RowNumbers | None = None) -> Tree:
        """Return the tree of some rows (default: all); a row named twice is there twice."""
        return self.table.grow(self.target, self.rules, self.threads, threshold=self.threshold, rows=rows)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.X.shape[0])

    @property
    def divides_rows(self) -> bool:
        """Whether a missing value sends a row into all branches."""
        return self.rules.missing == "fraction"

    def case_by_case(self) -> tuple[TreeTask, Longs]:
        """Return the task in which a row has the weight of one of its cases, and the row of each case.

        Rows that are no whole number of cases are one each, and so are all where the cases are very many.
        """
        target, rows = self.target, np.arange(self.rows)
        if target.cases is None or target.weights is None or (target.cases % 1).any():
            return self, rows
        if target.cases.sum() > MOST_CASES_PER_ROW * self.rows:
            return self, rows
        one = replace(target, weights=target.weights / target.cases, cases=np.ones(self.rows))
        return replace(self, target=one), np.repeat(rows, target.cases.astype(np.int64))


def without(places: Longs | None, kept: NDArray[np.bool_]) -> Longs:
    """Return where each row is once more rows are left out."""
    now = np.where(kept, np.cumsum(kept) - 1, -1)
    return now if places is None else np.where(places < 0, -1, now[places])


def indices_of(weights: Floats | None) -> Longs | None:
    """Return where each row is once rows without weight are left out; -1 for those."""
    if weights is None:
        return None
    counts = weights > 0
    return np.where(counts, np.cumsum(counts) - 1, -1)
