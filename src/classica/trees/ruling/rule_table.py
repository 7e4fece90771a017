"""Many rules as arrays, so that rows find the first one that holds quickly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.arrays import Dense
from classica.native import Floats
from classica.trees.ruling.condition import Condition
from classica.trees.ruling.rule import Rule

#: Cells looked at in one go.
CELLS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class RuleTable:
    """The conditions of all rules, one behind the other; missing values meet none of them."""

    #: Where the conditions of each rule start.
    starts: NDArray[np.intp]
    column: NDArray[np.intp]
    low: Floats
    high: Floats
    #: The conditions on categories, and for each of them which codes will do.
    on_categories: NDArray[np.intp]
    allowed: NDArray[np.bool_]

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> RuleTable:
        """Return the table of rules that have a condition each at least."""
        conditions = [condition for rule in rules for condition in rule.conditions]
        counts = [len(rule.conditions) for rule in rules]
        on_categories = [index for index, one in enumerate(conditions) if one.levels is not None]
        return cls(
            starts=np.cumsum([0, *counts])[:-1].astype(np.intp),
            column=np.array([one.column for one in conditions], dtype=np.intp),
            low=np.array([one.low for one in conditions], dtype=np.float64),
            high=np.array([one.high for one in conditions], dtype=np.float64),
            on_categories=np.array(on_categories, dtype=np.intp),
            allowed=_allowed([conditions[index] for index in on_categories]),
        )

    def first(self, X: Dense) -> NDArray[np.intp]:
        """Return the first rule that holds for each row; the number of rules where none does."""
        first = np.full(X.shape[0], len(self.starts), dtype=np.intp)
        if not len(self.starts):
            return first
        step = max(1, CELLS_AT_ONCE // len(self.column))
        for start in range(0, X.shape[0], step):
            holds = np.logical_and.reduceat(self._holds(X[start : start + step]), self.starts, axis=1)
            some = holds.any(axis=1)
            first[start : start + step][some] = holds[some].argmax(axis=1)
        return first

    def _holds(self, X: Dense) -> NDArray[np.bool_]:
        cells = np.asarray(X, dtype=np.float64)[:, self.column]
        holds: NDArray[np.bool_] = (cells > self.low) & (cells <= self.high)
        if len(self.on_categories):
            codes = cells[:, self.on_categories]
            valid = (codes >= 0) & (codes < self.allowed.shape[1])
            indices = np.where(valid, codes, 0).astype(np.intp)
            holds[:, self.on_categories] = valid & self.allowed[np.arange(len(self.allowed)), indices]
        return holds


def _allowed(conditions: Sequence[Condition]) -> NDArray[np.bool_]:
    most = max((max(one.levels or (0,)) for one in conditions), default=0) + 1
    allowed = np.zeros((len(conditions), most), dtype=bool)
    for row, one in zip(allowed, conditions, strict=True):
        row[list(one.levels or ())] = True
    return allowed
