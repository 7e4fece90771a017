"""The majority-class baseline as a program: a constant."""

from __future__ import annotations

import numpy as np

from classica.estimators.baseline.chance import ChanceClassifier
from classica.explain.additive import Additive
from classica.explain.additive_models import program_as
from classica.explain.model_layers import ModelLayers


def _of_chance(layers: ModelLayers) -> Additive | None:
    model = layers.estimator
    if model.strategy != "majority":
        return None
    return Additive(layers.columns, tuple(layers.classes or ()), np.log(model.class_prior_), ())


program_as(_of_chance, ChanceClassifier)
