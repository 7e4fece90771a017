"""Risk against coverage: what rejecting the most uncertain rows would save."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from classica.decision.coverage import RiskCoverage
from classica.displays.canvas import RIGHT, foreground, headline, percent_ticks, quiet_frame
from classica.displays.display import Display
from classica.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: So few points are marked, because their line may not be seen.
_FEW = 5


@dataclass(eq=False)
class RiskCoverageDisplay(Display):
    """The risk of the rows that are predicted, against their share.

    Attributes
    ----------
    curve : RiskCoverage
        What was computed.
    reject_cost : float or None
        The cost of rejecting a row, which is marked.
    is_error_rate : bool
        Whether the risk is the error rate; otherwise a mean cost.
    """

    curve: RiskCoverage = field(repr=False)
    reject_cost: float | None = None
    is_error_rate: bool = True

    @classmethod
    def from_curve(
        cls, curve: RiskCoverage, *, reject_cost: float | None = None, is_error_rate: bool = True
    ) -> RiskCoverageDisplay:
        """Take a result of `classica.decision.risk_coverage`.

        Parameters
        ----------
        curve : RiskCoverage
            The curve.
        reject_cost : float, optional
            The cost of rejecting a row, to mark.
        is_error_rate : bool, default=True
            Whether the risk is the error rate; otherwise a mean cost.
        """
        return cls(curve, reject_cost, is_error_rate)

    def at(self, share: float) -> float:
        """Return the risk when at least this share of the rows is predicted."""
        place = int(np.searchsorted(self.curve.coverage, share - 1e-12))
        return float(self.curve.risk[min(place, len(self.curve.risk) - 1)])

    def plot(self, ax: Axes | None = None) -> RiskCoverageDisplay:
        """Draw the curve as the steps it has."""
        axes, found = self._begin(ax), self.curve
        # Of a model that is sure of all rows there is a single point.
        marker = "o" if len(found.coverage) < _FEW else ""
        axes.step(found.coverage, found.risk, where="pre", color=RIGHT, lw=2, marker=marker)
        axes.axhline(found.risk[-1], color=foreground(), lw=0.8, ls=":", alpha=0.7)
        if self.reject_cost is not None:
            coverage, risk = found.at(self.reject_cost)
            axes.plot([coverage], [risk], "o", color=RIGHT, ms=7)
        axes.set_xlim(0, 1.01)
        # The first few rows alone make jumps that say nothing and would squeeze the rest.
        steady = found.risk[found.coverage >= 0.05]
        axes.set_ylim(0, 1.15 * max(float(steady.max(initial=0.0)), float(found.risk[-1])) or 0.01)
        percent_ticks(axes.xaxis)
        if self.is_error_rate:
            percent_ticks(axes.yaxis)
        axes.set_xlabel("coverage: share of the rows that are predicted, the most certain first")
        axes.set_ylabel("error rate" if self.is_error_rate else "mean cost")
        quiet_frame(axes)
        headline(axes, "What rejecting uncertain rows would save", self._note())
        return self

    def _note(self) -> str:
        found = self.curve
        notes = [f"{counted(found.rows, 'held-out row')}. Dotted: all rows predicted."]
        if self.reject_cost is not None:
            coverage, risk = found.at(self.reject_cost)
            notes.append(
                f"Point: a rejected row costs {self.reject_cost:.3g}; coverage {coverage:.1%},"
                f" risk {self._risk(risk)}."
            )
        return " ".join(notes)

    def _risk(self, value: float) -> str:
        return f"{value:.1%}" if self.is_error_rate else f"{value:.3g}"

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        what = "error rate" if self.is_error_rate else "mean cost"
        whole, most, fewer = (self._risk(self.at(share)) for share in (1.0, 0.9, 0.75))
        return (
            f"Risk against coverage: the {what} of all rows is {whole}, of the 90% most certain rows {most},"
            f" of the 75% most certain {fewer}."
        )
