"""What one column of numbers adds to scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.native import Floats


@dataclass(frozen=True)
class Linear:
    """Adds w (x - center) to each score; says nothing sensible about a missing number."""

    weights: Floats
    center: float

    def values(self, x: Any) -> Floats:
        """Return what each number adds, a column per score."""
        found: Floats = np.outer(np.asarray(x, dtype=np.float64) - self.center, self.weights)
        return found


@dataclass(frozen=True)
class Bell:
    """Adds the logarithm of a normal density, norm - ((x - mean) inverse)² / 2; nothing if missing."""

    means: Floats
    inverses: Floats
    norms: Floats

    def values(self, x: Any) -> Floats:
        """Return what each number adds, a column per score."""
        x = np.asarray(x, dtype=np.float64)[:, None]
        found: Floats = self.norms - 0.5 * ((x - self.means) * self.inverses) ** 2
        return np.where(np.isnan(x), 0.0, found)


@dataclass(frozen=True)
class Steps:
    """Adds a number that depends on the interval; a number on a cut lies below it; nothing if missing."""

    cuts: Floats
    steps: Floats  # (intervals, scores)

    def values(self, x: Any) -> Floats:
        """Return what each number adds, a column per score."""
        x = np.asarray(x, dtype=np.float64)
        found: Floats = self.steps[np.searchsorted(self.cuts, x, side="left").clip(max=len(self.cuts))]
        return np.where(np.isnan(x)[:, None], 0.0, found)


Term = Linear | Bell | Steps
