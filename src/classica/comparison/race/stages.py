"""What the models of a race are trained and tested on: parts of the outer folds that grow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.splits import Rows, Splits
from classica.statistics.stratified_order import ordered_splits

#: Training rows of the first stage, and how fast stages grow. At that size all models together take a second
#: or two; where work grows with the rows, a factor of four keeps all stages before the last below a third.
FIRST, GROWTH = 1000, 4
#: The last stage has at least so many times the rows of the one before.
_LAST_STEP = 1.6
#: Rows of every class that the first stage should have.
_ROWS_PER_CLASS = 20
#: Cells of the first stage: of a thousand columns a few hundred rows are enough for a first look.
_CELLS, _FEWEST = 400_000, 300
#: Test rows of a fold before the last stage: more of them take time and tell little.
_TEST_ROWS = 2000
#: Test rows of a fold in the last stage: of a million rows these tell scores to a few hundredths of a point.
_MOST_TEST_ROWS = 20_000
#: Test rows of all folds together that tell models apart; as many folds as that takes are looked at first.
_TELLING = 200
#: Test rows that tell grid points apart: tuning goes on over more folds until it has seen as many.
_TUNING_ROWS = 4000


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
        The class of every row, as a label or a code.
    columns : int
        How many columns there are to learn from.
    seed : int
        Random seed.
    in_order : bool, default=False
        Whether rows follow one another in time: then the last ones of a training set are taken, not any.
    repeats : int, default=1
        How often all rows are tested on: the folds of one repeat after those of another.
    most : int, optional
        The most training rows there is room for in memory; the last stage has no more.
    """

    def __init__(
        self,
        splits: Splits,
        y: NDArray[Any],
        columns: int,
        seed: int,
        *,
        in_order: bool = False,
        repeats: int = 1,
        most: int | None = None,
    ) -> None:
        self._splits, self._y, self._seed, self._in_order = splits, y, seed, in_order
        self._once, self._most = max(1, len(splits) // repeats), most
        self._columns = max(columns, 1)
        self._orders: dict[tuple[int, int], Rows] = {}

    @cached_property
    def all(self) -> tuple[Stage, ...]:
        """The stages, the smallest training sets first."""
        whole = min(len(train) for train, _ in self._splits)
        whole = whole if self._most is None else min(whole, self._most)
        first = self._first_size()
        sizes = [size for size in _powers(first, GROWTH, whole) if size < whole / _LAST_STEP]
        before = [Stage(number, size, self.first_folds, is_last=False) for number, size in enumerate(sizes)]
        return *before, Stage(len(before), whole, tuple(range(len(self._splits))), is_last=True)

    def rows(self, stage: Stage, fold: int, *, all_tests: bool = False) -> tuple[Rows, Rows]:
        """Return the training and the test rows of a fold at a stage.

        ``all_tests``: the test rows of the last stage, whatever the size of the training set, so that a model
        that is too slow for more training rows is judged on the same rows as the others.
        """
        train = self._order(fold, 0)
        if not stage.is_last or self._most is not None:
            train = train[-stage.rows :] if self._in_order else train[: stage.rows]
        return np.sort(train), self.tests(stage, fold, all_tests=all_tests)

    def tests(self, stage: Stage, fold: int, *, all_tests: bool = False) -> Rows:
        """Return the test rows of a fold at a stage, see `rows`."""
        most = _MOST_TEST_ROWS if all_tests or stage.is_last else _TEST_ROWS
        return np.sort(self._order(fold, 1)[:most])

    @cached_property
    def tested(self) -> Rows:
        """All rows that the last stage tests on."""
        last = self.all[-1]
        return np.unique(np.concatenate([self.tests(last, fold) for fold in last.folds]))

    @cached_property
    def tuning_folds(self) -> tuple[int, ...]:
        """The folds of the first repeat that tuning at the last stage looks at, the first ones first."""
        return self._as_many_as(_TUNING_ROWS)

    @cached_property
    def first_folds(self) -> tuple[int, ...]:
        """The folds that every stage looks at."""
        return self._as_many_as(_TELLING)

    def _order(self, fold: int, side: int) -> Rows:
        """Return the training (0) or test (1) rows of a fold in an order of which any beginning will do.

        Fold by fold, when it is asked for: of a million rows a worker needs few of these orders.
        """
        if self._in_order:
            return self._splits[fold][side]
        if (fold, side) not in self._orders:
            rows = self._splits[fold][side]
            seed = int(np.random.default_rng([self._seed, fold, side]).integers(2**31))
            ((order, _),) = ordered_splits([(rows, rows[:0])], self._y, seed)
            self._orders[fold, side] = order
        return self._orders[fold, side]

    def _first_size(self) -> int:
        classes = len(np.unique(self._y))
        by_cells = max(_FEWEST, min(FIRST, _CELLS // self._columns))
        return max(by_cells, min(_ROWS_PER_CLASS * classes, 2 * FIRST))

    def _as_many_as(self, rows: int) -> tuple[int, ...]:
        """Return two folds, or as many as it takes to have so many test rows; no row twice."""
        tested = np.cumsum([min(len(test), _MOST_TEST_ROWS) for _, test in self._splits[: self._once]])
        enough = int(np.searchsorted(tested, rows)) + 1
        return tuple(range(min(max(2, enough), self._once)))


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
