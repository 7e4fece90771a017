"""A network as a program: its layers, and how columns reach the first."""

from __future__ import annotations

from classica.estimators.neural.mlp import MLPClassifier
from classica.explain.additive_models import program_as
from classica.explain.model_layers import ModelLayers
from classica.explain.parts import routes
from classica.export.programs import NetworkProgram


def _of_network(layers: ModelLayers) -> NetworkProgram:
    model = layers.estimator
    network = model._passes.network
    matrices = tuple(zip(model.coefs_, model.intercepts_, strict=True))
    ways, labels = tuple(routes(layers)), tuple(layers.classes or ())
    return NetworkProgram(
        layers.columns, labels, ways, network.center, network.scale, matrices, network.activation
    )


program_as(_of_network, MLPClassifier)
