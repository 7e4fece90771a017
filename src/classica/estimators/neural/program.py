"""A network as a program: its layers, and how columns reach the first."""

from __future__ import annotations

from classica.estimators.neural.mlp import MLPClassifier
from classica.explain.additive_models import program_as
from classica.explain.opened import Opened
from classica.explain.parts import routes
from classica.export.programs import NetworkProgram


def _of_network(opened: Opened) -> NetworkProgram:
    model = opened.estimator
    network = model._passes.network
    layers = tuple(zip(model.coefs_, model.intercepts_, strict=True))
    ways, labels = tuple(routes(opened)), tuple(opened.classes or ())
    return NetworkProgram(
        opened.columns, labels, ways, network.center, network.scale, layers, network.activation
    )


program_as(_of_network, MLPClassifier)
