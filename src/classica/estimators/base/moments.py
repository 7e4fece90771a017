"""Sufficient statistics of groups of rows: counts, sums and sums of squares.

They are kept as double-double numbers, so statistics of parts add up to the statistics of the whole,
and taking rows away again leaves no trace: the basis of ``partial_fit``, ``merge`` and ``forget``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike
from classica.errors import DataError
from classica.native import Codes, Floats

#: What is left of a sum of squares after rows were taken away is rounding below this part of it.
ROUNDING = 1e-27


@dataclass(frozen=True)
class Moments:
    """Per group: the weight of its rows; per group and column: the sum and the square sum."""

    count_pairs: Floats  # (2, groups), high and low parts
    sums: Floats  # (2, groups, columns), high and low parts
    squares: Floats | None  # the same, or None where only means are wanted

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each group."""
        high: Floats = self.count_pairs[0]
        return high

    @classmethod
    def of(
        cls,
        X: MatrixLike,
        codes: Codes,
        groups: int,
        *,
        weights: Floats | None = None,
        squares: bool = False,
        threads: int = 1,
    ) -> Moments:
        """Return the statistics of the rows of X, grouped by code."""
        return cls(*native.grouped_moments(X, codes, groups, weights, squares, threads))

    def plus(self, other: Moments, sign: float = 1.0) -> Moments:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""
        counts = native.add_pairs(self.count_pairs, other.count_pairs, sign)
        sums = native.add_pairs(self.sums, other.sums, sign)
        if self.squares is None or other.squares is None:
            return Moments(counts, sums, None)
        both = Moments(counts, sums, native.add_pairs(self.squares, other.squares, sign))
        if sign < 0:
            _, variances = both.means_and_variances()
            assert variances is not None  # there are squares
            settle(counts, sums, both.squares, variances, self.squares)
        return both

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> Moments:
        """Return the same statistics with group g at ``places[g]`` of ``groups``, zero elsewhere."""
        counts = np.zeros((2, groups))
        counts[:, indices] = self.count_pairs
        squares = None if self.squares is None else _at(self.squares, indices, groups)
        return Moments(counts, _at(self.sums, indices, groups), squares)

    def only(self, kept: NDArray[np.bool_]) -> Moments:
        """Return the statistics of the chosen groups."""
        squares = None if self.squares is None else np.ascontiguousarray(self.squares[:, kept])
        counts = np.ascontiguousarray(self.count_pairs[:, kept])
        return Moments(counts, np.ascontiguousarray(self.sums[:, kept]), squares)

    def joined(self, groups: Sequence[NDArray[np.bool_]]) -> Moments:
        """Return the statistics of several groups taken together, once for each choice."""
        squares = None if self.squares is None else joined_pairs(self.squares, groups)
        return Moments(joined_pairs(self.count_pairs, groups), joined_pairs(self.sums, groups), squares)

    def center_and_means(self) -> tuple[Floats, Floats]:
        """Return the mean of all rows, and the group means as seen from there.

        Where the data lie far from zero, differences of means keep digits that means have lost. A group
        without rows is at the center.
        """
        counts = self.counts
        high, low = native.mean_pairs(self.count_pairs, self.sums)
        center = np.einsum("c,cj->j", counts / counts.sum(), high)
        return center, np.where(counts[:, None] > 0, (high - center) + low, 0.0)

    def means_and_variances(self) -> tuple[Floats, Floats | None]:
        """Return mean and (where squares are kept) variance per group and column."""
        return native.means_and_variances(self.count_pairs, self.sums, self.squares)


def _at(pairs: Floats, indices: NDArray[np.intp], groups: int) -> Floats:
    wide = np.zeros((2, groups, pairs.shape[2]))
    wide[:, indices] = pairs
    return wide


def settle(counts: Floats, sums: Floats, squares: Floats | None, variances: Floats, before: Floats) -> None:
    """Make columns constant again where taking rows away has left no more than rounding.

    A variance that is only the rounding of what was there ``before`` would otherwise be taken for small but
    real: a fresh fit has none.
    """
    scatter = variances * counts[0][:, None]
    require_learned(scatter, before[0])
    native.settle(counts, sums, squares, scatter <= ROUNDING * before[0])


def require_learned(scatter: Floats, before: Floats) -> None:
    """Refuse a scatter that only rows which were never there can leave."""
    if (scatter < -1e-20 * before).any():
        column = int(np.argmax((scatter < -1e-20 * before).any(axis=0)))
        raise DataError(
            f"Cannot forget rows that were never learned: column {column} does not match the training rows."
        )


def joined_pairs(pairs: Floats, groups: Sequence[NDArray[np.bool_]]) -> Floats:
    """Return the sums over the chosen places of the second axis, once for each choice."""
    totals = []
    for group in groups:
        total = np.zeros((2, *pairs.shape[2:]))
        for index in np.flatnonzero(group):
            total = native.add_pairs(total, np.ascontiguousarray(pairs[:, index]), 1.0)
        totals.append(total)
    return np.stack(totals, axis=1)
