"""From a contender to what is fitted in a fold: encoding, calibration and costs around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.pipeline import Pipeline

from classica.comparison.contender import Contender
from classica.comparison.plain_numbers import PlainNumbers
from classica.comparison.settings import Settings
from classica.data import Schema, TableEncoder
from classica.decision import BayesDecisionClassifier
from classica.evaluation.metrics import metric

#: The step of the pipeline that classifies.
LAST = "model"


def decided(contender: Contender, settings: Settings) -> Any:
    """Return the classifier as the metric needs it.

    Where costs count, answers are those of least expected cost; where probabilities count, a machine that has
    none gets them by calibration.
    """
    model = contender.build(settings.seed)
    calibration = None if hasattr(model, "predict_proba") else "sigmoid"
    if settings.metric == "cost":
        return BayesDecisionClassifier(model, costs=settings.costs, calibration=calibration)
    if metric(settings.metric).needs == "probabilities" and calibration:
        return BayesDecisionClassifier(model, calibration=calibration)
    return model


def pipeline(contender: Contender, settings: Settings, schema: Schema) -> Pipeline:
    """Return what is fitted in a fold: whatever learns is in it."""
    return encoded(decided(contender, settings), schema)


def encoded(model: Any, schema: Schema) -> Pipeline:
    """Return a classifier behind the encoding it needs."""
    encoder = TableEncoder.for_estimator(model, schema)
    return Pipeline([("table", encoder), ("numbers", PlainNumbers()), (LAST, model)])


def grid(contender: Contender, settings: Settings) -> Mapping[str, Sequence[Any]]:
    """Return what is tried, by the names of the pipeline."""
    if not settings.tune:
        return {}
    inside = "estimator__" if isinstance(decided(contender, settings), BayesDecisionClassifier) else ""
    return {f"{LAST}__{inside}{name}": values for name, values in contender.grid.items()}


def plain_names(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return chosen parameters by the names of the classifier itself."""
    return {name.rpartition("__")[2]: value for name, value in parameters.items()}
