"""How much the rows of each class count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from classica.errors import ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.native import Floats
from classica.params import ClassWeight, Real


def class_weights(given: Mapping[Any, float] | str, data: TrainingData) -> Floats:
    """Return how much the rows of each class count; those a dict does not name count one."""
    if isinstance(given, str):  # "balanced"
        counts = np.bincount(data.codes, data.weights, minlength=len(data.classes))
        balanced: Floats = counts.sum() / (len(counts) * counts)
        return balanced
    labels = data.classes.tolist()
    weights = np.ones(len(labels))
    for label, weight in given.items():
        if label not in labels:
            raise ParameterError(must("class_weight", "keyed by class labels", label))
        if not Real(at_least=0).accepts(weight):
            raise ParameterError(must("class_weight", f"{Real(at_least=0)} for each class", weight))
        weights[labels.index(label)] = weight
    if not weights.any():
        raise ParameterError(must("class_weight", "above 0 for some class", given))
    return weights


def times_class_weights(given: ClassWeight, data: TrainingData, weights: Floats | None) -> Floats | None:
    """Return the weights of the rows, times those of their classes."""
    if given is None:
        return weights
    of_row = class_weights(given, data)[data.codes]
    return of_row if weights is None else weights * of_row
