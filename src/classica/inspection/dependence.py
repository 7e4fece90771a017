r"""Partial dependence: what a model predicts on average when a column has a given value in every row.

.. math:: \bar f_c(v) = \frac{1}{n} \sum_i P(c \mid x_i \text{ with } x_{ij} = v)

(Friedman 2001), computed by brute force: every grid value is set in every row. The curves of single rows
(Goldstein et al. 2015) show what their mean hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.errors import ParameterError, must
from classica.inspection.row_table import RowTable
from classica.native import Floats
from classica.params import Integer
from classica.recorded import Recorded

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

#: Quantiles between which the grid of a numeric column lies: beyond, few rows say anything.
_LOW, _HIGH = 0.05, 0.95
#: Rows that are asked about at a time.
_BLOCK = 20_000


@dataclass(frozen=True)
class Grid:
    """Values of a column to ask about; every one of them occurs in the table.

    Attributes
    ----------
    values : tuple
        The values, ascending; levels in their order; a missing value, None, is the last.
    rows : ndarray
        A row that has each of them.
    shares : ndarray
        How much each counts: as many rows as it has, and all quantiles the same.
    is_numeric : bool
        Whether they are numbers.
    left_out : int
        Levels beyond the most frequent ones.
    """

    values: tuple[Any, ...]
    rows: NDArray[np.intp]
    shares: Floats
    is_numeric: bool
    left_out: int = 0


@dataclass(frozen=True)
class PartialDependence(Recorded):
    """What a model predicts on average for each value of a column.

    Attributes
    ----------
    column : str
        The column.
    values : tuple
        Its values; None: missing.
    is_numeric : bool
        Whether they are numbers; otherwise levels.
    classes : ndarray
        The class labels.
    average : ndarray of shape (n_classes, n_values)
        The mean probability of each class.
    shown : int
        The class whose mean varies most, as an index; of two classes, the second.
    individual : ndarray of shape (n_curves, n_values)
        The probability of that class for some single rows.
    rows : int
        The rows behind the means.
    left_out : int
        Levels that are not among the values: less frequent ones.
    """

    column: str
    values: tuple[Any, ...]
    is_numeric: bool
    classes: NDArray[Any]
    average: Floats
    shown: int
    individual: Floats
    rows: int
    left_out: int = 0

    @property
    def effect(self) -> float:
        """By how much the mean probability of a class changes at most."""
        return float(np.ptp(self.average, axis=1).max())

    def __str__(self) -> str:
        line, label = self.average[self.shown], self.classes.tolist()[self.shown]
        low, high = int(line.argmin()), int(line.argmax())
        return (
            f"P({label}) is {line[low]:.1%} on average with {self.column} = {value_text(self.values[low])}"
            f" and {line[high]:.1%} with {value_text(self.values[high])}."
        )


def value_text(value: object) -> str:
    """Return a grid value as people read it.

    Examples
    --------
    >>> value_text(None), value_text(0.1 + 0.2), value_text("a")
    ('missing', '0.3', 'a')
    """
    if value is None:
        return "missing"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def column_grid(X: RowTable, column: int, most: int = 20, most_levels: int = 12) -> Grid:
    """Return quantiles of a numeric column, or the most frequent levels of another, and missing values."""
    cells = X.series(column)
    is_known = cells.is_not_null().to_numpy()
    known, missing = np.flatnonzero(is_known), np.flatnonzero(~is_known)
    is_numeric = cells.dtype.is_numeric()
    find = _numeric_grid if is_numeric else _level_grid
    values, first, counts, left_out = find(cells.gather(known), most if is_numeric else most_levels)
    some = [None] if len(missing) else []
    counts = np.append(counts, [float(len(missing))] if some else [])
    rows = np.concatenate([known[first], missing[:1]]).astype(np.intp)
    return Grid((*values, *some), rows, counts / counts.sum(), is_numeric, left_out)


def _numeric_grid(cells: pl.Series, most: int) -> tuple[list[Any], NDArray[np.intp], Floats, int]:
    """Return values, the first cell that has each, how much each counts, and how many were left out."""
    numbers = cells.cast(pl.Float64).to_numpy()
    values, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    if len(values) <= most:
        return values.tolist(), first, counts.astype(np.float64), 0
    wanted = np.quantile(numbers, np.linspace(_LOW, _HIGH, most), method="inverted_cdf")
    kept, times = np.unique(np.searchsorted(values, wanted), return_counts=True)
    return values[kept].tolist(), first[kept], times * len(numbers) / most, 0


def _level_grid(cells: pl.Series, most: int) -> tuple[list[Any], NDArray[np.intp], Floats, int]:
    """Return the same of levels, in their order: that of an Enum is the one it was declared with."""
    firsts: dict[Any, int] = {}
    for place, level in enumerate(cells.to_list()):
        firsts.setdefault(level, place)
    levels = cells.unique().sort().to_list()
    counts = dict(cells.value_counts().iter_rows())
    kept = {*sorted(levels, key=lambda level: -counts[level])[:most]}
    shown = [level for level in levels if level in kept]
    places = np.array([firsts[level] for level in shown], dtype=np.intp)
    return shown, places, np.array([float(counts[level]) for level in shown]), len(levels) - len(shown)


def partial_dependence(
    model: BaseEstimator,
    X: MatrixLike,
    column: str | int,
    *,
    grid_size: int = 20,
    curves: int = 30,
) -> PartialDependence:
    """Return the partial dependence of each class's probability on a column.

    It equals scikit-learn's ``partial_dependence(method="brute")`` on the same grid and rows.

    Parameters
    ----------
    model : classifier
        Fitted. One without probabilities counts with the class it predicts.
    X : array or frame
        Rows to average over.
    column : str or int
        The column, by name or index. A numeric one gets quantiles as its grid, another one its levels;
        missing values are a value of their own.
    grid_size : int, default=20
        The most values of a numeric column.
    curves : int, default=30
        How many single rows are kept, spread over the table.

    Returns
    -------
    PartialDependence

    Examples
    --------
    >>> from classica import LogisticClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> found = partial_dependence(LogisticClassifier().fit(X, y), X, 0)
    >>> found.average[1].round(2)
    array([0.19, 0.38, 0.62, 0.81])
    """
    if not Integer(at_least=2).accepts(grid_size):
        raise ParameterError(must("grid_size", "an integer of at least 2", grid_size))
    rows = RowTable.of(X)
    index = rows.index(column)
    grid = column_grid(rows, index, grid_size)
    found = dependence_of(model, rows, {index: grid.rows})
    average: Floats = found.mean(axis=1).T
    shown = 1 if average.shape[0] == 2 else int(np.ptp(average, axis=1).argmax())
    some = np.unique(np.linspace(0, len(rows) - 1, min(curves, len(rows))).round().astype(np.intp))
    return PartialDependence(
        rows.names[index],
        grid.values,
        grid.is_numeric,
        np.asarray(model.classes_),
        average,
        shown,
        found[:, some, shown].T,
        len(rows),
        grid.left_out,
    )


def dependence_of(model: BaseEstimator, X: RowTable, cells: dict[int, NDArray[np.intp]]) -> Floats:
    """Return the probabilities of all rows with cells of other rows: (values, rows, classes).

    Parameters
    ----------
    model : classifier
        Fitted.
    X : RowTable
        The rows.
    cells : dict
        Column → for each value to ask about, the row whose cell is set in all rows.
    """
    count = len(next(iter(cells.values())))
    each = max(1, _BLOCK // len(X))
    parts = []
    for begin in range(0, count, each):
        some = {column: rows[begin : begin + each] for column, rows in cells.items()}
        many = len(next(iter(some.values())))
        stacked = X.take(np.tile(np.arange(len(X)), many))
        set_cells = {column: X.cells(column, np.repeat(rows, len(X))) for column, rows in some.items()}
        found = class_shares(model, stacked.with_cells(set_cells))
        parts.append(found.reshape(many, len(X), -1))
    return np.concatenate(parts)


def class_shares(model: BaseEstimator, X: Any) -> Floats:
    """Return the probabilities of a model, or 1 for the predicted class where it has none."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64)
    predicted = np.asarray(model.predict(X))
    shares: Floats = (predicted[:, None] == np.asarray(model.classes_)).astype(np.float64)
    return shares


def most_varied(found: Sequence[PartialDependence]) -> PartialDependence:
    """Return the one with the largest effect: of a date, that of its most telling part."""
    return max(found, key=lambda each: each.effect)
