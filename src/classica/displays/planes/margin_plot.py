"""Drawing margins: the plane with boundary, margins and slacks; the histogram of margins by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import (
    class_color,
    class_handle,
    draw_rows,
    foreground,
    headline,
    legend_beside,
    one_path,
    quiet_frame,
    ring_handle,
    shorten,
)
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from classica.displays.planes.margin_display import MarginDisplay

_BINS = 40
_HATCHES = (None, "////")


def draw_plane(display: MarginDisplay, ax: Axes) -> None:
    """Draw boundary and margins, support vectors with rings, slacks as lines to the margin."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import PathPatch

    assert display.x is not None
    assert display.y is not None
    assert display.points is not None
    levels, ink = [-1.0, 0.0, 1.0], foreground()
    style: dict[str, Any] = {
        "colors": [ink],
        "linestyles": ["dashed", "solid", "dashed"],
        "linewidths": [1.0, 1.8, 1.0],
    }
    lines = ax.contour(display.x.values, display.y.values, display.scores, levels=levels, zorder=2, **style)
    ringed = np.zeros(len(display.codes), dtype=bool)
    ringed[display.support] = True
    draw_rows(ax, display.points, display.codes, ringed)
    slacks = slack_lines(display, [np.concatenate([*parts, np.empty((0, 2))]) for parts in lines.allsegs])
    ax.add_artist(PathPatch(one_path(slacks), fill=False, ec=ink, lw=0.8, ls="dotted", zorder=2))
    ax.set(xlim=(display.x.low, display.x.high), ylim=(display.y.low, display.y.high))
    display.x.label(ax.xaxis)
    display.y.label(ax.yaxis)
    handles = [class_handle(code, name) for code, name in enumerate(display.sides)]
    handles += [ring_handle("support vector"), Line2D([], [], color=ink, lw=1.8, label="boundary")]
    handles.append(Line2D([], [], color=ink, lw=1.0, ls="dashed", label="margin"))
    if slacks:
        handles.append(Line2D([], [], color=ink, lw=0.8, ls="dotted", label="slack"))
    legend_beside(ax, handles)
    headline(ax, f"The margin between {_names(display)}", display.note())


def slack_lines(display: MarginDisplay, contours: list[Floats]) -> list[Floats]:
    """Return a line from each row inside its margin to the nearest point of that margin."""
    lines = []
    points = np.asarray(display.points)
    for row in np.flatnonzero(display.slacks > 1e-3):
        margin = contours[2 if display.codes[row] == 1 else 0]
        if len(margin):
            lines.append(np.array([points[row], _nearest(points[row], margin)]))
    return lines


def _nearest(point: Floats, margin: Floats) -> Floats:
    nearest: Floats = margin[((margin - point) ** 2).sum(axis=1).argmin()]
    return nearest


def draw_histogram(display: MarginDisplay, ax: Axes) -> None:
    """Draw how the margins of each side are spread."""
    ends = np.percentile(display.margins, [0.5, 99.5])
    bins = int(np.clip(2 * np.sqrt(len(display.margins)), 12, _BINS))
    edges = np.linspace(min(ends[0], -1.2), max(ends[1], 1.5), bins + 1)
    shown = np.clip(display.margins, edges[0], edges[-1])
    for code, name in enumerate(display.sides):
        color, hatch = class_color(code), _HATCHES[code]
        label = f"{shorten(name)}: {int((display.codes == code).sum()):,} rows"
        ax.hist(
            shown[display.codes == code],
            edges.tolist(),
            histtype="stepfilled",
            facecolor=color if hatch is None else "none",
            edgecolor=color,
            alpha=0.7 if hatch is None else 1.0,
            hatch=hatch,
            label=label,
        )
    ink = foreground()
    ax.axvline(0, color=ink, lw=1.8, label="boundary")
    ax.axvline(1, color=ink, lw=1.0, ls="dashed", label="margin")
    ax.set_xlabel("functional margin (below 0: misclassified, below 1: inside the margin)")
    ax.set_ylabel("rows")
    quiet_frame(ax)
    legend_beside(ax)
    headline(ax, f"Margins of the rows of {_names(display)}", display.note())


def _names(display: MarginDisplay) -> str:
    return " and ".join(shorten(name) for name in display.sides)
