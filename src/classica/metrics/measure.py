"""A metric: what it needs, whether higher is better, and what the baseline scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import CostsLike, VectorLike
from classica.errors import ParameterError, must
from classica.native import Floats

#: From true labels, predicted labels, probabilities or scores, classes and costs to a number.
Measure = Callable[[NDArray[Any], NDArray[Any] | None, Floats | None, NDArray[Any], Any], float]
#: The same for every row, high for bad.
RowLosses = Callable[[NDArray[Any], NDArray[Any] | None, Floats | None, NDArray[Any], Any], Floats]


@dataclass(frozen=True)
class Metric:
    """A metric of predictions.

    Attributes
    ----------
    name : str
        The name to select it by.
    title : str
        The name in tables and sentences.
    needs : {"labels", "probabilities", "scores"}
        What it is computed from. Scores are those of `decision_function` or `predict_proba`.
    higher_is_better : bool
        Whether a higher value is better.
    limits : tuple of float
        The least and the greatest value.
    function : function or None
        ``function(y, predictions, scores, classes, costs)``; what is not needed may be None. `classes` are
        all of the model's, in the order of the columns of `scores`; `y` may lack some. None for a
        metric that is the mean of what single rows lose.
    every_class : bool
        Whether it averages over classes, so that its value depends on which classes occur in the rows.
    row_losses : function or None
        Takes what `function` takes and returns the loss of each row. Their mean over the rows given is the
        measure, or one minus it where higher is better. Where `every_class` holds, the loss of a row depends
        on the rows it is given with: call it once for each fold. NaN where the measure is not defined; None
        for a measure that has no row losses.
    needs_costs : bool
        Whether it is computed from the costs of errors.
    short : str
        The name above a narrow column; by default the title.
    """

    name: str
    title: str
    needs: str
    higher_is_better: bool
    limits: tuple[float, float]
    function: Measure | None = None
    every_class: bool = False
    row_losses: RowLosses | None = None
    needs_costs: bool = False
    short: str = ""

    def __post_init__(self) -> None:
        if not self.short:
            object.__setattr__(self, "short", self.title)

    def __call__(
        self,
        y: VectorLike,
        predictions: VectorLike | None = None,
        scores: VectorLike | None = None,
        classes: VectorLike | None = None,
        costs: CostsLike | None = None,
    ) -> float:
        """Compute the metric of predictions.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            The true labels.
        predictions : array-like of shape (n_samples,), optional
            The predicted labels, for a metric that needs labels.
        scores : array-like of shape (n_samples, n_classes) or (n_samples,), optional
            Probabilities or scores, for a metric that needs them; one column for the second of two classes.
        classes : array-like, optional
            All classes; by default those of `y`.
        costs : optional
            As `classica.decision.read_costs` takes them, for the mean cost.

        Returns
        -------
        float
        """
        truth = np.asarray(y)
        labels = np.unique(truth) if classes is None else np.asarray(classes)
        predicted = None if predictions is None else np.asarray(predictions)
        given = None if scores is None else np.asarray(scores, dtype=np.float64)
        if self.function is not None:
            return self.function(truth, predicted, given, labels, costs)
        if self.row_losses is None:
            raise ParameterError(must(f"The metric {self.name!r}", "given with function or row_losses", None))
        loss = float(np.mean(self.row_losses(truth, predicted, given, labels, costs)))
        return 1 - loss if self.higher_is_better else loss

    def step(self, rows: float, costs: CostsLike | None = None) -> float | None:
        """Return the smallest change that one row can make; None for metrics of probabilities or scores.

        Parameters
        ----------
        rows : float
            The number of rows the metric is computed on.
        costs : array-like of shape (n_classes, n_classes), optional
            The cost matrix (rows: predicted, columns: true), for the mean cost.

        Returns
        -------
        float or None
        """
        if self.needs != "labels":
            return None
        if costs is None:
            return 1 / rows
        matrix = np.asarray(costs, dtype=np.float64)
        between = np.abs(matrix[:, None, :] - matrix[None, :, :])
        return float(between[between > 0].min(initial=np.inf)) / rows if between.any() else None

    def chance(
        self, y: VectorLike, classes: VectorLike | None = None, costs: CostsLike | None = None
    ) -> float:
        """Return the score of the baseline: always one class, or always the class shares as probabilities.

        The class is the one that scores best, the shares are those of `y`. A useful model must be better.
        """
        truth = np.asarray(y)
        labels = np.unique(truth) if classes is None else np.asarray(classes)
        shares = np.array([np.mean(truth == label) for label in labels.tolist()])
        constant = np.tile(shares, (len(truth), 1))
        if self.needs != "labels":
            return self(truth, None, constant, labels, costs)
        scores = [self(truth, np.full(len(truth), label), None, labels, costs) for label in labels]
        return max(scores) if self.higher_is_better else min(scores)
