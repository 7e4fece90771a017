"""One rule: if some conditions hold, then an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import Dense
from classica.trees.ruling.condition import Condition, all_hold


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, the answer.

    Attributes
    ----------
    conditions : tuple of Condition
        At most one per column; none for a rule that always holds.
    answer : object
        The label, or the number.
    cases, errors : float
        How many training rows it is about, and how many of them it gets wrong (for numbers, the sum of
        deviations).
    confidence : float or None
        One less the pessimistic error rate; None for numbers.
    """

    conditions: tuple[Condition, ...]
    answer: Any
    cases: float
    errors: float
    confidence: float | None = None

    def holds(self, X: Dense) -> NDArray[np.bool_]:
        """Return for which rows it holds; categories are codes, missing values NaN."""
        return all_hold(self.conditions, X)
