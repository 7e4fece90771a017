"""A network of layers in plain NumPy: scores, loss, gradient by the chain rule, a step of each solver."""

import numpy as np
from scipy.special import expit, log_softmax

ACTIVATIONS = {
    "identity": (lambda s: s, np.ones_like),
    "relu": (lambda s: np.maximum(s, 0), lambda a: (a > 0).astype(float)),
    "tanh": (np.tanh, lambda a: 1 - a**2),
    "logistic": (expit, lambda a: a * (1 - a)),
}


def forward(X, layers, activation):
    """Return what goes into each layer, and last the scores."""
    outputs = [X]
    for weights, biases in layers:
        sums = outputs[-1] @ weights + biases
        outputs.append(sums if len(outputs) == len(layers) else ACTIVATIONS[activation][0](sums))
    return outputs


def loss_and_gradient(X, codes, weights, layers, activation):
    """Return the sum of the losses and its derivatives, layer by layer."""
    outputs = forward(X, layers, activation)
    logs = log_softmax(outputs[-1], axis=1)
    slopes = weights[:, None] * (np.exp(logs) - np.eye(logs.shape[1])[codes])
    gradient = []
    for (matrix, _), given in zip(layers[::-1], outputs[-2::-1], strict=True):
        gradient.insert(0, (given.T @ slopes, slopes.sum(axis=0)))
        slopes = (slopes @ matrix.T) * ACTIVATIONS[activation][1](given)
    return -(weights * logs[np.arange(len(codes)), codes]).sum(), gradient


def adam_step(slope, first, second, number, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8):
    """Return the change of the parameters and the new means."""
    first = beta_1 * first + (1 - beta_1) * slope
    second = beta_2 * second + (1 - beta_2) * slope**2
    rate = rate * np.sqrt(1 - beta_2**number) / (1 - beta_1**number)
    return -rate * first / (np.sqrt(second) + epsilon), first, second


def momentum_step(slope, velocity, rate, momentum, nesterov):
    """Return the change of the parameters and the new velocity."""
    velocity = momentum * velocity - rate * slope
    return momentum * velocity - rate * slope if nesterov else velocity, velocity
