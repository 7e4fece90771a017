"""Drop the conditions a rule is no better for (Quinlan 1993, section 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from classica.arrays import Dense
from classica.native import Codes, Floats
from classica.native.pruned_trees import count_rules
from classica.trees.growing.group_sums import group_sums
from classica.trees.growing.tree import Longs
from classica.trees.pruning.pessimistic_error import pessimistic_errors
from classica.trees.ruling.condition import Condition

Mask = NDArray[np.bool_]

#: The class of a rule, and what it asks.
CodedPath = tuple[int, Sequence[Condition]]

#: As many cells are looked at at a time, and as many are remembered.
_MOST_CELLS = 1 << 24


def simplified(
    conditions: Iterable[Condition], X: Dense, weights: Floats, wrong: Floats, confidence: float
) -> tuple[Condition, ...]:
    """Return the conditions that are left when dropping one more would raise the pessimistic error rate.

    The condition whose loss is best goes first; of equal ones the first.

    Parameters
    ----------
    conditions : iterable of Condition
        What the rule asks.
    X : ndarray of shape (n_samples, n_features)
        The rows.
    weights, wrong : ndarrays of shape (n_samples,)
        How much each row weighs, and how much of that the rule gets wrong if it holds.
    confidence : float
        Of the pessimistic error.
    """
    parts = halves(conditions)
    fails = [~part.holds(X[:, part.column]) for part in parts]
    # Which conditions fail is only asked where one does: a count and a sum of places tell it.
    failing, index = np.zeros(len(X), dtype=np.int32), np.zeros(len(X), dtype=np.int32)
    for number, failed in enumerate(fails):
        failing += failed
        index += failed * np.int32(number)
    left = dict(enumerate(parts))
    while left:
        rates = _rates(failing, index, len(parts), weights, wrong, confidence)
        dropped = min(left, key=lambda number: rates[number])
        if rates[dropped] > rates[-1]:
            break
        failing -= fails[dropped]
        index -= fails[dropped] * np.int32(dropped)
        del left[dropped]
    return joined(left.values())


class RulesTogether:
    """Many rules simplified at once, each as `simplified` would, for weights whose sums are exact.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    codes, weights : ndarrays of shape (n_samples,)
        Their classes, and how much each weighs.
    confidence : float
        Of the pessimistic error.
    threads : int
        How many threads count.
    """

    def __init__(self, X: Dense, codes: Codes, weights: Floats, confidence: float, threads: int) -> None:
        self._X, self._codes, self._weights = X, codes, weights
        self._confidence, self._threads = confidence, threads
        self._masks: dict[Condition, Mask] = {}

    def simplified(self, rules: Sequence[CodedPath]) -> Iterator[tuple[Condition, ...]]:
        """Yield what is left of the conditions of each rule; a rule is its class and its conditions."""
        some: list[CodedPath] = []
        most, held = _MOST_CELLS // max(len(self._X), 1), 0
        for answer, conditions in rules:
            some.append((answer, halves(conditions)))
            held += len(some[-1][1])
            if held >= most:
                yield from self._some(some)
                some, held = [], 0
        yield from self._some(some)

    def _some(self, rules: list[CodedPath]) -> Iterator[tuple[Condition, ...]]:
        answers = np.array([answer for answer, _ in rules], dtype=np.int32)
        starts = np.cumsum([0, *(len(parts) for _, parts in rules)], dtype=np.int64)
        fails = np.empty((int(starts[-1]), len(self._X)), dtype=bool)
        for row, part in zip(fails, (part for _, parts in rules for part in parts), strict=True):
            row[:] = self._fails(part)
        asked = np.ones(len(fails), dtype=bool)
        going = np.flatnonzero(np.diff(starts))
        while len(going):
            dropped, worse = self._best_drops(fails, asked, starts, answers, going)
            asked[dropped[~worse]] = False
            some_left = np.array([asked[starts[r] : starts[r + 1]].any() for r in going])
            going = going[~worse & some_left]
        for start, (_, parts) in zip(starts, rules, strict=False):
            yield joined(part for part, kept in zip(parts, asked[start:], strict=False) if kept)

    def _best_drops(
        self, fails: Mask, asked: Mask, starts: Longs, answers: Codes, going: Longs
    ) -> tuple[Longs, Mask]:
        """Return the condition that each rule can best do without, and whether it is worse off then."""
        lengths = starts[going + 1] - starts[going]
        indices = np.concatenate([np.arange(starts[r], starts[r + 1]) for r in going])
        begin = np.concatenate([[0], np.cumsum(lengths)])
        part = fails if len(indices) == len(fails) else fails[indices]
        counted = count_rules(
            part.view(np.uint8),
            asked[indices].view(np.uint8),
            begin,
            answers[going],
            self._codes,
            self._weights,
            self._threads,
        )
        rates = _error_rates(*counted, self._confidence)
        ends = begin[1:] + np.arange(len(going))  # where the rate with all conditions is
        without = np.where(asked[indices], np.delete(rates, ends), np.inf)
        first_best = np.array(
            [start + int(without[start:end].argmin()) for start, end in pairwise(begin.tolist())]
        )
        return indices[first_best], without[first_best] > rates[ends]

    def _fails(self, part: Condition) -> Mask:
        mask = self._masks.get(part)
        if mask is None:
            if len(self._masks) * len(self._X) >= _MOST_CELLS:
                self._masks.clear()
            mask = self._masks[part] = ~part.holds(self._X[:, part.column])
        return mask


def _rates(
    failing: Codes, index: Codes, parts: int, weights: Floats, wrong: Floats, confidence: float
) -> Floats:
    """Return the pessimistic error rate without each condition and, last, with all of them."""
    covered, almost = failing == 0, np.flatnonzero(failing == 1)
    cases = group_sums(index[almost], weights[almost], parts + 1)
    errors = group_sums(index[almost], wrong[almost], parts + 1)
    cases += weights[covered].sum()
    errors += wrong[covered].sum()
    return _error_rates(cases, errors, confidence)


def _error_rates(cases: Floats, errors: Floats, confidence: float) -> Floats:
    """Return pessimistic error rates; that of no cases is 1."""
    some = np.where(cases > 0, cases, 1.0)
    rates: Floats = np.where(cases > 0, pessimistic_errors(cases, errors, confidence) / some, 1.0)
    return rates


def halves(conditions: Iterable[Condition]) -> list[Condition]:
    """Return conditions in which an interval has become two, that can be dropped one by one."""
    parts = []
    for one in conditions:
        if one.low > -np.inf and one.high < np.inf:
            parts += [replace(one, high=np.inf), replace(one, low=-np.inf)]
        else:
            parts.append(one)
    return parts


def joined(parts: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return one condition per column, in the order of the columns."""
    by_column: dict[int, Condition] = {}
    for part in parts:
        condition = by_column.get(part.column)
        by_column[part.column] = part if condition is None else condition.meet(part)
    return tuple(by_column[column] for column in sorted(by_column))
