"""What made a binary classifier what it is: the rows that changed it, in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.arrays import Rows
from classica.native import Codes, Floats
from classica.native import online_learners as native
from classica.native.online_learners import Longs

#: As many products of queries and rows are held at a time.
_MOST_PRODUCTS = 1 << 22


@dataclass(frozen=True)
class ChangeLog:
    """The changes of one binary classifier: sign times row, one after the other.

    The weights after change k are the sum of the first k + 1. Kept are places in a list of rows that all
    binary classifiers share, each row once; a row that changes binary classifiers again and again costs its
    number only.
    """

    places: Codes
    signs: Floats
    times: Longs  # how many presentations came before

    @classmethod
    def empty(cls) -> ChangeLog:
        """Return the log of a binary classifier that has not changed."""
        return cls(np.empty(0, dtype=np.int32), np.empty(0), np.empty(0, dtype=np.int64))

    def joined(self, places: NDArray[Any], signs: Floats, times: Longs) -> ChangeLog:
        """Return the log with further changes."""
        return ChangeLog(
            np.concatenate([self.places, places.astype(np.int32)]),
            np.concatenate([self.signs, signs]),
            np.concatenate([self.times, times]),
        )

    def first(self, count: int) -> ChangeLog:
        """Return the log of so many changes."""
        return ChangeLog(self.places[:count], self.signs[:count], self.times[:count])

    def survivals(self, seen: int) -> Longs:
        """Return how many presentations the weights after each change lasted, of `seen` in all."""
        lasted: Longs = np.diff(self.times, append=np.int64(seen))
        return lasted

    def votes(self, products: Floats, seen: int, of_zero: float, threads: int) -> Floats:
        """Return the votes of all weights on rows, given by their products with the listed ones.

        They are divided by the number of presentations, so that they lie between -1 and 1.
        """
        survivals, before = self.survivals(seen), int(self.times[0]) if len(self.times) else seen
        places = self.places
        if len(places) < products.shape[1]:  # those of other binary classifiers need not be touched
            products, places = np.take(products, places, axis=1), np.arange(len(places), dtype=np.int32)
        votes = native.running_votes(products, places, self.signs, survivals, of_zero, threads)
        votes += before * of_zero  # of weights of zero, at the beginning
        votes /= max(seen, 1)
        return votes

    def totals(self, n_rows: int) -> Floats:
        """Return how often each listed row was added to the weights of now."""
        sums: Floats = np.bincount(self.places, self.signs, minlength=n_rows).astype(np.float64)
        return sums

    def mean_totals(self, seen: int, n_rows: int) -> Floats:
        """Return how often each listed row was added to the mean of the weights over all presentations."""
        lasting = self.signs * (seen - self.times)
        return np.bincount(self.places, lasting, minlength=n_rows) / max(seen, 1)


def grown_rows(rows: Any, data: Rows, numbers: list[Longs]) -> tuple[Any, list[Codes]]:
    """Return the list of rows with those of ``data`` that changes name, and the places of these in it."""
    wanted = np.unique(np.concatenate([*numbers, np.empty(0, dtype=np.int64)]))
    new = data[wanted]
    joined = new if rows is None else _stacked(rows, new)
    start = joined.shape[0] - len(wanted)
    return joined, [(start + np.searchsorted(wanted, of_one)).astype(np.int32) for of_one in numbers]


def blocks_of(X: Rows, n_rows: int) -> list[Any]:
    """Return the rows of X in parts whose products with so many rows fit into memory."""
    height = max(1, _MOST_PRODUCTS // max(n_rows, 1))
    return [X[start : start + height] for start in range(0, max(X.shape[0], 1), height)]


def _stacked(first: Any, second: Rows) -> Any:
    if sp.issparse(first) or sp.issparse(second):
        return sp.vstack([sp.csr_array(first), sp.csr_array(second)], format="csr")
    return np.concatenate([first, second])
