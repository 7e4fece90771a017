"""Learning from all rows at once: the loss and its gradient, handed to L-BFGS."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from classica.estimators.neural.mlp_network import Network
from classica.estimators.neural.mlp_passes import require_sense
from classica.estimators.neural.mlp_rows import Cases
from classica.native import Floats
from classica.native.networks import loss_and_gradient
from classica.threads import one_blas_thread

#: The largest slope at the end, most iterations, and most times the loss is asked for.
Limits = tuple[float, int, int]

#: The status of SciPy's solver at a limit; any other end means that there is nothing left to gain.
_AT_LIMIT = 1


def penalised_loss(
    network: Network, cases: Cases, parameters: Floats, alpha: float, threads: int
) -> tuple[float, Floats]:
    """Return the mean loss of all cases, with the penalty of the weights, and its gradient."""
    loss, gradient = loss_and_gradient(cases.arrays, network.arrays, parameters, threads)
    slopes = network.layers(gradient)
    for (weights, _), (slope, _) in zip(network.layers(parameters), slopes, strict=True):
        loss += 0.5 * alpha * float(np.einsum("ij,ij->", weights, weights))
        slope[:] += alpha * weights
    gradient /= len(cases)
    return loss / len(cases), gradient


def learn_at_once(
    network: Network, start: Floats, cases: Cases, alpha: float, limits: Limits, threads: int
) -> tuple[Floats, list[float], bool]:
    """Return the parameters, the loss after each iteration, and whether it came to an end by itself."""
    losses: list[float] = []

    def objective(parameters: Floats) -> tuple[float, Floats]:
        return penalised_loss(network, cases, parameters, alpha, threads)

    def note(intermediate_result: Any) -> None:
        losses.append(float(intermediate_result.fun))

    tol, max_iter, max_fun = limits
    options = {"maxiter": max_iter, "maxfun": max_fun, "gtol": tol, "ftol": 0.0}
    with one_blas_thread():
        optimum = minimize(objective, start, method="L-BFGS-B", jac=True, callback=note, options=options)
    require_sense(float(optimum.fun), optimum.x)
    return np.ascontiguousarray(optimum.x), losses or [float(optimum.fun)], optimum.status != _AT_LIMIT
