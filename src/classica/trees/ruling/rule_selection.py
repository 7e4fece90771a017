"""Choose the rules of a class that describe its rows in the fewest bits (Quinlan 1993, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import gammaln

from classica.native import Floats
from classica.trees.ruling.condition import Condition

#: Rules can be written in many ways, so their bits count only half against those of the exceptions.
THEORY_WEIGHT = 0.5
#: Sums of fewer whole cases are exact in any order, and a table of their factorials fits.
_MOST_CASES = 1 << 22

Mask = NDArray[np.bool_]
#: One number, or one for each of several choices.
Amounts = float | Floats


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


def sums_are_exact(weights: Floats) -> bool:
    """Return whether weights are whole and few, so that the order in which they are added does not matter."""
    return bool((weights % 1 == 0).all() and weights.sum() < _MOST_CASES)


class RuleChoice:
    """Which rules of one class to keep: the sum of bits for rules and for exceptions is to be small.

    Exceptions are rows of other classes that a rule holds for, and rows of the class that none holds for:

        log2 C(covered, false positives) + log2 C(others, false negatives)
    """

    def __init__(self, covers: sp.csr_matrix, bits: Floats, of_class: Mask, weights: Floats) -> None:
        self._covers, self._rows = covers, covers.T.tocsr()  # a row per rule, a row per row of the table
        self._bits = bits
        self._right, self._wrong = weights * of_class, weights * ~of_class
        self._of_class, self._all = self._right.sum(), self._right.sum() + self._wrong.sum()
        self._sums_are_exact = sums_are_exact(weights)
        self._log2_factorial = _factorials(self._all) if self._sums_are_exact else _log2_factorial

    def best(self) -> Mask:
        """Return the cheaper of what is found from no rule and from all rules; of equal ones the former."""
        none = np.zeros(len(self._bits), dtype=bool)
        choices = [self._improved(none), self._improved(~none)]
        costs = [self.cost(chosen) for chosen in choices]
        return choices[0] if costs[0] <= costs[1] + 1e-9 else choices[1]

    def cost(self, chosen: Mask) -> float:
        """Return the bits of a choice."""
        covered = self._rows @ chosen.astype(np.float64) > 0
        theory = self._bits[chosen].sum()
        return float(self._cost(chosen.sum(), theory, self._right[covered].sum(), self._wrong[covered].sum()))

    def _improved(self, chosen: Mask) -> Mask:
        """Return a choice that no single rule more or less makes cheaper; the best change comes first."""
        chosen = chosen.copy()
        times = self._rows @ chosen.astype(np.float64)
        cost, sums = self.cost(chosen), self._sums(times)
        while len(chosen):
            costs = self._costs_after_a_change(chosen, sums)
            rule = int(costs.argmin())
            if not costs[rule] < cost - 1e-9:
                break
            cost = float(costs[rule])
            chosen[rule] = not chosen[rule]
            rows = self._covers.indices[self._covers.indptr[rule] : self._covers.indptr[rule + 1]]
            before = times[rows]
            times[rows] += 1.0 if chosen[rule] else -1.0
            if self._sums_are_exact:
                self._update(sums, rows, before, times[rows])
            else:
                sums = self._sums(times)
        return chosen

    def _sums(self, times: Floats) -> list[_Sums]:
        """Return the sums over rows of the class and over others, where so many rules hold for each row."""
        return [
            _Sums(
                self._covers @ (part * (times == 0)),
                self._covers @ (part * (times == 1)),
                part[times > 0].sum(),
            )
            for part in (self._right, self._wrong)
        ]

    def _update(
        self, sums: list[_Sums], rows: NDArray[np.integer[Any]], before: Floats, after: Floats
    ) -> None:
        """Bring sums of whole numbers up to date where rules hold for some rows once more or less."""
        starts, ends = self._rows.indptr[rows], self._rows.indptr[rows + 1]
        counts = ends - starts
        indices = np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)
        rules = self._rows.indices[indices]
        none, once = ((after == k) * 1.0 - (before == k) for k in (0, 1))
        for part, own in zip((self._right, self._wrong), sums, strict=True):
            weights = part[rows]
            own.gained += np.bincount(rules, np.repeat(weights * none, counts), minlength=len(self._bits))
            own.lost += np.bincount(rules, np.repeat(weights * once, counts), minlength=len(self._bits))
            own.covered -= (weights * none).sum()

    def _costs_after_a_change(self, chosen: Mask, sums: list[_Sums]) -> Floats:
        sign = np.where(chosen, -1.0, 1.0)
        covered = [own.covered + np.where(chosen, -own.lost, own.gained) for own in sums]
        theory = self._bits[chosen].sum() + sign * self._bits
        costs: Floats = self._cost(chosen.sum() + sign, theory, *covered)
        return costs

    def _cost(self, rules: Amounts, theory: Amounts, right: Amounts, wrong: Amounts) -> Any:
        covered, others = right + wrong, self._all - right - wrong
        exceptions = self._log2_choose(covered, wrong) + self._log2_choose(others, self._of_class - right)
        return THEORY_WEIGHT * np.maximum(theory - _log2_factorial(rules), 0.0) + exceptions

    def _log2_choose(self, n: Amounts, k: Amounts) -> Any:
        return self._log2_factorial(n) - self._log2_factorial(k) - self._log2_factorial(n - k)


@dataclass
class _Sums:
    """Of the weights of some rows: what each rule would add alone, what it alone covers, what all cover."""

    gained: Floats
    lost: Floats
    covered: float


def _factorials(most: float) -> Callable[[Amounts], Any]:
    """Return the same function for whole numbers up to the largest there will be, from a table."""
    table = _log2_factorial(np.arange(int(most) + 1, dtype=np.float64))

    def log2_factorial(n: Amounts) -> Any:
        return table[np.maximum(n, 0.0).astype(np.intp)]

    return log2_factorial


def _log2_factorial(n: Amounts) -> Any:
    return gammaln(np.maximum(n, 0.0) + 1.0) / np.log(2.0)
