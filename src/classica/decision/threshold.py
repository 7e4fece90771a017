r"""Decision thresholds for two classes: from costs by theory, or the cheapest on held-out rows.

.. math:: \hat y(x) = 1 \iff p(1 \mid x) > \frac{c_{10} - c_{00}}{(c_{10} - c_{00}) + (c_{01} - c_{11})}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.arrays import VectorLike
from classica.decision.costs import read_costs
from classica.decision.rows import number_per_row, one_per_row
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.targets import encode_target


@dataclass(frozen=True)
class ThresholdChoice:
    """The mean cost of each threshold on held-out rows, and the cheapest threshold.

    Attributes
    ----------
    threshold : float
        The second class is predicted where its probability is above this.
    cost : float
        The mean cost per row with that threshold.
    thresholds, costs : ndarray
        The distinct thresholds, ascending, and the mean cost of each.
    """

    threshold: float
    cost: float
    thresholds: Floats
    costs: Floats

    def __str__(self) -> str:
        return (
            f"Predict the second class above {self.threshold:.6g}: mean cost {self.cost:.6g}, the lowest of "
            f"{len(self.thresholds):,} thresholds ({self.costs.min():.6g} to {self.costs.max():.6g})."
        )


def cost_threshold(costs: Any) -> float:
    r"""Return the posterior of the second class above which predicting it is cheaper.

    .. math:: \frac{c_{10} - c_{00}}{(c_{10} - c_{00}) + (c_{01} - c_{11})}

    It is minus infinity where the second class is always cheaper, infinity where it never is.

    Parameters
    ----------
    costs : array-like of shape (2, 2)
        The cost matrix (rows: predicted, columns: true).

    Returns
    -------
    float

    Examples
    --------
    >>> cost_threshold([[0, 4], [1, 0]])
    0.2
    """
    (c00, c01), (c10, c11) = read_costs(costs, [0, 1]).tolist()
    false_alarm, miss = c10 - c00, c01 - c11
    if false_alarm < 0 and miss < 0:
        raise ParameterError(must("costs", "no higher for correct predictions than for wrong ones", costs))
    if false_alarm < 0:
        return -np.inf
    if miss < 0 or false_alarm == miss == 0:
        return np.inf
    return float(false_alarm / (false_alarm + miss))


def choose_threshold(y: VectorLike, probabilities: Any, costs: Any = None) -> ThresholdChoice:
    """Find the threshold with the lowest mean cost on held-out rows.

    Well-calibrated probabilities need no search: use `cost_threshold`. The search is for probabilities that
    are too high or too low throughout. Use held-out rows, such as those of scikit-learn's
    ``cross_val_predict(model, X, y, method="predict_proba")[:, 1]``; its ``FixedThresholdClassifier`` applies
    the threshold found.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The true labels, of two classes.
    probabilities : array-like of shape (n_samples,)
        The probability of the second class, in sorted order, for each row.
    costs : see `read_costs`, default=None
        The cost matrix (rows: predicted, columns: true).

    Returns
    -------
    ThresholdChoice
        Thresholds lie midway between neighbouring probabilities. Of equally cheap ones the closest to
        `cost_threshold` is chosen.

    Examples
    --------
    >>> y, probabilities = ["no", "no", "yes", "no", "yes"], [0.1, 0.2, 0.3, 0.4, 0.9]
    >>> print(choose_threshold(y, probabilities))
    Predict the second class above 0.65: mean cost 0.2, the lowest of 6 thresholds (0.2 to 0.6).
    >>> choose_threshold(y, probabilities, costs=[[0, 4], [1, 0]]).threshold
    0.25
    """
    scores = _probabilities(probabilities)
    labels = one_per_row(y, "y")
    if len(labels) != len(scores):
        rule = f"{len(scores)} labels long, as long as probabilities"
        raise DataError(must("y", rule, len(labels)))
    classes, codes = encode_target(y, len(scores), "choose_threshold")
    if len(classes) != 2:
        raise DataError(f"Cannot choose a threshold: y must have two classes, got {len(classes)}.")
    matrix = read_costs(costs, classes)
    thresholds = _cuts(scores)
    mean_costs = _mean_costs(scores, codes, matrix, thresholds)
    cheapest = np.flatnonzero(mean_costs == mean_costs.min())
    distance = np.abs(thresholds[cheapest] - np.clip(cost_threshold(matrix), 0, 1))
    best = int(cheapest[distance.argmin()])
    return ThresholdChoice(float(thresholds[best]), float(mean_costs[best]), thresholds, mean_costs)


def _probabilities(values: Any) -> Floats:
    scores = number_per_row(values, "probabilities")
    bad = ~((scores >= 0) & (scores <= 1))
    if bad.any():
        raise DataError(must("probabilities", "numbers from 0 to 1", float(scores[bad][0])))
    return scores


def _cuts(scores: Floats) -> Floats:
    """Return one threshold for each way to cut the rows in two."""
    ends = np.unique(np.concatenate([scores, [0.0, 1.0]]))
    middles = ends[:-1] + (ends[1:] - ends[:-1]) / 2
    cuts = np.where(middles < ends[1:], middles, ends[:-1])  # between neighbouring doubles there is no middle
    return np.append(cuts, 1.0) if scores.max() == 1 else cuts


def _mean_costs(scores: Floats, codes: Any, matrix: Floats, thresholds: Floats) -> Floats:
    """Return the mean cost of each threshold, from the counts on both sides of it."""
    total = np.zeros(len(thresholds))
    for truth in range(2):
        own = np.sort(scores[codes == truth])
        below = np.searchsorted(own, thresholds, side="right")
        total += matrix[0, truth] * below + matrix[1, truth] * (len(own) - below)
    mean: Floats = total / len(scores)
    return mean
