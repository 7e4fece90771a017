"""Numbered random samples of rows, for ensembles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from classica.errors import DataError, must
from classica.native import Floats, row_draws
from classica.native import row_samples as native

#: Up to this mean weight, a row of integer weight is repeated that often.
_MOST_CASES_PER_ROW = 20


@dataclass(frozen=True)
class Samples:
    """Weighted random samples, each determined by its number.

    If all weights are integers of at most 20 on average, a row of weight 2 is drawn as if it occurred twice,
    and counts twice towards the size of a sample; otherwise weights are proportional to the probability of a
    row. A sample of a matrix depends on the content of the rows, not on their order.
    """

    #: The indices of the rows to draw from.
    order: NDArray[np.uint32]
    #: Their cumulative weights; empty if all weights are equal.
    up_to: Floats
    rows: int
    size: int
    replace: bool
    seed: int

    @classmethod
    def of(
        cls,
        X: Any,
        weights: Floats | None,
        size: float | None,
        replace: bool,
        random_state: Any,
        threads: int,
        *,
        rows: int | None = None,
        target: NDArray[Any] | None = None,
    ) -> Samples:
        """Return samples of the rows of a matrix (or of ``rows`` rows in the given order, if X is None).

        ``size`` is a number of rows or, as a float, a share of all; None for as many as there are. Equal rows
        are ordered by ``target``.
        """
        count = X.shape[0] if rows is None else rows
        seed = int(check_random_state(random_state).randint(2**31))
        order = np.arange(count, dtype=np.uint32)
        if X is not None:
            draws = row_draws(X, seed, threads)
            ties = () if target is None else (target,)
            order = np.lexsort((*ties, draws)).astype(np.uint32)
        if weights is None:
            return cls(order, np.empty(0), count, _size(size, count), replace, seed)
        weights = weights[order]
        order, weights = order[weights > 0], weights[weights > 0]
        if not (weights % 1).any() and weights.sum() <= _MOST_CASES_PER_ROW * len(order):
            order = np.repeat(order, weights.astype(np.int64))
            return cls(order, np.empty(0), count, _size(size, len(order)), replace, seed)
        up_to = np.cumsum(weights / weights.max())
        return cls(order, up_to, count, _size(size, len(order)), replace, seed)

    def for_kernel(self) -> native.SampleRules:
        """Return the arguments of the kernel."""
        return self.order, self.up_to, self.size, self.replace, self.seed

    def counts(self, number: int) -> NDArray[np.uint32]:
        """Return how often each row occurs in a sample."""
        return native.draw_sample(self.for_kernel(), number, self.rows)

    def rows_of(self, number: int) -> NDArray[np.int64]:
        """Return the row indices of a sample, ascending, repeated as often as they were drawn."""
        return np.repeat(np.arange(self.rows), self.counts(number))


def _size(wanted: float | None, cases: int) -> int:
    if wanted is None:
        return cases
    size = round(wanted * cases) if isinstance(wanted, float | np.floating) else int(wanted)
    if size > cases:
        raise DataError(must("max_samples", f"at most {cases}, the number of rows", size))
    return max(1, size)
