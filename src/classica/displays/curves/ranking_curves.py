"""The ROC curve, precision against recall, and cumulative gains, by rows ranked by their score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.displays.canvas import foreground
from classica.displays.curves.curve_display import CurveDisplay
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from classica.displays.canvas import class_color

#: The share of the rows at which the lift is told.
_TENTH = 0.1


def ranked_counts(truth: NDArray[np.intp], scores: Floats) -> tuple[Floats, Floats]:
    """Return the numbers of true and false positives at each distinct threshold.

    A report draws hundreds of curves of few rows; checks of every array would take longer than the counting.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        1 for rows of the class, 0 for others.
    scores : ndarray of shape (n_rows,)
        Their finite scores.

    Returns
    -------
    hits, alarms : ndarray
        Both from no row accepted to all accepted.

    Examples
    --------
    >>> hits, alarms = ranked_counts(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.4, 0.8]))
    >>> hits.tolist(), alarms.tolist()
    ([0.0, 1.0, 2.0, 2.0], [0.0, 0.0, 1.0, 2.0])
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    hits = np.cumsum(truth[order])[last]
    return np.append(0.0, hits), np.append(0.0, last + 1 - hits)


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
    axis_names: ClassVar[tuple[str, str]] = ("recall", "precision")
    title: ClassVar[str] = "Precision–recall curve"

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
            ax.axhline(
                share, color=foreground(), lw=1, ls=":", alpha=0.7, label=f"random guessing: {share:.3f}"
            )
            return
        for band in self._shown():  # each class has a level of its own: short marks at the end
            ax.plot([0.98, 1.01], [band.share] * 2, color=class_color(band.code), lw=2)
        ax.plot([], [], color=foreground(), lw=2, label="marks on the right: random guessing")


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
    axis_names: ClassVar[tuple[str, str]] = ("false positive rate", "true positive rate")
    title: ClassVar[str] = "ROC curve"

    @staticmethod
    def _curve(truth: NDArray[np.intp], scores: Floats, grid: Floats) -> tuple[Floats, float]:
        hits, alarms = ranked_counts(truth, scores)
        found, false = hits / hits[-1], alarms / alarms[-1]
        heights = np.interp(grid, false, found)
        heights[0] = 0.0  # every curve begins in the corner, also one that rises at once
        return heights, float(np.sum(np.diff(false) * (found[1:] + found[:-1])) / 2)

    def _draw_chance(self, ax: Axes) -> None:
        ax.plot([0, 1], [0, 1], color=foreground(), lw=1, ls=":", alpha=0.7, label="random guessing: 0.500")


@dataclass(eq=False)
class GainsDisplay(CurveDisplay):
    """Cumulative gains: how much of a class is found among the rows with the highest scores.

    The curve sums up to the lift at a tenth of the rows: how many times more rows of the class are among them
    than among as many rows taken at random.

    Examples
    --------
    >>> scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0]
    >>> display = GainsDisplay.from_scores(["yes", "yes"] + ["no"] * 8, scores)
    >>> round(display.bands[0].area, 1)
    5.0
    """

    area_name: ClassVar[str] = "lift at 10% of the rows"
    axis_names: ClassVar[tuple[str, str]] = (
        "share of rows, highest scores first",
        "share of the class found",
    )
    title: ClassVar[str] = "Cumulative gains"

    @staticmethod
    def _curve(truth: NDArray[np.intp], scores: Floats, grid: Floats) -> tuple[Floats, float]:
        hits, alarms = ranked_counts(truth, scores)
        # Rows of equal scores have no order: they are found evenly.
        heights = np.interp(grid, (hits + alarms) / len(truth), hits / hits[-1])
        return heights, float(np.interp(_TENTH, grid, heights) / _TENTH)

    def _draw_chance(self, ax: Axes) -> None:
        ax.plot([0, 1], [0, 1], color=foreground(), lw=1, ls=":", alpha=0.7, label="random order: 1.000")
