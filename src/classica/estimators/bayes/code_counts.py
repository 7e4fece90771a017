"""How many rows of each class have each code: the sufficient statistics of categories and intervals.

A code is the index of a category among the levels of its column, or the number of cut points below a
number; see `classica/coded_columns.hpp` under ``native/include``. Counts of two tables are joined by what
the codes stand for, not by their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike
from classica.errors import DataError
from classica.estimators.bayes.known_moments import classes_spread, subtracted
from classica.native import CodedColumns, Codes, Floats


@dataclass(frozen=True)
class CodeCounts:
    """Per class and code the weight of the rows that have it."""

    columns: CodedColumns
    declared: NDArray[np.bool_]  # (slots,): codes that are possible even without any row
    pairs: Floats  # (2, classes, slots), high and low parts
    levels: tuple[Any, ...] | None = None  # per column what its codes stand for; None for intervals

    @classmethod
    def of_levels(cls, indices: Codes, levels: list[Any], declared: list[Any], classes: int) -> CodeCounts:
        """Return zero counts of columns of categories.

        ``levels`` holds, per column, ascending numbers (as they are in the matrix) or any values in the
        order of their codes; ``declared`` those that are possible even without any row.
        """
        keys = [level if _is_numbers(level) else np.arange(len(level), dtype=np.float64) for level in levels]
        columns = coded_columns(indices, keys, categories=True)
        flags = [np.zeros(len(level) + 1, dtype=bool) for level in levels]
        for flag, level, named in zip(flags, levels, declared, strict=True):
            if named:
                names = set(named)
                flag[:-1] = [value in names for value in level]
        empty = np.zeros((2, classes, len(columns[2]) + len(indices)))
        return cls(columns, np.concatenate([*flags, np.zeros(0, dtype=bool)]), empty, tuple(levels))

    @classmethod
    def of_intervals(cls, indices: Codes, cuts: list[Floats], classes: int) -> CodeCounts:
        """Return zero counts of columns cut into intervals, all of which are possible."""
        columns = coded_columns(indices, cuts, categories=False)
        slots = len(columns[2]) + len(indices)
        return cls(columns, np.ones(slots, dtype=bool), np.zeros((2, classes, slots)))

    def counted(self, X: MatrixLike, codes: Codes, weights: Floats | None, threads: int) -> CodeCounts:
        """Return the counts of the rows of X."""
        if not len(self.columns[0]):
            return self
        pairs = native.count_codes(X, self.columns, codes, self.pairs.shape[1], weights, threads)
        return CodeCounts(self.columns, self.declared, pairs, self.levels)

    @property
    def first_slots(self) -> NDArray[np.intp]:
        """Where the codes of each column start."""
        starts: NDArray[np.intp] = self.columns[1][:-1] + np.arange(len(self.columns[0]))
        return starts

    @property
    def possible(self) -> NDArray[np.bool_]:
        """The codes that some row has or that are declared."""
        seen: NDArray[np.bool_] = self.declared | (self.pairs[0] > 0).any(axis=0)
        return seen

    @property
    def cases(self) -> Floats:
        """The number of possible codes of each column."""
        return self.summed(self.possible.astype(np.float64))

    @property
    def known(self) -> Floats:
        """The weight of the rows of each class that have a cell in each column."""
        return self.summed(self.pairs[0])

    def summed(self, values: Floats) -> Floats:
        """Return the sums of values per slot over the slots of each column."""
        if not len(self.columns[0]):
            return np.zeros((*values.shape[:-1], 0))
        sums: Floats = np.add.reduceat(values, self.first_slots, axis=-1)
        return sums

    def plus(self, other: CodeCounts, sign: float = 1.0) -> CodeCounts:
        """Return the counts of both together, or of these without those (``sign=-1``)."""
        mine, theirs = aligned(self, other)
        if sign > 0:
            pairs = native.add_pairs(mine.pairs, theirs.pairs, sign)
        else:
            pairs = subtracted(mine.pairs, theirs.pairs)
            mine._require_rows_left(pairs)
        return CodeCounts(mine.columns, mine.declared | theirs.declared, pairs, mine.levels)

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> CodeCounts:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""
        pairs = classes_spread(self.pairs, indices, groups)
        return CodeCounts(self.columns, self.declared, pairs, self.levels)

    def only(self, kept: NDArray[np.bool_]) -> CodeCounts:
        """Return the counts of the chosen classes."""
        pairs = np.ascontiguousarray(self.pairs[:, kept])
        return CodeCounts(self.columns, self.declared, pairs, self.levels)

    def _require_rows_left(self, left: Floats) -> None:
        short = (left[0] < 0).any(axis=0)
        if not short.any():
            return
        slot = int(np.argmax(short))
        column = int(np.searchsorted(self.first_slots, slot, side="right")) - 1
        code = slot - int(self.first_slots[column])
        cell = code if self.levels is None else self.levels[column][code]
        where = f"column {self.columns[0][column]}"
        raise DataError(f"Cannot forget more rows with {cell} in {where} than were learned.")


def coded_columns(indices: Codes, keys: list[Floats], *, categories: bool) -> CodedColumns:
    """Return the description of columns that the kernels read."""
    starts = np.cumsum([0, *(len(key) for key in keys)], dtype=np.int32)
    joined = np.concatenate([*keys, np.zeros(0)]).astype(np.float64)
    return indices, starts, joined, np.full(len(indices), categories, dtype=np.uint8)


def aligned(first: CodeCounts, second: CodeCounts) -> tuple[CodeCounts, CodeCounts]:
    """Return both with the levels of both, in the same order."""
    if first.levels is None or second.levels is None:
        return first, second
    pairs = list(zip(first.levels, second.levels, strict=True))
    if all(mine is theirs for mine, theirs in pairs):
        return first, second
    both = [_union(mine, theirs) for mine, theirs in pairs]
    return _with_levels(first, both), _with_levels(second, both)


def _with_levels(counts: CodeCounts, levels: list[Any]) -> CodeCounts:
    assert counts.levels is not None  # categories have levels
    made = CodeCounts.of_levels(counts.columns[0], levels, [()] * len(levels), counts.pairs.shape[1])
    olds, news = (
        zip(counts.levels, counts.first_slots, strict=True),
        zip(levels, made.first_slots, strict=True),
    )
    for (old, old_first), (new, new_first) in zip(olds, news, strict=True):
        indices = new_first + _indices(old, new)
        made.pairs[:, :, indices] = counts.pairs[:, :, old_first : old_first + len(old)]
        made.declared[indices] = counts.declared[old_first : old_first + len(old)]
    return made


def _union(first: Any, second: Any) -> Any:
    if _is_numbers(first) and _is_numbers(second):
        return np.union1d(first, second)
    levels_of_first = set(first)
    return [*first, *(level for level in second if level not in levels_of_first)]


def _indices(some: Any, levels: Any) -> NDArray[np.intp]:
    if _is_numbers(levels):
        return np.asarray(np.searchsorted(levels, some))
    index = {level: number for number, level in enumerate(levels)}
    return np.array([index[level] for level in some], dtype=np.intp)


def _is_numbers(levels: Any) -> bool:
    return isinstance(levels, np.ndarray)
