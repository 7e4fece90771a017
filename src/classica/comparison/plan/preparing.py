"""From a contender to what is fitted in a fold: encoding, calibration and costs around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from sklearn.pipeline import Pipeline

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.settings import Settings
from classica.decision import BayesDecisionClassifier, calibration_for
from classica.metrics.measures import metric
from classica.tables import Schema, TableEncoder

#: The step of the pipeline that classifies.
LAST = "model"


def with_decision(contender: Contender, settings: Settings) -> Any:
    """Return the classifier as the metric needs it.

    Where costs count, answers are those of least expected cost; a margin machine, which has no probabilities,
    gets them by calibration and then predicts the most probable class.
    """
    model = contender.build(settings.seed)
    calibration = calibration_for(model)
    if settings.metric == "cost":
        return BayesDecisionClassifier(
            model,
            costs=settings.costs,
            reject_cost=settings.reject_cost,
            calibration=calibration,
            cv="auto",
        )
    if calibration and (settings.calibrate or metric(settings.metric).needs == "probabilities"):
        return BayesDecisionClassifier(model, calibration=calibration, cv="auto")
    return model


def tuning_model(contender: Contender, settings: Settings) -> Any:
    """Return what is tuned: the classifier itself, unless the metric judges its decision.

    The predictions of a margin machine before calibration are nearly those after it (a softmax keeps them
    all), at a fraction of the fits.
    """
    judges_decision = settings.metric == "cost" or metric(settings.metric).needs == "probabilities"
    return with_decision(contender, settings) if judges_decision else contender.build(settings.seed)


def with_encoder(model: Any, schema: Schema) -> Pipeline:
    """Return a classifier behind the encoding it needs: what is fitted in a fold, all that learns in it."""
    return Pipeline([("table", MatrixEncoder.for_estimator(model, schema)), (LAST, model)])


def grid(contender: Contender, settings: Settings) -> Mapping[str, Sequence[Any]]:
    """Return what is tried, by the names of the pipeline that is tuned."""
    if not settings.tune:
        return {}
    inside = "estimator__" if isinstance(tuning_model(contender, settings), BayesDecisionClassifier) else ""
    return {f"{LAST}__{inside}{name}": values for name, values in contender.grid.items()}


def plain_names(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return chosen parameters by the names of the classifier itself."""
    return {name.rpartition("__")[2]: value for name, value in parameters.items()}


class MatrixEncoder(TableEncoder):
    """A table encoder that gives an array where all that comes out are numbers, and a frame otherwise.

    Models predict the same from both, but checking an array takes them microseconds and a frame milliseconds,
    members of an ensemble check once each, and an array takes half the memory. Missing cells are NaN.
    """

    def transform(self, X: pl.DataFrame) -> Any:
        """Return the rows as a learner takes them."""
        return self.matrix(X) if self.gives_numbers else super().transform(X)
