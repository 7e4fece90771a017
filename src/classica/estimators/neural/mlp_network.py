"""The shape of a network, and its parameters as one array: what kernels read and solvers change."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica import native
from classica.arrays import MatrixLike
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.moments import Moments
from classica.native import Floats
from classica.native.networks import PADDING, NetworkArrays, network_scores
from classica.params import Integer, Rule

#: Below this a column counts as constant: what it would be divided by is too small for doubles.
_SMALLEST_SPREAD = 1e-150


class LayerSizes(Rule):
    """An integer of at least 1, or a sequence of them."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value says how many neurons there are in each layer."""
        if isinstance(value, numbers.Integral):
            return Integer(at_least=1).accepts(value)
        sequence = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
        return sequence and all(Integer(at_least=1).accepts(size) for size in value)

    def __str__(self) -> str:
        return "an integer of at least 1 or a sequence of such integers"


@dataclass(frozen=True)
class Network:
    """Layers of neurons, and how columns are standardised on the way in.

    Parameters are one array: layer after layer a row of weights for each input and a row of biases, each row
    filled up with zeros.
    """

    sizes: tuple[int, ...]
    activation: str
    center: Floats
    scale: Floats

    @classmethod
    def of(
        cls, data: TrainingData, hidden: int | Sequence[int], activation: str, standardize: bool, threads: int
    ) -> Network:
        """Return the network for some rows: one input per column, one output per class."""
        columns = data.X.shape[1]
        inner = tuple(hidden) if isinstance(hidden, Iterable) else (hidden,)
        sizes = tuple(int(size) for size in (columns, *inner, len(data.classes)))
        center, scale = _standards(data, threads) if standardize else (np.zeros(columns), np.ones(columns))
        return cls(sizes, activation, center, scale)

    @property
    def arrays(self) -> NetworkArrays:
        """What kernels read."""
        return np.array(self.sizes, dtype=np.int64), self.activation, self.center, self.scale

    @property
    def n_parameters(self) -> int:
        """Weights and biases, without what fills up rows."""
        return sum((size + 1) * after for size, after in zip(self.sizes, self.sizes[1:], strict=False))

    def empty(self) -> Floats:
        """Return zeros in the layout of the parameters."""
        rooms = ((size + 1) * _padded(after) for size, after in zip(self.sizes, self.sizes[1:], strict=False))
        return np.zeros(sum(rooms))

    def layers(self, parameters: Floats) -> list[tuple[Floats, Floats]]:
        """Return weights (inputs by outputs) and biases of each layer; writing to them writes parameters."""
        matrices, at = [], 0
        for size, after in zip(self.sizes, self.sizes[1:], strict=False):
            end = at + (size + 1) * _padded(after)
            rows = parameters[at:end].reshape(size + 1, _padded(after))[:, :after]
            matrices.append((rows[:-1], rows[-1]))
            at = end
        return matrices

    def drawn(self, seed: int) -> Floats:
        """Return random parameters to start from (Glorot and Bengio, 2010)."""
        parameters = self.empty()
        for number, (weights, biases) in enumerate(self.layers(parameters)):
            size, after = weights.shape
            bound = np.sqrt((2.0 if self.activation == "logistic" else 6.0) / (size + after))
            draws = native.philox(seed, number, 0, -(-(size + 1) * after // 4)).ravel()[: (size + 1) * after]
            uniform = (draws >> np.uint64(11)).astype(np.float64) * 2.0**-53
            drawn = (bound * (2.0 * uniform - 1.0)).reshape(size + 1, after)
            weights[:], biases[:] = drawn[:-1], drawn[-1]
        return parameters

    def scores(self, X: MatrixLike, parameters: Floats, threads: int) -> Floats:
        """Return the score of each class for each row."""
        return network_scores(X, self.arrays, parameters, threads)


def _padded(size: int) -> int:
    return -(-size // PADDING) * PADDING


def _standards(data: TrainingData, threads: int) -> tuple[Floats, Floats]:
    """Return mean and inverse standard deviation of each column; one that is constant is only centred."""
    one_group = np.zeros(len(data.codes), dtype=np.int32)
    moments = Moments.of(data.X, one_group, 1, weights=data.weights, squares=True, threads=threads)
    means, variances = moments.means_and_variances()
    center, spread = means[0], np.sqrt(np.asarray(variances)[0])
    constant = spread <= np.maximum(_SMALLEST_SPREAD, np.finfo(np.float64).eps * np.abs(center))
    return center, 1.0 / np.where(constant, 1.0, spread)
