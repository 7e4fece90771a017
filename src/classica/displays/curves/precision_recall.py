"""The precision-recall curve: how many of a class are found, and how many of the finds are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.displays.curves.curve_display import CurveDisplay
from classica.displays.curves.ranked_counts import ranked_counts
from classica.displays.palette import class_color, foreground
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class PrecisionRecallDisplay(CurveDisplay):
    """Precision-recall curves from stored scores: the mean over folds and their spread.

    Between two points the curve is a step, as average precision counts it: to find a share of the class one
    must accept all rows up to the score that finds it.

    Examples
    --------
    >>> display = PrecisionRecallDisplay.from_scores(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8])
    >>> round(display.bands[0].area, 4)
    0.8333
    """

    area_name: ClassVar[str] = "average precision"
    axis_names: ClassVar[tuple[str, str]] = (
        "recall: share of the class that is found",
        "precision: share of finds that are right",
    )
    title: ClassVar[str] = "Precision and recall: what finding more costs"

    @staticmethod
    def _curve(truth: NDArray[np.intp], scores: Floats, grid: Floats) -> tuple[Floats, float]:
        hits, alarms = ranked_counts(truth, scores)
        recall = hits / hits[-1]
        precision = np.append(1.0, hits[1:] / (hits[1:] + alarms[1:]))
        # The first point that finds at least so much; that of no row accepted counts for 0 alone.
        heights = precision[np.minimum(np.searchsorted(recall, grid - 1e-12), len(recall) - 1)]
        return heights, float(np.sum(np.diff(recall) * precision[1:]))

    def _draw_chance(self, ax: Axes) -> None:
        if len(self.bands) == 1:
            share = self.bands[0].share
            ax.axhline(share, color=foreground(), lw=1, ls=":", alpha=0.7, label=f"guessing: {share:.3f}")
            return
        for band in self._shown():  # each class has a level of its own: short marks at the end
            ax.plot([0.98, 1.01], [band.share] * 2, color=class_color(band.code), lw=2)
        ax.plot([], [], color=foreground(), lw=2, label="marks at the right: guessing")
