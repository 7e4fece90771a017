"""Linear models as sums over columns."""

from __future__ import annotations

import numpy as np

from classica.estimators.linear.logistic import LogisticClassifier
from classica.estimators.linear.perceptron import PerceptronClassifier
from classica.estimators.linear.winnow import WinnowClassifier
from classica.explain.additive import Additive
from classica.explain.additive_models import linear_program, margins_program, program_as, summed_program
from classica.explain.model_layers import ModelLayers
from classica.explain.parts import Steps, Term


def _of_logistic(layers: ModelLayers) -> Additive:
    """Return a linear score for each class."""
    return linear_program(layers, layers.estimator._model)


def _of_perceptron(layers: ModelLayers) -> Additive | None:
    model, indices = layers.estimator, list(range(len(layers.classes or ())))
    if model._variant == "voted":
        return None
    return margins_program(layers, model._model, indices, second=True, one_vs_all=model._one_vs_all)


def _of_winnow(layers: ModelLayers) -> Additive:
    model = layers.estimator
    weights = model.weights_ if model.opposed_weights_ is None else model.weights_ - model.opposed_weights_
    offsets = np.full(len(weights), -model.threshold_)
    classes = len(model.classes_)
    if classes == 2:
        weights, offsets = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, offsets)
    elif classes == 1:
        weights, offsets = np.zeros((1, model.n_features_in_)), np.zeros(1)
    above = np.array([0.0 if model._above is None else float(model._above)])
    terms: list[Term] = [Steps(above, np.vstack([np.zeros(len(weights)), column])) for column in weights.T]
    return summed_program(layers, terms, offsets, all_against_all=classes > 2 and not model._one_vs_all)


program_as(_of_logistic, LogisticClassifier)
program_as(_of_perceptron, PerceptronClassifier)
program_as(_of_winnow, WinnowClassifier)
