"""Drop the conditions a rule is no better for (Quinlan 1993, section 5.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from classica.native import Floats
from classica.trees.condition import Condition
from classica.trees.group_sums import group_sums
from classica.trees.pessimistic_error import pessimistic_errors


def simplified(
    conditions: Iterable[Condition], X: Any, weights: Floats, wrong: Floats, confidence: float
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
    failing, place = np.zeros(len(X), dtype=np.int32), np.zeros(len(X), dtype=np.int32)
    for number, failed in enumerate(fails):
        failing += failed
        place += failed * np.int32(number)
    left = dict(enumerate(parts))
    while left:
        rates = _rates(failing, place, len(parts), weights, wrong, confidence)
        dropped = min(left, key=lambda number: rates[number])
        if rates[dropped] > rates[-1]:
            break
        failing -= fails[dropped]
        place -= fails[dropped] * np.int32(dropped)
        del left[dropped]
    return joined(left.values())


def _rates(failing: Any, place: Any, parts: int, weights: Floats, wrong: Floats, confidence: float) -> Floats:
    """Return the pessimistic error rate without each condition and, last, with all of them."""
    covered, almost = failing == 0, np.flatnonzero(failing == 1)
    cases = group_sums(place[almost], weights[almost], parts + 1)
    errors = group_sums(place[almost], wrong[almost], parts + 1)
    cases += weights[covered].sum()
    errors += wrong[covered].sum()
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
        known = by_column.get(part.column)
        by_column[part.column] = part if known is None else known.meet(part)
    return tuple(by_column[column] for column in sorted(by_column))
