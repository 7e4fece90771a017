"""How the critical-difference diagram is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib import pyplot
from matplotlib.axes import Axes

if TYPE_CHECKING:
    from classica.statistics.friedman import FriedmanNemenyi

_LINE = 0.34  # between two names
_BAR = 0.16  # between two bars
_INK = "#24303c"


def draw(result: FriedmanNemenyi, ax: Axes | None) -> Axes:
    """Draw ranks on an axis, the better half named on the left and the others on the right."""
    models = len(result.ranks)
    lowest = _BAR * (len(result.groups) + 1.5) + _LINE * ((models + 1) // 2)
    if ax is None:
        _, ax = pyplot.subplots(figsize=(7.2, 1.1 + 0.95 * lowest), layout="constrained")
    ax.set(xlim=(0.4, models + 0.6), ylim=(-lowest, 1.0))
    ax.axis("off")
    _draw_scale(ax, models)
    _draw_difference(ax, result)
    for number, group in enumerate(result.groups, start=1):
        ends = [result.ranks[group[0]] - 0.04, result.ranks[group[-1]] + 0.04]
        ax.plot(ends, [-_BAR * number] * 2, lw=4, color=_INK, solid_capstyle="butt", label="_group")
    _name_models(ax, result)
    return ax


def _draw_scale(ax: Axes, models: int) -> None:
    ax.plot([1, models], [0, 0], color=_INK, lw=1)
    for rank in range(1, models + 1):
        ax.plot([rank, rank], [0, 0.08], color=_INK, lw=1)
        ax.text(rank, 0.12, str(rank), ha="center", va="bottom", fontsize="small")


def _draw_difference(ax: Axes, result: FriedmanNemenyi) -> None:
    """Draw the critical difference as a bar above the scale, cut off where the scale ends."""
    models = len(result.ranks)
    end = min(1 + result.critical_difference, models + 0.5)
    ax.plot([1, end], [0.62, 0.62], color="tab:red", lw=1.5, marker="|", ms=8)
    label = f"critical difference {result.critical_difference:.2f}"
    ax.text(1, 0.72, label, ha="left", va="bottom", fontsize="small", color="tab:red")


def _name_models(ax: Axes, result: FriedmanNemenyi) -> None:
    names = list(result.ranks)
    half = (len(names) + 1) // 2
    top = -_BAR * (len(result.groups) + 1)
    for index, name in enumerate(names):
        left = index < half
        line = index if left else len(names) - 1 - index
        height = top - _LINE * (line + 0.5)
        rank, side = result.ranks[name], 0.7 if left else len(names) + 0.3
        ax.plot([rank, rank, side], [0, height, height], color=_INK, lw=0.8)
        label = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
        ax.text(
            side - 0.05 if left else side + 0.05,
            height,
            label,
            ha="right" if left else "left",
            va="center",
            fontsize="small",
        )
