"""The cases a network learns from: rows in an order that depends on what is in them, not on where they stand.

A row of weight 2 is the row twice as long as all weights are whole numbers (and not above 20 on average), so
that weights are repetitions to the last bit even where batches are drawn at random. Other weights, and those
of classes, multiply the loss of a row, with mean one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.estimators.base.estimator import TrainingData
from classica.native import Codes, Floats
from classica.native.networks import CaseArrays
from classica.native.online_learners import epoch_order
from classica.params import RandomState
from classica.samples import Samples

Order = NDArray[np.uint32]


@dataclass(frozen=True)
class Cases:
    """Rows with the codes of their classes, and in which order they are taken."""

    X: Any
    codes: Codes
    weights: Floats | None
    order: Order
    seed: int

    @classmethod
    def of(
        cls, data: TrainingData, of_class: Floats | None, random_state: RandomState, threads: int
    ) -> Cases:
        """Return all cases of some rows, whose losses may count by class, too."""
        samples = Samples.of(data.X, data.weights, None, False, random_state, threads, target=data.codes)
        factors = data.weights if len(samples.up_to) else None
        if of_class is not None:
            factors = of_class[data.codes] * (1.0 if factors is None else factors)
        if factors is not None:
            factors = factors / (factors[samples.order].mean() or 1.0)
        # Rows are fetched one at a time, in random order.
        rows = data.X if data.X.flags.c_contiguous else np.ascontiguousarray(data.X)
        return cls(rows, np.ascontiguousarray(data.codes), factors, samples.order, samples.seed)

    @property
    def arrays(self) -> CaseArrays:
        """What kernels read."""
        return self.X, self.codes, self.weights, self.order

    def __len__(self) -> int:
        return len(self.order)

    def shuffled(self, number: int) -> CaseArrays:
        """Return what kernels read, in the order of a pass of this number."""
        return self.X, self.codes, self.weights, self.order[epoch_order(self.seed, number, len(self.order))]

    def split(self, fraction: float) -> tuple[Cases, Cases]:
        """Return cases to learn from and, of each class this fraction, to judge by; neither is empty.

        Cases whose class counts nothing are in neither: they could judge nothing.
        """
        order = self.order if self.weights is None else self.order[self.weights[self.order] > 0]
        if len(order) == 1:
            return replace(self, order=order), replace(self, order=order)
        by_class = np.argsort(self.codes[order], kind="stable")
        codes = self.codes[order][by_class]
        index = np.arange(len(codes)) - np.searchsorted(codes, codes)
        judged = np.zeros(len(codes), dtype=bool)
        judged[by_class] = np.floor((index + 1) * fraction) > np.floor(index * fraction)
        judged[-1] |= not judged.any()
        judged[0] &= not judged.all()
        return replace(self, order=order[~judged]), replace(self, order=order[judged])

    def accuracy(self, scores: Floats) -> float:
        """Return the share of the cases, by weight, that their scores get right."""
        right = scores.argmax(axis=1) == self.codes[self.order]
        return float(np.average(right, weights=None if self.weights is None else self.weights[self.order]))
