"""Random samples of the rows of a table, as ensembles draw them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from classica.errors import DataError, must
from classica.native import Floats, row_draws
from classica.native import row_samples as native

#: Beyond it, a row that counts as many cases is not written down as often.
_MOST_CASES_PER_ROW = 20


@dataclass(frozen=True)
class Samples:
    """Samples drawn by weight, each known by its number alone.

    A row of weight 2 is drawn as if it were there twice, and so is the size of a sample counted, as long as
    all weights are whole numbers and not above 20 on average; otherwise they say how likely a row is. Drawn
    from a matrix, a sample depends on what is in the rows and not on where they stand.
    """

    #: What is drawn from: numbers of rows.
    order: NDArray[np.uint32]
    #: The weight of all of these up to each; empty where all weigh the same.
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
        """Return samples of the rows of a matrix (or of ``rows`` rows in the order given, if X is None).

        ``size`` is a number of cases or, a float, a share of all; None: as many as there are. Rows alike are
        told apart by ``target``.
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
        """Return what the kernel reads."""
        return self.order, self.up_to, self.size, self.replace, self.seed

    def counts(self, number: int) -> NDArray[np.uint32]:
        """Return how often each row is in a sample."""
        return native.draw_sample(self.for_kernel(), number, self.rows)

    def rows_of(self, number: int) -> NDArray[np.int64]:
        """Return the rows of a sample, ascending, each as often as it was drawn."""
        return np.repeat(np.arange(self.rows), self.counts(number))


def _size(wanted: float | None, cases: int) -> int:
    if wanted is None:
        return cases
    size = round(wanted * cases) if isinstance(wanted, float | np.floating) else int(wanted)
    if size > cases:
        raise DataError(must("max_samples", f"at most {cases}, the number of rows", size))
    return max(1, size)
