"""The ROC curve: how many of a class are found for how many false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.displays.curves.curve_display import CurveDisplay
from classica.displays.curves.ranked_counts import ranked_counts
from classica.displays.palette import foreground
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class RocDisplay(CurveDisplay):
    """ROC curves from stored scores: the mean over folds and their spread, each class against all others.

    Examples
    --------
    >>> display = RocDisplay.from_scores(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8])
    >>> display.bands[0].area
    0.75
    """

    area_name: ClassVar[str] = "area under the curve"
    axis_names: ClassVar[tuple[str, str]] = ("false alarms: share of the others", "found: share of the class")
    title: ClassVar[str] = "ROC: how many are found for how many false alarms"

    @staticmethod
    def _curve(truth: NDArray[np.intp], scores: Floats, grid: Floats) -> tuple[Floats, float]:
        hits, alarms = ranked_counts(truth, scores)
        found, false = hits / hits[-1], alarms / alarms[-1]
        heights = np.interp(grid, false, found)
        heights[0] = 0.0  # every curve begins in the corner, also one that rises at once
        return heights, float(np.sum(np.diff(false) * (found[1:] + found[:-1])) / 2)

    def _draw_chance(self, ax: Axes) -> None:
        ax.plot([0, 1], [0, 1], color=foreground(), lw=1, ls=":", alpha=0.7, label="guessing: 0.500")
