"""Operating points for two classes: what each threshold of the probability finds, misses and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import CostsLike, VectorLike
from classica.decision.costs import read_costs
from classica.decision.rows import number_per_row, one_per_row
from classica.decision.threshold import choose_threshold, cost_threshold
from classica.errors import DataError, must
from classica.native import Floats
from classica.recorded import Recorded

#: Thresholds that are kept: spread evenly, and as many at quantiles of the probabilities.
_THRESHOLDS = 50


@dataclass(frozen=True)
class OperatingPoint(Recorded):
    """What a threshold comes to.

    Attributes
    ----------
    name : str
        Where it comes from.
    threshold : float
        The positive class is predicted above it.
    recall, false_alarms, precision : float
        The share of the positive rows that are found, the share of the negative rows that are taken for
        positive, and the share of the rows predicted as positive that are (NaN: there are none).
    cost : float
        The mean cost of a row.
    """

    name: str
    threshold: float
    recall: float
    false_alarms: float
    precision: float
    cost: float


@dataclass(frozen=True)
class OperatingCurve(Recorded):
    """Recall, false alarms, precision and cost for every threshold, and where the costs put it.

    Attributes
    ----------
    positive : object
        The class that is looked for.
    thresholds, recall, false_alarms, precision, costs : ndarray
        See `OperatingPoint`; thresholds ascend.
    points : tuple of OperatingPoint
        The one of the most probable class (0.5), the one that the costs imply, and the cheapest of all.
    cost_matrix : ndarray of shape (2, 2)
        Rows: predicted, columns: true; the positive class is the second.
    is_balanced : bool
        Whether no costs were given, and an error costs the more the rarer its true class is, so that both
        classes count the same.
    rows, positives : int
        Rows, and those of the positive class.
    """

    positive: Any
    thresholds: Floats
    recall: Floats
    false_alarms: Floats
    precision: Floats
    costs: Floats
    points: tuple[OperatingPoint, ...]
    cost_matrix: Floats
    is_balanced: bool
    rows: int
    positives: int

    @property
    def implied(self) -> OperatingPoint:
        """The point that the costs imply."""
        return self.points[1]

    def __str__(self) -> str:
        each = self.implied
        costs = "Where both classes count the same" if self.is_balanced else "With these costs"
        return (
            f"{costs}, predict {self.positive} above a probability of {each.threshold:.3g}: this finds"
            f" {each.recall:.1%} of its rows, with {each.false_alarms:.1%} false alarms. Predicting the most"
            f" probable class finds {self.points[0].recall:.1%}, with {self.points[0].false_alarms:.1%}."
        )


def operating_curve(
    y: VectorLike, probabilities: VectorLike, positive: object = None, costs: CostsLike | None = None
) -> OperatingCurve:
    """Return what every threshold of the probability of a class comes to, for two classes.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels of held-out rows, of two classes.
    probabilities : array-like of shape (n_samples,)
        The probability of the positive class.
    positive : label, optional
        The positive class; by default the second in sorted order.
    costs : see `classica.decision.read_costs`, optional
        Cost matrix (rows: predicted, columns: true), classes sorted; by default balanced.

    Returns
    -------
    OperatingCurve

    Examples
    --------
    >>> found = operating_curve(["no", "no", "no", "yes"], [0.1, 0.2, 0.6, 0.4])
    >>> found.positive, found.implied.threshold, found.implied.recall, found.points[0].recall
    ('yes', 0.25, 1.0, 0.0)
    """
    labels, scores = one_per_row(y, "y"), number_per_row(probabilities, "probabilities")
    classes = np.unique(labels)
    if len(classes) != 2 or len(labels) != len(scores):
        raise DataError(must("y", "of two classes, one label for each probability", classes.tolist()))
    wanted = classes.tolist()[1] if positive is None else positive
    if wanted not in classes.tolist():
        raise DataError(must("positive", f"one of {classes.tolist()}", positive))
    is_positive = labels == wanted
    order = [0, 1] if wanted == classes.tolist()[1] else [1, 0]
    matrix = _balanced(is_positive) if costs is None else read_costs(costs, classes)[np.ix_(order, order)]
    cheapest = choose_threshold(is_positive.astype(np.int64), scores, matrix)
    named = {
        "most probable class": 0.5,
        "balanced" if costs is None else "implied by the costs": float(np.clip(cost_threshold(matrix), 0, 1)),
        "cheapest on these rows": cheapest.threshold,
    }
    shown = np.linspace(0, 1, _THRESHOLDS + 1)
    thresholds = np.unique(np.concatenate([shown, np.quantile(scores, shown), [*named.values()]]))
    recall, alarms, precision, mean_costs = _rates(scores, is_positive, thresholds, matrix)
    at = _rates(scores, is_positive, np.array([*named.values()]), matrix)
    points = [
        OperatingPoint(name, *map(float, numbers))
        for name, *numbers in zip(named, named.values(), *at, strict=True)
    ]
    return OperatingCurve(
        positive=wanted,
        thresholds=thresholds,
        recall=recall,
        false_alarms=alarms,
        precision=precision,
        costs=mean_costs,
        points=tuple(points),
        cost_matrix=matrix,
        is_balanced=costs is None,
        rows=len(labels),
        positives=int(is_positive.sum()),
    )


def _balanced(is_positive: NDArray[np.bool_]) -> Floats:
    """Return costs that make up for unequal classes: together, the rows of each cost the same."""
    share = float(is_positive.mean())
    return np.array([[0.0, 0.5 / share], [0.5 / (1 - share), 0.0]])


def _rates(
    scores: Floats, is_positive: NDArray[np.bool_], thresholds: Floats, matrix: Floats
) -> tuple[Floats, ...]:
    """Return recall, false alarms, precision and mean cost of each threshold."""
    found, alarms = (
        len(own) - np.searchsorted(np.sort(own), thresholds, side="right")
        for own in (scores[is_positive], scores[~is_positive])
    )
    positives, negatives = int(is_positive.sum()), int((~is_positive).sum())
    predicted = found + alarms
    precision = np.divide(found, predicted, out=np.full(len(found), np.nan), where=predicted > 0)
    paid = (
        matrix[1, 1] * found
        + matrix[0, 1] * (positives - found)
        + matrix[1, 0] * alarms
        + matrix[0, 0] * (negatives - alarms)
    )
    return found / positives, alarms / negatives, precision, paid / len(scores)
