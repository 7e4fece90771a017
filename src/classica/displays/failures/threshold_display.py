"""What each threshold of the probability finds, misses and costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from classica.displays.canvas import (
    COLORS,
    RIGHT,
    WRONG,
    foreground,
    headline,
    legend_beside,
    percent_ticks,
    quiet_frame,
    shorten,
)
from classica.displays.display import Display
from classica.inspection.operating_points import OperatingCurve
from classica.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class ThresholdDisplay(Display):
    """Recall, precision and false alarms against the threshold.

    Attributes
    ----------
    curve : OperatingCurve
        What was computed.
    """

    curve: OperatingCurve = field(repr=False)

    @classmethod
    def from_curve(cls, curve: OperatingCurve) -> ThresholdDisplay:
        """Take a result of `classica.inspection.operating_curve`."""
        return cls(curve)

    def plot(self, ax: Axes | None = None) -> ThresholdDisplay:
        """Draw a line for each rate, and the operating points as vertical lines."""
        axes, found = self._begin(ax), self.curve
        rates = (("recall", found.recall, RIGHT), ("precision", found.precision, COLORS[2]))
        for name, values, color in (*rates, ("false alarms", found.false_alarms, WRONG)):
            axes.plot(found.thresholds, values, color=color, lw=2, label=name)
        draw_points(axes, found)
        axes.set(xlim=(0, 1), ylim=(-0.02, 1.02))
        for axis in (axes.xaxis, axes.yaxis):
            percent_ticks(axis)
        axes.set_xlabel(f"threshold: predict {shorten(found.positive, 24)} above this probability")
        quiet_frame(axes)
        legend_beside(axes)
        headline(axes, f"Finding {shorten(found.positive, 30)}", _rows(found))
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return f"Recall, precision and false alarms by threshold. {self.curve}"


@dataclass(eq=False)
class CostCurveDisplay(Display):
    """The mean cost of a row against the threshold.

    Attributes
    ----------
    curve : OperatingCurve
        What was computed.
    """

    curve: OperatingCurve = field(repr=False)

    @classmethod
    def from_curve(cls, curve: OperatingCurve) -> CostCurveDisplay:
        """Take a result of `classica.inspection.operating_curve`."""
        return cls(curve)

    def plot(self, ax: Axes | None = None) -> CostCurveDisplay:
        """Draw the mean cost, with the operating points."""
        axes, found = self._begin(ax), self.curve
        axes.plot(found.thresholds, found.costs, color=RIGHT, lw=2)
        for point in found.points:
            axes.plot([point.threshold], [point.cost], "o", color=RIGHT, ms=6)
        draw_points(axes, found)
        axes.set_xlim(0, 1)
        axes.set_ylim(bottom=0)
        percent_ticks(axes.xaxis)
        axes.set_xlabel(f"threshold: predict {shorten(found.positive, 24)} above this probability")
        axes.set_ylabel("mean cost of a row")
        quiet_frame(axes)
        legend_beside(axes)
        headline(axes, "What a threshold costs", self._note())
        return self

    def _note(self) -> str:
        (_, miss), (alarm, _) = self.curve.cost_matrix.tolist()
        given = "Balanced costs" if self.curve.is_balanced else "Given costs"
        label = shorten(self.curve.positive, 20)
        return f"{given}: a missed {label} {miss:.3g}, a false alarm {alarm:.3g}. {_rows(self.curve)}"

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        costs = ", ".join(
            f"{each.name} {each.cost:.3g} at {each.threshold:.3g}" for each in self.curve.points
        )
        return f"Mean cost by threshold: {costs}."


def draw_points(ax: Axes, curve: OperatingCurve) -> None:
    """Draw the operating points as vertical lines, told apart by their strokes."""
    for point, stroke in zip(curve.points, (":", "-", "--"), strict=True):
        label = f"{point.name} ({point.threshold:.2g})"
        ax.axvline(point.threshold, color=foreground(), lw=1, ls=stroke, alpha=0.8, label=label)


def _rows(curve: OperatingCurve) -> str:
    share = curve.positives / curve.rows
    return f"{counted(curve.rows, 'held-out row')}, {share:.1%} of them {shorten(curve.positive, 20)}."
