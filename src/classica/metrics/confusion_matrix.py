"""The confusion matrix, with the class errors in the last column as the lecture prints it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.decision.class_labels import known_codes
from classica.decision.costs import read_costs
from classica.decision.rows import one_per_row
from classica.errors import DataError, must
from classica.native import Floats
from classica.recorded import Recorded
from classica.targets import encode_target, label_union

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from classica.arrays import CostsLike, VectorLike

_CORNER = "true \\ predicted"
_RATES = "class error  precision   recall     F1  rows"


def confusion_table(confusion: Confusion) -> str:
    """Return the matrix with the rates of each class beside it."""
    labels = [str(label) for label in confusion.classes.tolist()]
    first = max(len(_CORNER), *(len(label) for label in labels))
    widths = [max(len(label), len(str(confusion.matrix.max()))) for label in labels]
    head = [f"{label:>{width}}" for label, width in zip(labels, widths, strict=True)]
    lines = [
        "  ".join([f"{_CORNER:<{first}}", *head, "class error", "precision", " recall", "   F1", "rows"])
    ]
    for index, label in enumerate(labels):
        row = confusion.matrix[index]
        cells = [f"{count:>{width}}" for count, width in zip(row, widths, strict=True)]
        rates = [
            _percent(confusion.class_errors[index], 11),
            _percent(confusion.precision[index], 9),
            _percent(confusion.recall[index], 7),
            "    –" if math.isnan(confusion.f1[index]) else f"{confusion.f1[index]:5.3f}",
            f"{confusion.support[index]:4}",
        ]
        lines.append("  ".join([f"{label:<{first}}", *cells, *rates]))
    return "\n".join([*lines, _total(confusion)])


def _total(confusion: Confusion) -> str:
    rows = int(confusion.support.sum())
    parts = [f"error {_percent(confusion.error, 0, 2)} on {rows:,} rows"]
    if confusion.rejected.any():
        parts.append(f"{int(confusion.rejected.sum()):,} rejected (coverage {confusion.coverage:.1%})")
    if not math.isclose(confusion.mean_cost, confusion.error, abs_tol=1e-12) and rows:
        parts.append(f"mean cost {confusion.mean_cost:.4g}")
    return ", ".join(parts)


def _percent(share: float, width: int, digits: int = 1) -> str:
    text = "–" if math.isnan(share) else f"{share:.{digits}%}"
    return f"{text:>{width}}"


@dataclass(frozen=True, eq=False)
class Confusion(Recorded):
    """A confusion matrix with the rates of each class.

    Rejected rows are in no cell of the matrix and in no rate. A rate over no rows is NaN.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels.
    matrix : ndarray of shape (n_classes, n_classes)
        The number of rows of each class (row) predicted as each class (column).
    class_errors : ndarray of shape (n_classes,)
        The share of the rows of each class that are misclassified: one minus the recall.
    precision, recall, f1 : ndarray of shape (n_classes,)
        The share of the rows predicted as a class that belong to it, the share of the rows of a class that
        are predicted as it, and the harmonic mean of both.
    support : ndarray of shape (n_classes,)
        The number of rows of each class that are not rejected.
    rejected : ndarray of shape (n_classes,)
        The number of rejected rows of each class.
    error : float
        The share of the rows that are misclassified.
    mean_cost : float
        The mean cost of a row; equal to the error if no costs are given.
    """

    classes: NDArray[Any]
    matrix: NDArray[np.int64]
    class_errors: Floats
    precision: Floats
    recall: Floats
    f1: Floats
    support: NDArray[np.int64]
    rejected: NDArray[np.int64]
    error: float
    mean_cost: float

    @property
    def coverage(self) -> float:
        """The share of the rows that are not rejected."""
        return float(self.support.sum() / (self.support.sum() + self.rejected.sum()))

    def pairs(self, most: int = 3) -> list[tuple[Any, Any, int, float]]:
        """Return the most frequent confusions.

        Parameters
        ----------
        most : int, default=3
            The maximum number of pairs.

        Returns
        -------
        list of tuple
            The true class, the predicted class, the number of rows, and their share of the true class; most
            rows first.
        """
        off = self.matrix - np.diag(self.matrix.diagonal())
        order = np.argsort(-off, axis=None, kind="stable")[:most]
        labels = self.classes.tolist()
        cells = [divmod(int(index), len(labels)) for index in order]
        return [
            (labels[i], labels[j], int(off[i, j]), float(off[i, j] / self.support[i]))
            for i, j in cells
            if off[i, j]
        ]

    def __str__(self) -> str:
        return confusion_table(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the matrix with the class errors at its side, as `ConfusionDisplay` does.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        # Here, because it draws, and counts by this module itself.
        from classica.displays import ConfusionDisplay

        return ConfusionDisplay.from_matrix(self.matrix, self.classes).plot(ax).ax_


def confusion(
    y_true: Any, y_pred: Any, labels: Any = None, rejected: Any = None, costs: Any = None
) -> Confusion:
    r"""Compute a confusion matrix, with the error of each class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_pred : array-like of shape (n_samples,)
        The predicted labels.
    labels : array-like, optional
        All classes, in the order of rows and columns; by default those that occur, sorted.
    rejected : array-like of bool of shape (n_samples,), optional
        The rejected rows.
    costs : None, array-like, dict of dicts, frame or path, optional
        The cost matrix (rows: predicted, columns: true), as `classica.decision.read_costs` takes it.

    Returns
    -------
    Confusion

    Examples
    --------
    >>> found = confusion(["a", "a", "a", "b"], ["a", "a", "b", "b"])
    >>> found.matrix, found.class_errors.round(3), found.error
    (array([[2, 1],
           [0, 1]]), array([0.333, 0.   ]), 0.25)
    >>> print(found)
    true \ predicted  a  b  class error  precision   recall     F1  rows
    a                 2  1        33.3%     100.0%    66.7%  0.800     3
    b                 0  1         0.0%      50.0%   100.0%  0.667     1
    error 25.00% on 4 rows
    """
    truth = one_per_row(y_true, "y_true")
    predicted = one_per_row(y_pred, "y_pred")
    if len(predicted) != len(truth) or not len(truth):
        rule = f"{len(truth)} labels long, as y_true, and at least 1"
        raise DataError(must("y_pred", rule, len(predicted)))
    classes = _classes(y_true, y_pred, labels, len(truth))
    true_codes, codes = known_codes(y_true, classes, len(truth)), known_codes(y_pred, classes, len(truth))
    kept = ~_mask(rejected, len(truth))
    size = len(classes)
    cells = np.bincount(true_codes[kept] * size + codes[kept], minlength=size**2).reshape(size, size)
    return rates_of(classes, cells, np.bincount(true_codes[~kept], minlength=size), costs)


def rates_of(
    classes: NDArray[Any], cells: NDArray[Any], left: NDArray[Any], costs: CostsLike | None = None
) -> Confusion:
    """Return the rates of a matrix, with the rejected rows of each class."""
    right, predicted, true = cells.diagonal(), cells.sum(axis=0), cells.sum(axis=1)
    recall = _ratio(right, true)
    paid = read_costs(costs, classes).T * cells  # a cost matrix has predictions in rows
    rows = int(cells.sum())
    return Confusion(
        classes=classes,
        matrix=cells.astype(np.int64),
        class_errors=1 - recall,
        precision=_ratio(right, predicted),
        recall=recall,
        f1=_ratio(2 * right, predicted + true),
        support=true.astype(np.int64),
        rejected=left.astype(np.int64),
        error=float(1 - np.trace(cells) / rows) if rows else np.nan,
        mean_cost=float(paid.sum() / rows) if rows else np.nan,
    )


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    return np.array([each / of if of else np.nan for each, of in zip(part, whole, strict=True)])


def _classes(y_true: VectorLike, y_pred: VectorLike, labels: VectorLike | None, rows: int) -> NDArray[Any]:
    if labels is None:
        label_sets = [encode_target(y, rows, "confusion")[0] for y in (y_true, y_pred)]
        return label_union(*label_sets)
    classes = one_per_row(labels, "labels")
    if len(set(classes.tolist())) < len(classes):
        raise DataError(must("labels", "distinct", classes.tolist()))
    return classes


def _mask(rejected: VectorLike | None, rows: int) -> NDArray[np.bool_]:
    if rejected is None:
        return np.zeros(rows, dtype=bool)
    mask = np.asarray(rejected)
    if mask.shape != (rows,) or mask.dtype != bool:
        raise DataError(must("rejected", f"an array of {rows} Booleans, one for each row", rejected))
    return mask
