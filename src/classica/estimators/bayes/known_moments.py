"""Sufficient statistics of columns with missing values: the rows of each class that have the cell.

Like `Moments`, which they are made with, but with a count per class and column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows
from classica.errors import DataError
from classica.estimators.base.moments import settle
from classica.native import Codes, Floats


@dataclass(frozen=True)
class KnownMoments:
    """Per class the weight of its rows; per class and column weight, sum and square sum of known cells."""

    count_pairs: Floats  # (2, classes), high and low parts
    known: Floats  # (2, classes, columns), as are the others
    sums: Floats
    squares: Floats

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each class."""
        high: Floats = self.count_pairs[0]
        return high

    @classmethod
    def of(
        cls, X: MatrixLike, indices: Codes, codes: Codes, groups: int, weights: Floats | None, threads: int
    ) -> KnownMoments:
        """Return the statistics of the rows of some columns of X, grouped by code."""
        chosen = _columns(X, indices)
        counts, sums, squares = native.grouped_moments(chosen, codes, groups, weights, True, threads)
        assert squares is not None  # they were asked for
        known = np.repeat(counts[:, :, None], len(indices), axis=2)
        if np.isnan(sums[0]).any():  # only missing values do that; most tables have none and are read once
            counts, absent, sums, squares = native.grouped_known_moments(
                chosen, codes, groups, weights, threads
            )
            known = subtracted(known, absent)
        _require_finite(squares[0], indices)
        return cls(counts, known, sums, squares)

    def plus(self, other: KnownMoments, sign: float = 1.0) -> KnownMoments:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""
        counts = native.add_pairs(self.count_pairs, other.count_pairs, sign)
        sums = native.add_pairs(self.sums, other.sums, sign)
        squares = native.add_pairs(self.squares, other.squares, sign)
        if sign < 0:
            left = KnownMoments(counts, subtracted(self.known, other.known), sums, squares)
            known, each = left.known.reshape(2, -1), (2, -1, 1)  # every cell is a group of its own
            variances = left.means_and_variances()[1].reshape(-1, 1)
            before = self.squares.reshape(each)
            settle(known, sums.reshape(each), squares.reshape(each), variances, before)
            return left
        return KnownMoments(counts, native.add_pairs(self.known, other.known, sign), sums, squares)

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> KnownMoments:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""
        return KnownMoments(*(classes_spread(pairs, indices, groups) for pairs in self._all()))

    def only(self, kept: NDArray[np.bool_]) -> KnownMoments:
        """Return the statistics of the chosen classes."""
        return KnownMoments(*(np.ascontiguousarray(pairs[:, kept]) for pairs in self._all()))

    def together(self) -> KnownMoments:
        """Return the statistics of all classes as one."""
        return KnownMoments(*(classes_summed(pairs) for pairs in self._all()))

    def means_and_variances(self) -> tuple[Floats, Floats]:
        """Return mean and variance (divisor n) per class and column; zeros where no cell is known."""
        cells = self.known[0].size
        means, variances = native.means_and_variances(
            self.known.reshape(2, cells), self.sums.reshape(2, cells, 1), self.squares.reshape(2, cells, 1)
        )
        assert variances is not None  # there are squares
        return means.reshape(self.known.shape[1:]), variances.reshape(self.known.shape[1:])

    def within_variances(self) -> Floats:
        """Return the variance about the class means of each column, over the classes together."""
        known, variances = self.known[0], self.means_and_variances()[1]
        within: Floats = (known * variances).sum(axis=0) / np.maximum(known.sum(axis=0), np.finfo(float).tiny)
        return within

    def _all(self) -> tuple[Floats, Floats, Floats, Floats]:
        return self.count_pairs, self.known, self.sums, self.squares


def subtracted(pairs: Floats, gone: Floats) -> Floats:
    """Return what is left of counts; what fractional weights leave by rounding is nothing."""
    left = native.add_pairs(pairs, gone, -1.0)
    left[:, abs(left[0]) <= 1e-25 * pairs[0]] = 0.0
    return left


def classes_spread(pairs: Floats, indices: NDArray[np.intp], groups: int) -> Floats:
    """Return double-double numbers with class g at ``places[g]`` of ``groups``."""
    wide = np.zeros((2, groups, *pairs.shape[2:]))
    wide[:, indices] = pairs
    return wide


def classes_summed(pairs: Floats) -> Floats:
    """Return the double-double sum over the classes, as one class."""
    while pairs.shape[1] > 1:
        half = (pairs.shape[1] + 1) // 2
        rest = np.zeros_like(pairs[:, :half])
        rest[:, : pairs.shape[1] - half] = pairs[:, half:]
        pairs = native.add_pairs(np.ascontiguousarray(pairs[:, :half]), rest, 1.0)
    return pairs


def _columns(X: Rows, indices: Codes) -> Any:
    """Return the chosen columns; all of them without a copy, none even of sparse rows."""
    if len(indices) == X.shape[1]:
        return X
    return X[:, indices] if len(indices) else np.empty((X.shape[0], 0))


def _require_finite(squares: Floats, indices: Codes) -> None:
    finite = np.isfinite(squares).all(axis=0)
    if not finite.all():
        column = indices[np.argmin(finite)]
        raise DataError(f"X must have a finite weighted sum of squares, got an overflow in column {column}.")
