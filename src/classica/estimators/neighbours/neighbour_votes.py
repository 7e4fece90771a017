"""What a vote among neighbours is told by: explanations, leave-one-out errors, and lists that grow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats, Lists


@dataclass(frozen=True)
class LeaveOneOutErrors:
    """Leave-one-out errors for every K from 1 on: counts of wrong votes among `rows`."""

    rows: int
    decrease: NDArray[np.int64]  # vote ties: K shrinks
    increase: NDArray[np.int64]  # vote ties: K grows
    lowest: NDArray[np.int64]  # exactly K rows, vote ties to the first class

    def best(self, ties: str) -> int:
        """Return the smallest K with the fewest errors under a rule."""
        errors: NDArray[np.int64] = getattr(self, ties)
        return int(errors.argmin()) + 1


@dataclass(frozen=True)
class Explanation:
    """Why a row got its class: the neighbours that voted, nearest first."""

    label: Any
    shares: dict[Any, float]
    rows: NDArray[np.int64]
    distances: Floats
    labels: NDArray[Any]

    @property
    def used(self) -> int:
        """How many neighbours voted."""
        return len(self.rows)


def replaced(lists: Lists, queries: NDArray[np.intp], longer: Lists) -> Lists:
    """Return the lists with those of some queries replaced."""
    count = len(lists[0]) - 1
    chosen = np.arange(count)
    chosen[queries] = count + np.arange(len(queries))
    begins = np.concatenate([lists[0][:-1], longer[0][:-1] + len(lists[1])])[chosen]
    lengths = np.concatenate([np.diff(lists[0]), np.diff(longer[0])])[chosen]
    ends = np.cumsum(lengths)
    entries = np.repeat(begins - (ends - lengths), lengths) + np.arange(lengths.sum())
    ranks, rows = (np.concatenate([lists[i], longer[i]])[entries] for i in (1, 2))
    return np.concatenate([[0], ends]).astype(np.int64), ranks, rows
