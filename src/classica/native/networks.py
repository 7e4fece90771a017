"""Networks of layers: scores of rows, and learning from rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows

#: The activations that the core knows.
ACTIVATIONS: tuple[str, ...] = _core.ACTIVATIONS

#: Sizes of the layers, activation, what is taken from each column, and what it is then multiplied with.
NetworkArrays = tuple[NDArray[np.int64], str, Floats, Floats]

#: Rows, codes of their classes, their weights (None: all one), and numbers of rows in the order of use.
CaseArrays = tuple[Rows, Codes, Floats | None, NDArray[np.uint32]]

#: Adam or not, Nesterov or not, rate, momentum, beta 1, beta 2, epsilon, alpha, batch; see `mlp.hpp`.
StepRules = tuple[bool, bool, float, float, float, float, float, float, int]

#: A layer's rows of weights are filled up to a multiple of this.
PADDING = 8


def network_scores(X: Rows, network: NetworkArrays, parameters: Floats, threads: int) -> Floats:
    """Return the score of each class for each row; posteriors are their softmax."""
    out = np.empty((X.shape[0], int(network[0][-1])))
    _core.network_scores(X, network, parameters, threads, out)
    return out


def loss_and_gradient(
    cases: CaseArrays, network: NetworkArrays, parameters: Floats, threads: int
) -> tuple[float, Floats]:
    """Return the sum of the losses of all cases and its derivatives by the parameters."""
    gradient = np.empty_like(parameters)
    loss = _core.loss_and_gradient(*cases, network, parameters, threads, gradient)
    return float(loss), gradient


def learning_pass(
    cases: CaseArrays,
    network: NetworkArrays,
    rules: StepRules,
    parameters: Floats,
    first: Floats,
    second: Floats,
    steps: int,
    threads: int,
) -> float:
    """Go over all cases once, one step per batch, and return the sum of their losses; the arrays change."""
    return float(_core.learning_pass(*cases, network, rules, parameters, first, second, steps, threads))
