"""Support vector machines as sums over columns, where their kernel is linear."""

from __future__ import annotations

from classica.estimators.svm.linear_svm import LinearSVMClassifier
from classica.estimators.svm.svm import SVMClassifier
from classica.explain.additive import Additive
from classica.explain.additive_models import margins_program, program_as
from classica.explain.model_layers import ModelLayers
from classica.native import LinearModel


def _of_linear_svm(layers: ModelLayers) -> Additive:
    return _of_margins(layers, layers.estimator._model)


def _of_svm(layers: ModelLayers) -> Additive | None:
    linear = layers.estimator._model.linear
    return None if linear is None else _of_margins(layers, linear)


def _of_margins(layers: ModelLayers, model: LinearModel) -> Additive:
    indices = list(range(len(layers.classes or ())))
    one_vs_all = layers.estimator._one_vs_all
    return margins_program(layers, model, indices, second=True, one_vs_all=one_vs_all)


program_as(_of_linear_svm, LinearSVMClassifier)
program_as(_of_svm, SVMClassifier)
