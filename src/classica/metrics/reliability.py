r"""Calibration of probabilities: confidence against accuracy.

.. math:: \text{ECE} = \sum_b \frac{n_b}{n} \left| \text{accuracy}_b - \text{confidence}_b \right|
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.arrays import VectorLike
from classica.decision.class_labels import known_codes
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer
from classica.recorded import Recorded


@dataclass(frozen=True, eq=False)
class Calibration(Recorded):
    """The reliability table of a model's probabilities.

    Attributes
    ----------
    confidence, accuracy : ndarray of shape (n_bins,)
        The mean highest probability of the rows in each bin, and their accuracy.
    rows : ndarray of shape (n_bins,)
        The number of rows in each bin; empty bins are left out.
    ece : float
        The expected calibration error: the mean distance of the two over the rows.
    by_chance : float
        The calibration error that perfect probabilities would show on as many rows.
    bias : float
        Mean confidence minus accuracy: above 0 the model is over-confident, below 0 under-confident.
    """

    confidence: Floats
    accuracy: Floats
    rows: Any
    ece: float
    by_chance: float
    bias: float

    def __str__(self) -> str:
        lines = ["confidence  accuracy   rows"]
        for confidence, accuracy, rows in zip(self.confidence, self.accuracy, self.rows, strict=True):
            lines.append(f"{confidence:10.1%}  {accuracy:8.1%}  {rows:5}")
        last = f"expected calibration error {self.ece:.2%} ({self.by_chance:.2%} by chance)"
        return "\n".join([*lines, last])


def calibration(y: VectorLike, probabilities: VectorLike, classes: VectorLike, bins: int = 10) -> Calibration:
    """Compute the calibration of the highest probability of each row.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The true labels.
    probabilities : array-like of shape (n_samples, n_classes)
        The probability of each class.
    classes : array-like of shape (n_classes,)
        The labels of the columns.
    bins : int, default=10
        The number of bins of equal width.

    Returns
    -------
    Calibration

    Examples
    --------
    >>> found = calibration([0, 0, 0, 1], [[0.9, 0.1]] * 4, [0, 1])
    >>> round(found.ece, 12), round(found.bias, 12)
    (0.15, 0.15)
    """
    labels, given = np.asarray(classes), np.asarray(probabilities, dtype=np.float64)
    if not Integer(at_least=1).accepts(bins):
        raise ParameterError(must("bins", str(Integer(at_least=1)), bins))
    if given.ndim != 2 or given.shape[1] != len(labels) or not len(given):
        raise DataError(must("probabilities", f"of shape (rows, {len(labels)})", given.shape))
    truths = known_codes(y, labels, len(given))
    sure, right = given.max(axis=1), given.argmax(axis=1) == truths
    bin_of_row = np.minimum((sure * bins).astype(np.intp), bins - 1)
    rows = np.bincount(bin_of_row, minlength=bins)
    used = rows > 0
    confidence = np.bincount(bin_of_row, sure, bins)[used] / rows[used]
    accuracy = np.bincount(bin_of_row, right, bins)[used] / rows[used]
    # The mean distance of a mean of n coins from what they should show: √(2/π) of its standard deviation.
    noise = np.sqrt(np.bincount(bin_of_row, sure * (1 - sure), bins)[used])
    return Calibration(
        confidence=confidence,
        accuracy=accuracy,
        rows=rows[used],
        ece=float(np.sum(rows[used] * np.abs(confidence - accuracy)) / len(given)),
        by_chance=float(math.sqrt(2 / math.pi) * noise.sum() / len(given)),
        bias=float(sure.mean() - right.mean()),
    )
