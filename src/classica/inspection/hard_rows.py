"""The hardest rows: those that a model misclassifies although it is sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.arrays import VectorLike
from classica.decision.rows import one_per_row
from classica.errors import DataError, must
from classica.recorded import Recorded


@dataclass(frozen=True)
class HardRow(Recorded):
    """A row that a model misclassifies.

    Attributes
    ----------
    row : int
        Its number among the rows with a label, from 1.
    true, predicted : object
        Its class, and the predicted one.
    probability, true_probability : float
        The probabilities of the predicted and of the true class; NaN where the model has none.
    others : dict from str to object
        What other models predict, by their names; None where they did not predict the row.
    cells : dict from str to object
        Some of its cells, by their columns.
    """

    row: int
    true: Any
    predicted: Any
    probability: float
    true_probability: float
    others: dict[str, Any]
    cells: dict[str, Any]

    @property
    def alone(self) -> bool:
        """Whether all other models that predicted it are right."""
        said = [label for label in self.others.values() if label is not None]
        return bool(said) and all(label == self.true for label in said)


def hardest_rows(
    y: VectorLike,
    predictions: VectorLike,
    probabilities: VectorLike | None = None,
    classes: VectorLike | None = None,
    *,
    others: Mapping[str, VectorLike] | None = None,
    rows: VectorLike | None = None,
    most: int = 10,
) -> list[HardRow]:
    """Return the misclassified rows, the most confident mistakes first.

    Parameters
    ----------
    y, predictions : array-like of shape (n_samples,)
        True and predicted labels of held-out rows.
    probabilities : array-like of shape (n_samples, n_classes), optional
        The probabilities behind the predictions.
    classes : array-like, optional
        The classes in the order of the columns; by default those of `y`, sorted.
    others : dict, optional
        The predictions of other models for the same rows; None where there is none.
    rows : array-like of shape (n_samples,), optional
        The indices of the rows in their table, from 0; by default their positions here.
    most : int, default=10
        The most rows to return.

    Returns
    -------
    list of HardRow

    Examples
    --------
    >>> [found] = hardest_rows(["a", "b"], ["a", "a"], [[0.9, 0.1], [0.7, 0.3]], others={"knn": ["a", "b"]})
    >>> found.row, found.true, found.predicted, found.probability, found.others
    (2, 'b', 'a', 0.7, {'knn': 'b'})
    """
    truth, said = one_per_row(y, "y"), one_per_row(predictions, "predictions")
    if len(truth) != len(said):
        raise DataError(must("predictions", f"{len(truth)} labels long, as long as y", len(said)))
    numbers = np.arange(len(truth)) if rows is None else np.asarray(rows)
    shares = None if probabilities is None else np.asarray(probabilities, dtype=np.float64)
    labels = np.unique(truth) if classes is None else np.asarray(classes)
    code = {label: place for place, label in enumerate(labels.tolist())}
    wrong = np.flatnonzero(truth != said)
    true_labels, said_labels = truth.tolist(), said.tolist()

    def share(place: int, label: object) -> float:
        return float("nan") if shares is None else float(shares[place, code[label]])

    sure = [-share(place, said_labels[place]) for place in wrong.tolist()]
    order = wrong[np.argsort(sure, kind="stable")][:most]
    return [
        HardRow(
            int(numbers[place]) + 1,
            true_labels[place],
            said_labels[place],
            share(place, said_labels[place]),
            share(place, true_labels[place]),
            {name: np.asarray(each, dtype=object)[place] for name, each in (others or {}).items()},
            {},
        )
        for place in order.tolist()
    ]
