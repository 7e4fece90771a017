"""Drawing a row and its neighbours: a circle on the plane, pictures, or cells side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import (
    COLORS,
    class_color,
    class_handle,
    draw_rows,
    foreground,
    headline,
    legend_beside,
    shorten,
)
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from classica.displays.neighbourhood.neighbour_panel import NeighbourPanelDisplay

ACROSS = 6  # pictures in a line
MOST_COLUMNS = 16  # lines of a table
MOST_ROWS = 7  # rows side by side, the one asked about among them


def draw_plane(display: NeighbourPanelDisplay, ax: Axes) -> None:
    """Draw the rows, lines to the nearest ones, and the circle that holds them."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Ellipse

    ink = foreground()
    near = np.zeros(len(display.rows), dtype=bool)
    near[display.neighbours] = True
    codes = np.zeros(len(display.rows), dtype=np.intp) if display.codes is None else display.codes
    draw_rows(ax, display.rows, codes, near)
    for row in display.rows[display.neighbours]:
        ax.plot(*np.array([display.query, row]).T, color=ink, lw=0.7, alpha=0.7, zorder=2)
    if display.euclidean:
        width = 2 * display.distances[-1]
        ax.add_artist(
            Ellipse(
                (display.query[0], display.query[1]),
                width,
                width,
                fill=False,
                ec=ink,
                lw=1,
                ls="dashed",
                zorder=2,
            )
        )
    ax.plot(*display.query, marker="X", ms=12, color=COLORS[4], mec=ink, ls="none", zorder=5)
    _frame_around(display, ax)
    ax.set(xlabel=shorten(display.names[0], 44), ylabel=shorten(display.names[1], 44))
    labels = [] if display.classes is None else display.classes.tolist()
    handles = [class_handle(code, label) for code, label in enumerate(labels)]
    handles.append(Line2D([], [], marker="X", ms=9, color=COLORS[4], mec=ink, ls="none", label="the row"))
    legend_beside(ax, handles)
    headline(ax, _title(display), display.votes())


def _frame_around(display: NeighbourPanelDisplay, ax: Axes) -> None:
    """Show the circle whole and some rows around it; a circle looks round when both axes have one scale."""
    half = 2.2 * max(float(display.distances[-1]), 1e-9)
    everything = np.vstack([display.rows, display.query])
    spread = np.ptp(everything, axis=0)
    close = spread.max() <= 20 * max(spread.min(), half)
    if close:
        ax.set_aspect("equal", adjustable="box")
    ends = []
    for axis in (0, 1):
        low = max(display.query[axis] - half, everything[:, axis].min() - 0.05 * spread[axis])
        high = min(display.query[axis] + half, everything[:, axis].max() + 0.05 * spread[axis])
        least = display.distances[-1] * 1.1
        ends.append((min(low, display.query[axis] - least), max(high, display.query[axis] + least)))
    ax.set(xlim=ends[0], ylim=ends[1])


def draw_images(display: NeighbourPanelDisplay, ax: Axes) -> None:
    """Draw the row and its neighbours as pictures, bright where values are high."""
    side = math.isqrt(len(display.names))
    pictures = [display.query, *display.rows[display.neighbours]]
    low, high = float(np.min(pictures)), float(np.max(pictures))
    across = min(len(pictures), ACROSS)
    down = math.ceil(len(pictures) / across)
    ax.set_axis_off()
    headline(ax, _title(display), display.votes())
    for index, picture in enumerate(pictures):
        line, column = divmod(index, across)
        box = ax.inset_axes((column / across, 1 - (line + 1) / down, 0.92 / across, 0.74 / down), zorder=2)
        box.imshow(picture.reshape(side, side), cmap="gray", vmin=low, vmax=max(high, low + 1e-12))
        box.set_xticks([])
        box.set_yticks([])
        _label_picture(display, index, box)


def _label_picture(display: NeighbourPanelDisplay, index: int, box: Axes) -> None:
    if index == 0:
        box.set_title("the row", fontsize=9, pad=3)
        box.spines[:].set(color=COLORS[4], linewidth=2)
        return
    label = "" if display.labels is None else f"{shorten(display.labels[index - 1], 10)}\n"
    box.set_title(f"{label}{display.distances[index - 1]:.4g} away", fontsize=8, pad=3)
    if display.codes is not None:
        box.spines[:].set(color=class_color(int(display.codes[display.neighbours[index - 1]])), linewidth=2)


def draw_table(display: NeighbourPanelDisplay, ax: Axes) -> None:
    """Write the cells side by side; those that equal the row's own are bold."""
    shown = min(len(display.neighbours), MOST_ROWS - 1)
    indices = _telling(display)
    ax.set_axis_off()
    ax.set(xlim=(-0.02, shown + 2.4), ylim=(len(indices) + 0.6, -1.6))
    _write_head(display, ax, shown)
    for line, index in enumerate(indices):
        ax.text(0, line, shorten(display.names[index], 22), va="center", fontsize=8.5)
        own = display.query_cells[index]
        cells = [own, *(display.cells[i][index] for i in range(shown))]
        for column, cell in enumerate(cells):
            same = "bold" if column and cell == own else "normal"
            ax.text(column + 2.2, line, shorten(cell, 11), va="center", ha="right", fontsize=8.5, weight=same)
        ax.axhline(line + 0.5, color=foreground(), lw=0.4, alpha=0.25)
    notes = [display.votes(), "Bold: the same as in the row."]
    if len(indices) < len(display.names):
        notes.append(f"{len(indices)} of {len(display.names)} columns are shown.")
    if shown < len(display.neighbours):
        notes.append(f"{shown} of {len(display.neighbours)} neighbours are shown.")
    headline(ax, _title(display), " ".join(notes))


def _write_head(display: NeighbourPanelDisplay, ax: Axes, shown: int) -> None:
    style: dict[str, Any] = {"va": "center", "ha": "right", "fontsize": 8.5}
    ax.text(2.2, -1.1, "the row", weight="bold", **style)
    for column in range(shown):
        label = f"row {display.neighbours[column]}" if display.labels is None else display.labels[column]
        color = foreground() if display.codes is None else None
        code = 0 if display.codes is None else int(display.codes[display.neighbours[column]])
        ax.text(
            column + 3.2, -1.1, shorten(label, 11), color=color or class_color(code), weight="bold", **style
        )
        ax.text(
            column + 3.2,
            -0.65,
            f"{display.distances[column]:.3g} away",
            alpha=0.8,
            **{**style, "fontsize": 7.5},
        )
    ax.axhline(-0.4, color=foreground(), lw=0.8, alpha=0.6)


def _telling(display: NeighbourPanelDisplay) -> list[int]:
    """Return the columns that are shown: all, or those in which the neighbours differ most from the row."""
    if len(display.names) <= MOST_COLUMNS:
        return list(range(len(display.names)))
    spread = np.nanstd(display.rows, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart: Floats = np.abs(display.rows[display.neighbours] - display.query) / spread
    apart = np.nan_to_num(apart, nan=0.0, posinf=0.0).mean(axis=0)
    return sorted(np.argsort(-apart, kind="stable")[:MOST_COLUMNS].tolist())


def _title(display: NeighbourPanelDisplay) -> str:
    prediction = f": {shorten(display.said)}" if display.said is not None else ""
    return f"A row and its nearest neighbours{prediction}"
