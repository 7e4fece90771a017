"""The confusion matrix, with the class errors in the last column as the lecture prints it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.decision.class_labels import known_codes
from classica.decision.costs import read_costs
from classica.decision.rows import one_per_row
from classica.errors import DataError, must
from classica.metrics.confusion_text import confusion_table
from classica.native import Floats
from classica.recorded import Recorded
from classica.targets import encode_target, label_union

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Confusion(Recorded):
    """Who is taken for whom.

    Rejected rows are in no cell of the matrix and count for no rate. A rate of nothing is NaN.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels.
    matrix : ndarray of shape (n_classes, n_classes)
        The number of answered rows of each class (row) that were said to be of each (column).
    class_errors : ndarray of shape (n_classes,)
        The share of each class's answered rows that were said to be of another: one minus the recall.
    precision, recall, f1 : ndarray of shape (n_classes,)
        Of the rows said to be of a class the share that are, of those that are the share said to be, and the
        harmonic mean of both.
    support : ndarray of shape (n_classes,)
        The answered rows of each class.
    rejected : ndarray of shape (n_classes,)
        The rows of each class that were not answered.
    error : float
        The share of the answered rows that got the wrong class.
    mean_cost : float
        The mean cost of an answered row; the error itself if no costs were given.
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
        """The share of the rows that were answered."""
        return float(self.support.sum() / (self.support.sum() + self.rejected.sum()))

    def pairs(self, most: int = 3) -> list[tuple[Any, Any, int, float]]:
        """Return the classes most often taken for one another.

        Parameters
        ----------
        most : int, default=3
            At most so many.

        Returns
        -------
        list of tuple
            The class that is true, the one said instead, the number of rows, and their share of the class;
            most rows first.
        """
        off = self.matrix - np.diag(self.matrix.diagonal())
        order = np.argsort(-off, axis=None, kind="stable")[:most]
        labels = self.classes.tolist()
        places = [divmod(int(place), len(labels)) for place in order]
        return [
            (labels[i], labels[j], int(off[i, j]), float(off[i, j] / self.support[i]))
            for i, j in places
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
    r"""Count who is taken for whom, with the error of each class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_pred : array-like of shape (n_samples,)
        The labels said.
    labels : array-like, optional
        All classes, in the order wanted; by default those that occur, sorted.
    rejected : array-like of bool of shape (n_samples,), optional
        The rows that were left unanswered.
    costs : None, array-like, dict of dicts, frame or path, optional
        What saying a class costs when another is true, as `classica.decision.read_costs` takes it.

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
    true \ said  a  b  class error  precision   recall     F1  rows
    a            2  1        33.3%     100.0%    66.7%  0.800     3
    b            0  1         0.0%      50.0%   100.0%  0.667     1
    error 25.00% on 4 rows
    """
    truth = one_per_row(y_true, "y_true")
    said = one_per_row(y_pred, "y_pred")
    if len(said) != len(truth) or not len(truth):
        rule = f"{len(truth)} labels long, as y_true, and at least 1"
        raise DataError(must("y_pred", rule, len(said)))
    classes = _classes(y_true, y_pred, labels, len(truth))
    truths, answers = known_codes(y_true, classes, len(truth)), known_codes(y_pred, classes, len(truth))
    answered = ~_mask(rejected, len(truth))
    size = len(classes)
    cells = np.bincount(truths[answered] * size + answers[answered], minlength=size**2).reshape(size, size)
    return rates_of(classes, cells, np.bincount(truths[~answered], minlength=size), costs)


def rates_of(classes: NDArray[Any], cells: NDArray[Any], left: NDArray[Any], costs: Any = None) -> Confusion:
    """Return the rates of a matrix, with the rows of each class that were not answered."""
    right, said, true = cells.diagonal(), cells.sum(axis=0), cells.sum(axis=1)
    recall = _ratio(right, true)
    paid = read_costs(costs, classes).T * cells  # costs have what is said in rows
    rows = int(cells.sum())
    return Confusion(
        classes=classes,
        matrix=cells.astype(np.int64),
        class_errors=1 - recall,
        precision=_ratio(right, said),
        recall=recall,
        f1=_ratio(2 * right, said + true),
        support=true.astype(np.int64),
        rejected=left.astype(np.int64),
        error=float(1 - np.trace(cells) / rows) if rows else np.nan,
        mean_cost=float(paid.sum() / rows) if rows else np.nan,
    )


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    return np.array([each / of if of else np.nan for each, of in zip(part, whole, strict=True)])


def _classes(y_true: Any, y_pred: Any, labels: Any, rows: int) -> NDArray[Any]:
    if labels is None:
        found = [encode_target(y, rows, "confusion")[0] for y in (y_true, y_pred)]
        return label_union(*found)
    classes = one_per_row(labels, "labels")
    if len(set(classes.tolist())) < len(classes):
        raise DataError(must("labels", "all different", classes.tolist()))
    return classes


def _mask(rejected: Any, rows: int) -> NDArray[np.bool_]:
    if rejected is None:
        return np.zeros(rows, dtype=bool)
    mask = np.asarray(rejected)
    if mask.shape != (rows,) or mask.dtype != bool:
        raise DataError(must("rejected", f"{rows} times True or False, one for each row", rejected))
    return mask
