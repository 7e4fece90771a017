"""Random samples of rows, by number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import classica._core as _core

#: What is drawn from, the weight of all of it up to each, how many are drawn, whether again, the seed.
SampleRules = tuple[NDArray[np.uint32], NDArray[np.float64], int, bool, int]


def draw_sample(rules: SampleRules, number: int, rows: int) -> NDArray[np.uint32]:
    """Return how often each row is in a sample."""
    counts = np.zeros(rows, dtype=np.uint32)
    _core.draw_sample(rules, number, counts)
    return counts
