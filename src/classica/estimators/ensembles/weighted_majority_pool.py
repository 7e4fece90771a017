"""Pools of experts for the weighted majority: what each of them says about rows, and whom to follow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica import native
from classica.arrays import Rows
from classica.estimators.members.member_fits import answers
from classica.native import Codes, Floats


class Pool(Protocol):
    """Experts by number."""

    @property
    def size(self) -> int:
        """How many there are."""

    def answers(self, X: Rows) -> Codes:
        """Return the class each expert (column) says for each row."""

    def shares(self, X: Rows, weights: Floats, classes: int, threads: int) -> Floats:
        """Return the weight of those who say each class, for each row."""

    def answer_of(self, X: Rows, experts: NDArray[np.intp]) -> Codes:
        """Return what one expert for each row says about it."""


@dataclass(frozen=True)
class MemberPool:
    """Classifiers."""

    members: list[Any]
    classes: NDArray[Any]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.members)

    def answers(self, X: Rows) -> Codes:
        """Return the class each member (column) says for each row."""
        return np.column_stack([answers(member, X, self.classes) for member in self.members])

    def shares(self, X: Rows, weights: Floats, classes: int, threads: int) -> Floats:
        """Return the weight of the members that say each class, for each row."""
        each, sums = np.arange(X.shape[0]), np.zeros((X.shape[0], classes))
        for weight, codes in zip(weights, self.answers(X).T, strict=True):
            sums[each, codes] += weight
        return sums

    def answer_of(self, X: Rows, experts: NDArray[np.intp]) -> Codes:
        """Return what one member for each row says about it."""
        predicted: Codes = self.answers(X)[np.arange(X.shape[0]), experts]
        return predicted


@dataclass(frozen=True)
class ColumnPool:
    """Experts that look at one column: class a where it is above its cut, else class b.

    There is one for each column and each ordered pair of different classes, so each cut is tried either way.
    Experts are numbered by column, then by a, then by b.
    """

    cuts: Floats
    classes: int

    @classmethod
    def of(cls, X: Rows, classes: int, threads: int) -> ColumnPool:
        """Return the experts of a table: each column is cut in the middle of its distinct values."""
        indices = np.arange(X.shape[1], dtype=np.int32)
        cuts = [_middle(values) for values in native.distinct_values(_dense(X), indices, threads)]
        return cls(np.array(cuts), classes)

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.cuts) * max(self.classes * (self.classes - 1), 1)

    @cached_property
    def pairs(self) -> Codes:
        """The classes above and below of the experts of a column; of a single class just this."""
        above, below = np.divmod(np.arange(self.classes**2, dtype=np.int32), np.int32(self.classes))
        differ = above != below if self.classes > 1 else np.ones(1, dtype=bool)
        return np.column_stack([above[differ], below[differ]])

    def answers(self, X: Rows) -> Codes:
        """Return the class each expert (column) says for each row."""
        above, below = self.pairs.T
        predicted = np.where(self._is_above(X)[:, :, None], above, below)
        flat: Codes = predicted.reshape(X.shape[0], self.size)
        return flat

    def shares(self, X: Rows, weights: Floats, classes: int, threads: int) -> Floats:
        """Return the weight of those who say each class, for each row."""
        per_column, pairs = weights.reshape(len(self.cuts), -1), self.pairs
        sides = np.zeros((2, classes, len(self.cuts)))
        for side in (0, 1):
            np.add.at(sides[side], pairs[:, side], per_column.T)
        above = self._is_above(X)
        rows = np.concatenate([above, ~above], axis=1).astype(np.float32)
        model = np.zeros(rows.shape[1]), np.concatenate(list(sides), axis=1), np.zeros(classes)
        return native.linear_scores(rows, model, threads)

    def answer_of(self, X: Rows, experts: NDArray[np.intp]) -> Codes:
        """Return what one expert for each row says about it."""
        pairs = self.pairs
        columns, ways = np.divmod(experts, len(pairs))
        is_above = self._is_above(X)[np.arange(X.shape[0]), columns]
        predicted: Codes = np.where(is_above, pairs[ways, 0], pairs[ways, 1])
        return predicted

    def _is_above(self, X: Rows) -> NDArray[np.bool_]:
        above: NDArray[np.bool_] = _dense(X) > self.cuts
        return above


def _dense(X: Any) -> Any:
    return X.toarray() if sp.issparse(X) else X


def _middle(values: Floats) -> float:
    """Return what lies midway between the middle two of distinct values."""
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    if low == high:  # an odd number of them: cut above the middle one, if there is one above
        high = values[min(len(values) // 2 + 1, len(values) - 1)]
    return float(low + (high / 2 - low / 2))
