"""What the models of a race are trained and tested on: parts of the outer folds that grow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.splits import Rows, Splits
from classica.evaluation.stratified_order import ordered_splits

#: Training rows of the first stage, and how fast stages grow. At that size all models together take a second
#: or two; where work grows with the rows, a factor of four keeps all stages before the last below a third.
FIRST, GROWTH = 1000, 4
#: Rows of every class that the first stage should have.
_ROWS_PER_CLASS = 20
#: Cells of the first stage: of a thousand columns a few hundred rows are enough for a first look.
_CELLS, _FEWEST = 400_000, 300
#: Test rows of a fold before the last stage: more of them take time and tell little.
_TEST_ROWS = 2000
#: Test rows of all folds together that tell models apart; as many folds as that takes are looked at first.
_TELLING = 200


@dataclass(frozen=True)
class Stage:
    """Training sets of one size.

    Attributes
    ----------
    number : int
        Which one, from 0.
    rows : int
        The rows of a training set; in the last stage all that a fold has.
    folds : tuple of int
        The folds that are looked at.
    is_last : bool
        Whether the training sets are whole.
    """

    number: int
    rows: int
    folds: tuple[int, ...]
    is_last: bool


class Stages:
    """The stages of a race on one table.

    Every stage is made of the outer folds: its training set is the beginning of a fold's training rows, in an
    order that keeps the shares of the classes, so that a smaller one lies within a larger one and no row that
    is tested on is ever learned from by what predicts it.

    Parameters
    ----------
    splits : list of (train, test)
        The outer folds.
    y : ndarray
        The labels of all rows.
    columns : int
        How many columns there are to learn from.
    seed : int
        Random seed.
    in_order : bool, default=False
        Whether rows follow one another in time: then the last ones of a training set are taken, not any.
    """

    def __init__(
        self, splits: Splits, y: NDArray[Any], columns: int, seed: int, *, in_order: bool = False
    ) -> None:
        self._splits, self._y, self._seed, self._in_order = splits, y, seed, in_order
        self._columns = max(columns, 1)

    @cached_property
    def all(self) -> tuple[Stage, ...]:
        """The stages, the smallest training sets first."""
        whole = min(len(train) for train, _ in self._splits)
        first = self._first_size()
        sizes = [size for size in _powers(first, GROWTH, whole) if size < whole / 2]
        few = self._first_folds()
        before = [Stage(number, size, few, is_last=False) for number, size in enumerate(sizes)]
        return *before, Stage(len(before), whole, tuple(range(len(self._splits))), is_last=True)

    def rows(self, stage: Stage, fold: int) -> tuple[Rows, Rows]:
        """Return the training and the test rows of a fold at a stage."""
        train, test = self._ordered[fold]
        if stage.is_last:
            return self._splits[fold]
        part = train[-stage.rows :] if self._in_order else train[: stage.rows]
        return np.sort(part), np.sort(test[:_TEST_ROWS])

    @cached_property
    def _ordered(self) -> Splits:
        """The folds with their rows in an order of which any beginning will do."""
        if self._in_order:
            return self._splits
        trained = ordered_splits(self._splits, self._y, self._seed)
        tested = ordered_splits([(test, train) for train, test in self._splits], self._y, self._seed + 1)
        return [(train, test) for (train, _), (test, _) in zip(trained, tested, strict=True)]

    def _first_size(self) -> int:
        classes = len(np.unique(self._y))
        by_cells = max(_FEWEST, min(FIRST, _CELLS // self._columns))
        return max(by_cells, min(_ROWS_PER_CLASS * classes, 2 * FIRST))

    def _first_folds(self) -> tuple[int, ...]:
        """Return two folds, or as many as it takes to have enough test rows."""
        tested = np.cumsum([len(test) for _, test in self._splits])
        enough = int(np.searchsorted(tested, _TELLING)) + 1
        return tuple(range(min(max(2, enough), len(self._splits))))


def _powers(first: int, growth: int, below: int) -> list[int]:
    """Return sizes that grow by a factor, up to a limit.

    Examples
    --------
    >>> _powers(1000, 4, 20_000)
    [1000, 4000, 16000]
    """
    sizes = []
    while first < below:
        sizes.append(first)
        first *= growth
    return sizes
