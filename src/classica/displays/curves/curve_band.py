"""The curve of a class over several folds: their mean at every point, and how far they spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.displays.stored_scores import StoredScores
from classica.native import Floats

#: From truths (0 or 1) and scores to the curve at the points of a grid, and the area that sums it up.
Curve = Callable[[NDArray[np.intp], Floats, Floats], tuple[Floats, float]]

GRID = np.linspace(0, 1, 101)


@dataclass(frozen=True)
class CurveBand:
    """A class against all others.

    Attributes
    ----------
    label : object
        The class.
    code : int
        Its place among the classes.
    curves : ndarray of shape (n_folds, len(GRID))
        The curve of each fold that has rows of both sides.
    areas : ndarray of shape (n_folds,)
        What sums up each of them.
    share : float
        The share of the rows that are of this class.
    """

    label: Any
    code: int
    curves: Floats
    areas: Floats
    share: float

    @property
    def mean(self) -> Floats:
        """The mean of the curves at every point."""
        mean: Floats = self.curves.mean(axis=0)
        return mean

    @property
    def deviation(self) -> Floats:
        """The standard deviation of the curves at every point; 0 for a single one."""
        spread: Floats = (
            self.curves.std(axis=0, ddof=1) if len(self.curves) > 1 else np.zeros(self.curves.shape[1])
        )
        return spread

    @property
    def area(self) -> float:
        """The mean of the areas; NaN if no fold has rows of both sides."""
        return float(self.areas.mean()) if len(self.areas) else float("nan")

    def told(self) -> str:
        """Return the area in words, with its spread over the folds."""
        if not len(self.areas):
            return "unknown"
        return f"{self.area:.3f}" + (f" ± {self.areas.std(ddof=1):.3f}" if len(self.areas) > 1 else "")


def curve_bands(stored: StoredScores, positive: Any, curve: Curve) -> list[CurveBand]:
    """Return the curve of each class that is set against all others."""
    bands = []
    for code in stored.chosen(positive):
        truth = (stored.codes == code).astype(np.intp)
        found = []
        for fold in range(stored.folds.max() + 1):
            rows = stored.folds == fold
            if 0 < truth[rows].sum() < rows.sum():
                found.append(curve(truth[rows], stored.scores[rows, code], GRID))
        curves = np.array([heights for heights, _ in found]).reshape(-1, len(GRID))
        areas = np.array([area for _, area in found])
        bands.append(CurveBand(stored.classes.tolist()[code], code, curves, areas, float(truth.mean())))
    return bands
