"""What rows a tree was not grown on lose by it."""

from __future__ import annotations

import numpy as np

from classica.native import Floats
from classica.trees.growing.growth import Target
from classica.trees.growing.tree import Longs


def losses(prediction: Floats, target: Target, rows: Longs, criterion: str) -> Floats:
    """Return what rows lose by a prediction: 1 for a wrong class, else the squared or absolute deviation.

    Predictions are shares of classes or numbers, along the last axis; the first axis is that of the rows.
    """
    learned = target.values if target.codes is None else target.codes
    assert learned is not None
    truth = learned[rows].reshape(-1, *[1] * (prediction.ndim - 2))
    if target.codes is not None:
        wrong: Floats = (prediction.argmax(axis=-1) != truth).astype(np.float64)
        return wrong
    deviation: Floats = np.abs(prediction[..., 0] - truth)
    return deviation if criterion == "absolute_error" else np.square(deviation)


def weights_of(target: Target, rows: Longs) -> Floats:
    """Return how much some rows weigh."""
    return np.ones(len(rows)) if target.weights is None else target.weights[rows]
