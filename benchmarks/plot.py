"""The ratios as horizontal bars from 1×: to the right Classica is faster, to the left slower.

A yardstick is no peer: its bar is grey.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from benchmarks import wording
from benchmarks.result import Outcome, RowResult, Run, Spread, Status

_INK, _FAINT, _GRID = "#24292f", "#7d8590", "#e6e9ec"
_FASTER, _SLOWER, _VOID, _YARDSTICK = "#2a7f9e", "#c9622d", "#d5d9dd", "#a3adb8"
_GAP = 0.95  # room above each group for the name of its row
_TARGET: dict[str, Any] = {"marker": "^", "color": _INK, "markersize": 5, "linestyle": ""}
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
_Bar = tuple[float, RowResult, Outcome]


def draw(run: Run) -> Figure:
    """Draw one group of bars per row and one bar per peer."""
    bars = list(_bars(run.rows))
    height = bars[-1][0] + 0.6
    figure = Figure(figsize=(9, 1.5 + 0.36 * height), layout="constrained")
    axes = figure.subplots()
    _scale(axes, run.rows)
    axes.set_ylim(height, 0)
    axes.set_yticks([y for y, _, _ in bars], [_name(outcome) for _, _, outcome in bars])
    for bar in bars:
        _draw_bar(axes, *bar)
    _name_groups(axes, bars)
    _explain(axes, f"Classica against its peers ({run.size} size)")
    return figure


def write_plot(figure: Figure, out: Path) -> list[Path]:
    """Save the figure as SVG and PNG."""
    paths = [out / "ratios.svg", out / "ratios.png"]
    for path in paths:
        figure.savefig(path, dpi=160)
    return paths


def _bars(rows: list[RowResult]) -> Iterator[_Bar]:
    """Yield the height of each bar, downwards."""
    y = 0.0
    for row in rows:
        y += _GAP
        for outcome in row.others:
            yield y, row, outcome
            y += 1


def _scale(axes: Axes, rows: list[RowResult]) -> None:
    """Set a log axis that shows 1×, every target and every ratio, with room for the labels."""
    spreads = [outcome.ratio for row in rows for outcome in row.others if outcome.ratio]
    goals = [goal for row in rows for outcome in row.others if (goal := row.goal(outcome))]
    highest = max([2.0, *goals, *(spread.high for spread in spreads)])
    lowest = min([1.0, *goals, *(spread.low for spread in spreads)])
    axes.set_xscale("log")
    axes.set_xlim(lowest * (0.6 if lowest < 1 else 0.9), highest * 1.8)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    axes.xaxis.set_minor_locator(NullLocator())


def _draw_bar(axes: Axes, y: float, row: RowResult, outcome: Outcome) -> None:
    if goal := row.goal(outcome):
        axes.plot(goal, y + 0.41, **_TARGET)
    if outcome.ratio is None:
        _write(axes, 1, y, _reason(outcome), _FAINT)
        return
    ratio, counts = outcome.ratio, outcome.status is Status.MEASURED
    axes.barh(y, ratio.median - 1, left=1, height=0.62, color=_colour(outcome, ratio), zorder=2)
    axes.plot([ratio.low, ratio.high], [y, y], color=_INK, linewidth=1.3, zorder=3)
    _label(axes, y, ratio, counts=counts)


def _name(outcome: Outcome) -> str:
    return f"{outcome.name} (yardstick)" if outcome.within else outcome.name


def _colour(outcome: Outcome, ratio: Spread) -> str:
    if outcome.status is not Status.MEASURED:
        return _VOID
    if outcome.within:
        return _YARDSTICK
    return _FASTER if ratio.median >= 1 else _SLOWER


def _reason(outcome: Outcome) -> str:
    # Measured, but without a ratio: it is ours that did not run.
    return "no ratio" if outcome.status is Status.MEASURED else str(outcome.status)


def _label(axes: Axes, y: float, ratio: Spread, *, counts: bool) -> None:
    words = wording.times(ratio.median) if counts else "answers differ"
    _write(axes, max(1, ratio.high), y, words, _INK if counts else _FAINT)


def _write(axes: Axes, x: float, y: float, words: str, colour: str, **style: Any) -> None:
    """Write just right of a point, wherever the axis puts that point."""
    style |= {"color": colour, "fontsize": 9.5, "va": "center_baseline"}
    axes.annotate(words, (x, y), xytext=(7, 0), textcoords="offset points", **style)


def _name_groups(axes: Axes, bars: list[_Bar]) -> None:
    tops = {row.slug: (y, row) for y, row, _ in reversed(bars)}
    for y, row in tops.values():
        name = f"{row.slug} ({row.compared})"
        _write(axes, 1, y - 0.62, name, _INK, fontweight="bold", bbox=_PAPER)


def _explain(axes: Axes, title: str) -> None:
    axes.axvline(1, color=_INK, linewidth=1, zorder=3)
    axes.grid(axis="x", color=_GRID, zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=_FAINT, labelsize=9.5)
    axes.tick_params(axis="y", colors=_INK)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_GRID)
    meaning = "time of the peer / time of Classica, median of the repeats"
    axes.set_xlabel(meaning, color=_FAINT, fontsize=9.5, labelpad=6)
    axes.set_title(title, loc="left", color=_INK, fontsize=12, fontweight="bold", pad=10)
    signs = [
        Line2D([], [], color=_INK, linewidth=1.3, label="range of repeats"),
        Line2D([], [], label="target", **_TARGET),
    ]
    box = axes.legend(handles=signs, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    box.set_frame_on(False)
