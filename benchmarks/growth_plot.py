"""Growing cost on log axes: one panel per step, points as measured, the stated cost dashed through them."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from benchmarks import wording
from benchmarks.growth import Curve, GrowthResult, Step, larger

_INK, _FAINT, _GRID = "#24292f", "#7d8590", "#e6e9ec"
_COLOURS = ("#2a7f9e", "#c9622d", "#5b7f3b", "#7b5ea7")
_PANELS: tuple[tuple[Step, str], ...] = (("fit", "fit"), ("query", "one query"))


def draw(result: GrowthResult) -> Figure:
    """Draw time against the number of rows: fit on the left, one query on the right."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    for axes, (step, title) in zip(figure.subplots(1, 2), _PANELS, strict=True):
        curves = [curve for curve in result.curves if curve.step == step]
        for curve, colour in zip(curves, _COLOURS, strict=False):
            _draw_curve(axes, result.sizes, curve, colour)
        _explain(axes, title, result.sizes)
    heading = f"{result.work}, {result.columns} columns"
    figure.suptitle(heading, x=0.01, ha="left", color=_INK, fontsize=12, fontweight="bold")
    return figure


def write_plot(result: GrowthResult, out: Path) -> list[Path]:
    """Save the picture as SVG and PNG, under the name of its row."""
    figure = draw(result)
    paths = [out / f"{result.slug}.{ending}" for ending in ("svg", "png")]
    for path in paths:
        figure.savefig(path, dpi=160)
    return paths


def _draw_curve(axes: Axes, sizes: tuple[int, ...], curve: Curve, colour: str) -> None:
    label = f"{curve.name}: {wording.growth(curve)}"
    axes.plot(sizes, curve.seconds, color=colour, marker="o", markersize=4.5, linewidth=1.6, label=label)
    kept = larger(len(sizes))
    steps = np.log(sizes[kept]) - np.mean(np.log(sizes[kept]))
    stated = np.exp(np.mean(np.log(curve.seconds[kept])) + curve.stated_slope * steps)
    axes.plot(sizes[kept], stated, color=colour, linewidth=1.1, linestyle=(0, (4, 3)), alpha=0.7)


def _explain(axes: Axes, title: str, sizes: tuple[int, ...]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(FixedLocator(list(sizes)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: wording.short(value)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: wording.time(value)))
    axes.yaxis.set_minor_locator(NullLocator())
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.3)  # room for the legend
    axes.grid(color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=_FAINT, labelsize=9.5)
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("rows", color=_FAINT, fontsize=9.5)
    axes.set_title(title, loc="left", color=_INK, fontsize=11)
    handles, _ = axes.get_legend_handles_labels()
    dashes = Line2D([], [], color=_FAINT, linewidth=1.1, linestyle=(0, (4, 3)), label="as stated")
    axes.legend(handles=[*handles, dashes], loc="upper left", frameon=False, fontsize=9.5, labelcolor=_INK)
