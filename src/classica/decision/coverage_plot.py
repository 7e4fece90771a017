"""The picture of risk against coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

if TYPE_CHECKING:
    from classica.decision.coverage import RiskCoverage

_FAINT = "#e6e9ec"


def draw(curve: RiskCoverage, ax: Axes | None, threshold: float | None, label: str | None) -> Axes:
    """Draw the curve as the steps it has, and mark where a threshold puts it."""
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained")
    (line,) = ax.step(curve.coverage, curve.risk, where="pre", label=label)
    if threshold is not None:
        coverage, risk = curve.at(threshold)
        name = f"reject above {threshold:.3g}: coverage {coverage:.1%}, risk {risk:.3g}"
        ax.plot([coverage], [risk], "o", color=line.get_color(), label=name)
    if label is not None or threshold is not None:
        ax.legend(frameon=False)
    _name_axes(ax)
    return ax


def _name_axes(ax: Axes) -> None:
    ax.set_xlabel("coverage (share of rows not rejected)")
    ax.set_ylabel("risk (mean cost of a prediction)")
    ax.set_xlim(0, 1.01)
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.grid(color=_FAINT)
    ax.set_axisbelow(True)
