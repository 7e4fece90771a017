"""Columns of numbers and categories as trees read them: one matrix, categories as codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows
from classica.columns import Accepts, Columns, is_plain, read_columns
from classica.estimators.base.estimator import Estimator
from classica.native import Floats
from classica.params import check_parameters
from classica.trees.growing.growth import TreeTable
from classica.trees.growing.tree_names import Names


class CodedColumns(Estimator):
    """An estimator that learns from numbers and category codes, with missing values."""

    accepts = Accepts(missing=True, categorical=True)

    categorical_features: Any
    category_levels_: dict[str, list[Any]]
    _categorical: NDArray[np.bool_]
    _has_numbers_only: bool
    #: The columns `category_levels_` is about; a subclass may make categories of others.
    _level_places: list[int]
    #: Where categories come as numbers in an array: the numbers of each column, ascending.
    _numbers: dict[int, Floats]

    def unseen(self, X: MatrixLike) -> NDArray[np.int64]:
        """Return, for each column, how many cells hold a level that was not seen in learning."""
        counts: NDArray[np.int64] = (self._query(X) == -1).sum(axis=0) * self._categorical
        return counts

    @property
    def names_(self) -> Names:
        """What columns, levels and classes are called."""
        self._require_fitted()
        columns = [str(name) for name in getattr(self, "feature_names_in_", range(self.n_features_in_))]
        coded = dict(zip(self._level_places, self.category_levels_.values(), strict=False))
        numbered = {j: values.tolist() for j, values in self._numbers.items()}
        classes = self.classes_.tolist() if hasattr(self, "classes_") else None
        return Names(columns, numbered or coded, classes)

    def _training_rows(self, X: Rows, *, reset: bool = True) -> Any:
        check_parameters(self)
        read = self._read(X, reset=True)
        self._categorical = read.categorical
        self._level_places = np.flatnonzero(read.categorical).tolist()
        self._has_numbers_only = not read.categorical.any()
        self._numbers = {}
        if read.categorical.any() and not self.category_levels_:
            values = {j: read.matrix[:, j] for j in np.flatnonzero(read.categorical).tolist()}
            self._numbers = {j: np.unique(cells[~np.isnan(cells)]) for j, cells in values.items()}
        return self._coded(read.matrix)

    def _query(self, X: Rows) -> Any:
        self._require_fitted()
        # One plain row is answered before it is looked at a second time.
        if self._has_numbers_only and is_plain(self, X, self.accepts, self._threads_of(X)):
            return X
        matrix = self._read(X, reset=False).matrix
        return self._coded(matrix) if self._numbers else matrix

    def _read(self, X: Rows, *, reset: bool) -> Columns:
        return read_columns(self, X, self.accepts, self._threads, self.categorical_features, reset=reset)

    def _reads_as(self, other: CodedColumns) -> bool:
        """Return whether both make the same matrix of any table; trees of one bag do."""
        if self.category_levels_ is other.category_levels_ and self._numbers is other._numbers:
            return True
        return (
            self.category_levels_ == other.category_levels_
            and self._numbers.keys() == other._numbers.keys()
            and all(np.array_equal(values, other._numbers[j]) for j, values in self._numbers.items())
            and np.array_equal(self._categorical, other._categorical)
        )

    def _coded(self, matrix: Rows) -> Any:
        if not self._numbers:
            return matrix
        coded = np.array(matrix, dtype=np.float64)
        for j, values in self._numbers.items():
            cells = coded[:, j]
            indices = np.minimum(np.searchsorted(values, cells), max(len(values) - 1, 0))
            same = values[indices] == cells if len(values) else np.zeros(len(cells), dtype=bool)
            coded[:, j] = np.where(np.isnan(cells), np.nan, np.where(same, indices, -1))
        return coded

    def _table(self, matrix: Rows) -> TreeTable:
        """Return the table of the training rows."""
        levels = np.zeros(matrix.shape[1], dtype=np.int64)
        for j, column_levels in self.names_.levels.items():
            levels[j] = len(column_levels)
        return TreeTable.of(matrix, self._categorical, levels, self._threads)
