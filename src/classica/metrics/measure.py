"""A measure of how good answers are: what it needs, which way is good, and what chance gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.native import Floats

#: From true labels, predicted labels, probabilities or scores, classes and costs to a number.
Measure = Callable[[NDArray[Any], NDArray[Any] | None, Floats | None, NDArray[Any], Any], float]
#: The same for every row, high for bad.
RowLosses = Callable[[NDArray[Any], NDArray[Any] | None, Floats | None, NDArray[Any], Any], Floats]


@dataclass(frozen=True)
class Metric:
    """One measure.

    Attributes
    ----------
    name : str
        What it is asked for by.
    title : str
        What people read.
    needs : {"labels", "probabilities", "scores"}
        What answers it judges. Scores are what `decision_function` or `predict_proba` give.
    higher_is_better : bool
        Which way is good.
    limits : tuple of float
        The least and the greatest value.
    function : function
        ``function(y, predictions, scores, classes, costs)``; what is not needed may be None. `classes` are
        all of the model's, in the order of the columns of `scores`; `y` may lack some.
    every_class : bool
        Whether it looks at one class after the other, so that rows without a class say something else: to say
        one class always is then all right where there is only that one.
    row_losses : function or None
        Takes what `function` takes and returns the loss of each row. Their mean over the rows given is the
        measure, or one minus it where higher is better. Where `every_class` holds, the loss of a row depends
        on the rows it is given with: call it once for each fold. NaN where the measure is not defined; None
        for a measure that has no row losses.
    """

    name: str
    title: str
    needs: str
    higher_is_better: bool
    limits: tuple[float, float]
    function: Measure
    every_class: bool = False
    row_losses: RowLosses | None = None

    def __call__(
        self,
        y: Any,
        predictions: Any = None,
        scores: Any = None,
        classes: Any = None,
        costs: Any = None,
    ) -> float:
        """Return the measure of some answers.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            The true labels.
        predictions : array-like of shape (n_samples,), optional
            The labels said, for a metric that needs labels.
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
        known = np.unique(truth) if classes is None else np.asarray(classes)
        said = None if predictions is None else np.asarray(predictions)
        given = None if scores is None else np.asarray(scores, dtype=np.float64)
        return self.function(truth, said, given, known, costs)

    def step(self, rows: float, costs: Any = None) -> float | None:
        """Return the least that one row more or less changes, of so many; None where answers have degrees.

        Parameters
        ----------
        rows : float
            How many rows are judged together.
        costs : array-like of shape (n_classes, n_classes), optional
            Row said, column true, for the mean cost: the least difference two answers to a row can make.

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

    def chance(self, y: VectorLike, classes: Any = None, costs: Any = None) -> float:
        """Return what is reached without looking at the rows: always one class, or always the same shares.

        The class is the one this metric likes best, the shares are those of `y`: a floor that any model that
        learned something is above.
        """
        truth = np.asarray(y)
        known = np.unique(truth) if classes is None else np.asarray(classes)
        shares = np.array([np.mean(truth == label) for label in known.tolist()])
        constant = np.tile(shares, (len(truth), 1))
        if self.needs != "labels":
            return self(truth, None, constant, known, costs)
        found = [self(truth, np.full(len(truth), label), None, known, costs) for label in known]
        return max(found) if self.higher_is_better else min(found)
