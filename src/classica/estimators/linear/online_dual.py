"""Perceptrons in the space of a kernel: all that is known of a binary classifier is its score of every row.

For kernels that only Python knows. Those of the core are learned with there, the same way and to the same
bits, some presentations at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from classica.arrays import Rows
from classica.estimators.base.kernel_functions import Kernel
from classica.native import Floats
from classica.native.online_learners import Longs

#: As many kernel values are kept.
_MOST_VALUES = 1 << 25
#: How many presentations are looked at first for the next mistake; then twice as many, and so on.
_FIRST_LOOK = 64


def room_for_columns(rows: int) -> int:
    """Return of how many rows the kernel with so many is kept."""
    return max(1, _MOST_VALUES // max(rows, 1))


class GramColumns:
    """The kernel of single rows with all rows of a table, kept for the binary classifiers that ask again."""

    def __init__(self, kernel: Kernel, X: Rows, threads: int) -> None:
        self._kernel, self._rows, self._threads = kernel, kernel.rows(X), threads
        self._room = room_for_columns(X.shape[0])
        self._kept: dict[int, Floats] = {}

    def of(self, row: int) -> Floats:
        """Return the kernel of a row with every row."""
        column = self._kept.get(row)
        if column is None:
            column = self._kernel.matrix(self._rows[row : row + 1], self._rows, self._threads)[0]
            if len(self._kept) < self._room:
                self._kept[row] = column
        return column


@dataclass(frozen=True)
class DualRun:
    """A binary classifier after training: its mistakes per epoch, the rows that changed it, and when."""

    mistakes: list[int]
    converged: bool
    rows: Longs
    times: Longs


def train_dual(
    columns: GramColumns,
    scores: Floats,
    sides: Floats,
    order_of: Callable[[int], Longs],
    epochs: int,
    seen: int,
    zero: int,
    offset: float,
) -> DualRun:
    """Present rows to one binary classifier until an epoch without mistakes; each of them changes all scores.

    Parameters
    ----------
    columns : GramColumns
        The kernel of all rows.
    scores : array of shape (n_rows,)
        The binary classifier's score of each row at the beginning; changed in place.
    sides : array of shape (n_rows,)
        1 or -1 for the side of a row.
    order_of : function of an epoch
        The rows in their order.
    epochs : int
        Maximum number of epochs.
    seen : int
        Presentations before.
    zero : int
        What a score of zero speaks for: 1, or (a mistake) 0.
    offset : float
        Added to the kernel.
    """
    mistakes: list[int] = []
    rows: list[int] = []
    times: list[int] = []
    for epoch in range(epochs):
        order, before, index = order_of(epoch), len(rows), 0
        while (index := _next_mistake(scores, sides, order, index, zero)) < len(order):
            row = int(order[index])
            scores += sides[row] * (columns.of(row) + offset)
            rows.append(row)
            times.append(seen + index)
            index += 1
        seen += len(order)
        mistakes.append(len(rows) - before)
        if not mistakes[-1]:
            break
    return DualRun(mistakes, not mistakes[-1], np.array(rows, np.int64), np.array(times, np.int64))


def _next_mistake(scores: Floats, sides: Floats, order: Longs, start: int, zero: int) -> int:
    """Return the index of the first presentation from `start` on whose score is on the wrong side."""
    look = _FIRST_LOOK
    while start < len(order):
        rows = order[start : start + look]
        agreement = sides[rows] * scores[rows]
        wrong = ~(agreement > 0)
        if zero:
            wrong &= (agreement != 0) | (sides[rows] < 0)
        first = int(wrong.argmax())
        if wrong[first]:
            return start + first
        start, look = start + look, 2 * look
    return len(order)
