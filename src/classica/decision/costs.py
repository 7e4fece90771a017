r"""Cost matrices: what it costs to predict one class when another is true.

.. math:: \hat y(x) = \arg\min_i \sum_j c_{ij} \, p(j \mid x)
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from classica.decision.class_labels import match_labels, name_classes
from classica.decision.rows import number_table
from classica.errors import DataError, ParameterError, must
from classica.native import Floats


def read_costs(source: Any, classes: Any) -> Floats:
    r"""Return the cost matrix (rows: predicted, columns: true) of :math:`c_{ij}`.

    Parameters
    ----------
    source : None, array-like, dict of dicts, frame or path
        None: 0 for a correct prediction and 1 for a wrong one. An array: rows and columns in the order of the
        classes. The other forms are matched by label, in any order. A dict of dicts:
        ``costs[predicted][true]``; correct predictions may be left out and cost nothing. A pandas, polars or
        Arrow frame: one column per true class, and the predicted classes in its index or, where there is one
        column more than classes, in its first column. A CSV file: the same, with the predicted classes in its
        first column.
    classes : array-like of shape (n_classes,)
        The labels, in the order of the rows and columns.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)

    Examples
    --------
    Missing a cancer costs fifty times as much as a false alarm:

    >>> read_costs({"healthy": {"cancer": 50}, "cancer": {"healthy": 1}}, ["cancer", "healthy"])
    array([[ 0.,  1.],
           [50.,  0.]])
    """
    classes = np.asarray(classes)
    if source is None:
        return 1.0 - np.eye(len(classes))
    if is_path(source):
        cells = _from_file(source).arranged(classes)
    elif isinstance(source, Mapping):
        cells = _from_mapping(source).arranged(classes)
    elif nw.dependencies.is_into_dataframe(source):
        cells = _from_frame(source, classes).arranged(classes)
    else:
        cells = source
    return _checked(cells, classes)


def plain_costs(source: Any) -> Any:
    """Return costs that `read_costs` reads in the same way, without a frame: by label, or a path as text."""
    if is_path(source):
        return os.fspath(source)
    if not nw.dependencies.is_into_dataframe(source):
        return source
    frame = nw.from_native(source, eager_only=True)
    names = frame.columns if len(frame.columns) == len(frame) else frame.columns[1:]
    table = _from_frame(source, np.array(names, dtype=object))
    return {
        predicted: dict(zip(table.truth, map(float, cells), strict=True))
        for predicted, cells in zip(table.predicted, table.cells, strict=True)
    }


def expected_costs(posteriors: Any, costs: Any) -> Floats:
    r"""Return the expected cost of predicting each class, :math:`\sum_j c_{ij} \, p(j \mid x)`.

    Parameters
    ----------
    posteriors : array-like of shape (n_samples, n_classes)
        The probability of each class for each row.
    costs : array-like of shape (n_classes, n_classes)
        The cost matrix (rows: predicted, columns: true).

    Returns
    -------
    ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> expected_costs([[0.25, 0.75]], [[0, 1], [50, 0]])
    array([[ 0.75, 12.5 ]])
    """
    posteriors, costs = _fitting(posteriors, costs)
    expected = np.zeros((len(posteriors), len(costs)))
    # Not a matrix product: in BLAS the last bit depends on how many rows come together.
    for truth in range(costs.shape[1]):
        expected += posteriors[:, truth, None] * costs[:, truth]
    return expected


def _fitting(posteriors: Any, costs: Any) -> tuple[Floats, Floats]:
    """Return both as arrays with a column per class."""
    probabilities, table = number_table(posteriors, "posteriors"), number_table(costs, "costs")
    classes = probabilities.shape[1]
    if table.shape != (classes, classes):
        raise DataError(
            must("costs", f"of shape {(classes, classes)}, one row and column per class", table.shape)
        )
    return probabilities, table


def least_cost(posteriors: Any, costs: Any) -> NDArray[np.intp]:
    """Return the index of the class with the lowest expected cost for each row; ties go to the first.

    Savings against the worst prediction are compared instead of costs. This changes no decision, and with
    costs of 0 and 1 the savings are the posteriors themselves, so that rounding cannot separate the lowest
    cost from the highest posterior.
    """
    posteriors, costs = _fitting(posteriors, costs)
    savings = costs.max(axis=0) - costs
    best: NDArray[np.intp] = expected_costs(posteriors, savings).argmax(axis=1)
    return best


def is_path(source: Any) -> bool:
    """Return whether costs are given as the path of a file."""
    return isinstance(source, str | os.PathLike)


@dataclass(frozen=True)
class _LabelledTable:
    """Cells with the labels of their rows (predicted) and columns (true)."""

    predicted: Sequence[Any]
    truth: Sequence[Any]
    cells: Sequence[Sequence[Any]]

    def arranged(self, classes: NDArray[Any]) -> list[list[Any]]:
        """Return the cells in the order of the classes."""
        rows = match_labels(self.predicted, classes, "The rows of the cost matrix")
        columns = match_labels(self.truth, classes, "The columns of the cost matrix")
        return [[self.cells[row][column] for column in columns] for row in rows]


def _from_mapping(source: Mapping[Any, Any]) -> _LabelledTable:
    predicted = list(source)
    if not all(isinstance(row, Mapping) for row in source.values()):
        raise ParameterError(must("costs", "a dict of dicts, costs[predicted][true]", source))
    truth = list(dict.fromkeys([*predicted, *(label for row in source.values() for label in row)]))
    # What is left out costs nothing if it is right; otherwise it is found missing when values are checked.
    cells = [[source[i].get(j, 0.0 if i == j else np.nan) for j in truth] for i in predicted]
    return _LabelledTable(predicted, truth, cells)


def _from_frame(source: Any, classes: NDArray[Any]) -> _LabelledTable:
    try:
        frame = nw.from_native(source, eager_only=True)
        names, cells = list(frame.columns), [list(row) for row in frame.rows()]
    except nw.exceptions.DuplicateError:
        columns = list(source.columns)
        twice = next(name for name in columns if columns.count(name) > 1)
        raise ParameterError(
            f"The columns of the cost matrix must name every class once, got {twice!r} twice."
        ) from None
    index = nw.maybe_get_index(frame)
    complete = name_classes(names, classes)
    by_index = index is not None and (complete or name_classes(list(index), classes))
    by_column = not complete and (name_classes(names[1:], classes) or len(names) == len(cells) + 1)
    if by_column and (not by_index or len(names) > len(classes)):
        return _LabelledTable([row[0] for row in cells], names[1:], [row[1:] for row in cells])
    if index is None:
        rule = "a square table, its rows labelled by an index or by a first column"
        raise ParameterError(must("costs", rule, (len(cells), len(names))))
    return _LabelledTable(list(index), names, cells)


def _from_file(path: str | os.PathLike[str]) -> _LabelledTable:
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            lines = [[cell.strip() for cell in line] for line in csv.reader(file) if any(line)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError(f"Cannot read the cost matrix {os.fspath(path)!r}: {reason}.") from None
    if not lines:
        raise DataError(f"Cannot read the cost matrix {os.fspath(path)!r}: the file is empty.")
    if any(len(line) != len(lines[0]) for line in lines):
        raise DataError(f"Cannot read the cost matrix {os.fspath(path)!r}: its lines have different lengths.")
    header, *body = lines
    cells = [
        [_number(cell, line[0], truth, path) for cell, truth in zip(line[1:], header[1:], strict=True)]
        for line in body
    ]
    return _LabelledTable([line[0] for line in body], header[1:], cells)


def _number(cell: str, predicted: str, truth: str, path: str | os.PathLike[str]) -> float:
    try:
        return float(cell)
    except ValueError:
        where = f"The cost of predicting {predicted!r} when {truth!r} is true in {os.fspath(path)!r}"
        raise DataError(must(where, "a number", cell)) from None


def _checked(cells: Any, classes: NDArray[Any]) -> Floats:
    try:
        if np.iscomplexobj(cells):
            raise TypeError
        costs = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(must("costs", "a table of numbers", cells)) from None
    if costs.shape != (len(classes), len(classes)):
        raise ParameterError(must("costs", f"of shape {(len(classes), len(classes))}", costs.shape))
    bad = ~(np.isfinite(costs) & (costs >= 0))
    if bad.any():
        i, j = np.argwhere(bad)[0]
        predicted, truth = classes.tolist()[i], classes.tolist()[j]
        where = f"The cost of predicting {predicted!r} when {truth!r} is true"
        raise ParameterError(must(where, "finite and non-negative", float(costs[i, j])))
    return costs
