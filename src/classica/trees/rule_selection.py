"""Choose the rules of a class that describe its rows in the fewest bits (Quinlan 1993, section 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from classica.native import Floats
from classica.trees.condition import Condition

#: Rules can be written in many ways, so their bits count only half against those of the exceptions.
THEORY_WEIGHT = 0.5

Mask = NDArray[np.bool_]


def rule_bits(conditions: Sequence[Condition], values: Sequence[int]) -> float:
    """Return what a rule costs: which columns, which cuts or levels; the order of conditions is free.

    ``values`` are the different values or levels of each column.
    """
    bits = -_log2_factorial(len(conditions))
    for one in conditions:
        different = max(values[one.column], 2)
        bits += np.log2(max(len(values), 1))
        if one.levels is not None:
            bits += np.log2(different) if len(one.levels) == 1 else different
        else:
            bounds = int(one.low > -np.inf) + int(one.high < np.inf)
            bits += bounds * (1 + np.log2(different - 1))
    return float(max(bits, 0.0))


class RuleChoice:
    """Which rules of one class to keep: the sum of bits for rules and for exceptions is to be small.

    Exceptions are rows of other classes that a rule holds for, and rows of the class that none holds for:

        log2 C(covered, false positives) + log2 C(others, false negatives)
    """

    def __init__(self, covers: Any, bits: Floats, of_class: Mask, weights: Floats) -> None:
        self._covers, self._rows = covers, covers.T  # sparse: a row per rule, a row per row of the table
        self._bits = bits
        self._right, self._wrong = weights * of_class, weights * ~of_class

    def best(self) -> Mask:
        """Return the cheaper of what is found from no rule and from all rules; of equal ones the former."""
        none = np.zeros(len(self._bits), dtype=bool)
        found = [self._improved(none), self._improved(~none)]
        costs = [self.cost(chosen) for chosen in found]
        return found[0] if costs[0] <= costs[1] + 1e-9 else found[1]

    def cost(self, chosen: Mask) -> float:
        """Return the bits of a choice."""
        covered = self._rows @ chosen.astype(np.float64) > 0
        theory = self._bits[chosen].sum()
        return float(self._cost(chosen.sum(), theory, self._right[covered].sum(), self._wrong[covered].sum()))

    def _improved(self, chosen: Mask) -> Mask:
        """Return a choice that no single rule more or less makes cheaper; the best change comes first."""
        chosen = chosen.copy()
        times = self._rows @ chosen.astype(np.float64)
        cost = self.cost(chosen)
        while len(chosen):
            costs = self._costs_after_a_change(chosen, times)
            rule = int(costs.argmin())
            if not costs[rule] < cost - 1e-9:
                break
            cost = float(costs[rule])
            chosen[rule] = not chosen[rule]
            row = self._covers.indices[self._covers.indptr[rule] : self._covers.indptr[rule + 1]]
            times[row] += 1.0 if chosen[rule] else -1.0
        return chosen

    def _costs_after_a_change(self, chosen: Mask, times: Floats) -> Floats:
        sign = np.where(chosen, -1.0, 1.0)
        sums = []
        for part in (self._right, self._wrong):
            gained, lost = self._covers @ (part * (times == 0)), self._covers @ (part * (times == 1))
            sums.append(part[times > 0].sum() + np.where(chosen, -lost, gained))
        theory = self._bits[chosen].sum() + sign * self._bits
        costs: Floats = self._cost(chosen.sum() + sign, theory, *sums)
        return costs

    def _cost(self, rules: Any, theory: Any, right: Any, wrong: Any) -> Any:
        covered, others = right + wrong, self._right.sum() + self._wrong.sum() - right - wrong
        exceptions = _log2_choose(covered, wrong) + _log2_choose(others, self._right.sum() - right)
        return THEORY_WEIGHT * np.maximum(theory - _log2_factorial(rules), 0.0) + exceptions


def _log2_factorial(n: Any) -> Any:
    return gammaln(np.maximum(n, 0.0) + 1.0) / np.log(2.0)


def _log2_choose(n: Any, k: Any) -> Any:
    return _log2_factorial(n) - _log2_factorial(k) - _log2_factorial(n - k)
