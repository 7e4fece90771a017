"""Draw decision regions: colours by class, shaded by probability, hatched where rows are rejected."""

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
    ring_handle,
    shorten,
    shown_rows,
)
from classica.native import Floats
from classica.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from classica.displays.planes.regions import DecisionRegionsDisplay

_FAINT, _STRONG = 0.10, 0.42  # opacity of a region: unsure, sure
_STEPS = 8  # of shading; few steps read as contours and make a small file


def draw_regions(display: DecisionRegionsDisplay, ax: Axes) -> None:
    """Draw the regions as one picture, and their borders as lines."""
    extent = display.x.low, display.x.high, display.y.low, display.y.high
    ax.imshow(_colors(display), extent=extent, origin="lower", aspect="auto", interpolation="none", zorder=0)
    _draw_borders(display, ax)
    if display.rejected is not None:
        _hatch(display, ax)


def _colors(display: DecisionRegionsDisplay) -> Any:
    from matplotlib.colors import to_rgba_array

    table = to_rgba_array([class_color(code) for code in range(len(display.classes))])
    image = table[display.regions]
    image[..., 3] = _opacity(display)
    return (image * 255).round().astype(np.uint8)


def _opacity(display: DecisionRegionsDisplay) -> Floats:
    """Return how strong the colour is: by how far the probability lies above that of a guess."""
    if display.probability is None:
        return np.full(display.regions.shape, 0.28)
    guess = 1 / max(len(display.classes), 2)
    sure = np.clip((display.probability - guess) / (1 - guess), 0, 1)
    stepped: Floats = _FAINT + (_STRONG - _FAINT) * np.round(sure * _STEPS) / _STEPS
    return stepped


def _draw_borders(display: DecisionRegionsDisplay, ax: Axes) -> None:
    from matplotlib.patches import PathPatch

    lines = borders(display.regions)
    steps = [(display.x.low, display.x.high), (display.y.low, display.y.high)]
    sizes = display.regions.shape[1], display.regions.shape[0]
    for axis, ((low, high), size) in enumerate(zip(steps, sizes, strict=True)):
        for line in lines:
            line[:, axis] = low + (high - low) * line[:, axis] / size
    ax.add_artist(PathPatch(one_path(lines), fill=False, ec=foreground(), lw=0.8, alpha=0.6, zorder=1))


def borders(regions: Any) -> list[Floats]:
    """Return the lines between cells of different classes, in cells from the corner."""
    lines = []
    for flipped in (False, True):
        table = regions.T if flipped else regions
        changes = table[:, 1:] != table[:, :-1]  # a change lies on a line along the first axis
        for column in np.flatnonzero(changes.any(axis=0)):
            steps = np.flatnonzero(np.diff(np.concatenate([[0], changes[:, column], [0]]).astype(int)))
            for start, end in steps.reshape(-1, 2):
                line = np.array([[column + 1, start], [column + 1, end]], dtype=np.float64)
                lines.append(line[:, ::-1] if flipped else line)
    return lines


def _hatch(display: DecisionRegionsDisplay, ax: Axes) -> None:
    """Hatch where nothing is said, up to the frame; half the cells are fine enough for that."""
    from matplotlib import rc_context

    every = [
        1 if axis.levels is not None else max(1, len(axis.values) // 120) for axis in (display.y, display.x)
    ]
    silent = np.asarray(display.rejected, dtype=float)[:: every[0], :: every[1]]
    x, y = (
        np.concatenate([[axis.low], axis.values[::step], [axis.high]])
        for axis, step in zip((display.x, display.y), every[::-1], strict=True)
    )
    with rc_context({"hatch.linewidth": 0.6}):
        padded = np.pad(silent, 1, mode="edge")
        area = ax.contourf(x, y, padded, levels=[0.5, 1.5], colors="none", hatches=["///"], zorder=1)
    area.set_edgecolor(foreground())
    area.set_linewidth(0)


def draw_points(display: DecisionRegionsDisplay, ax: Axes, most: int | None) -> None:
    """Draw the rows by class, those that are wrong with a ring."""
    rows = shown_rows(len(display.codes), most)
    places = [axis.spread(display.points[rows, i], i) for i, axis in enumerate((display.x, display.y))]
    draw_rows(ax, np.column_stack(places), display.codes[rows], display.wrong[rows])


def _outside(display: DecisionRegionsDisplay) -> int:
    """Return how many rows have a value beyond the ends of an axis."""
    axes = (display.x, display.y)
    beyond = [
        (display.points[:, i] < axis.low) | (display.points[:, i] > axis.high) for i, axis in enumerate(axes)
    ]
    return int((beyond[0] | beyond[1]).sum())


def finish(display: DecisionRegionsDisplay, ax: Axes, most: int | None) -> None:
    """Write what is to be read."""
    from matplotlib.patches import Patch

    ax.set(xlim=(display.x.low, display.x.high), ylim=(display.y.low, display.y.high))
    display.x.label(ax.xaxis)
    display.y.label(ax.yaxis)
    wrong, rows = int(display.wrong.sum()), len(display.codes)
    handles = [class_handle(code, label) for code, label in enumerate(display.classes.tolist())]
    if wrong:
        handles.append(ring_handle(f"misclassified: {wrong:,} of {rows:,}"))
    if display.rejected is not None:
        handles.append(Patch(facecolor="none", edgecolor=foreground(), hatch="///", lw=0, label="rejected"))
    legend_beside(ax, handles)
    notes = [display.note]
    if display.probability is not None and display.cells is None:
        notes.append("Stronger colour: higher probability.")
    outside = _outside(display)
    if outside:
        notes.append(f"{counted(outside, 'row')} outside of the picture.")
    if most is not None and rows > most:
        notes.append(f"{most:,} of {rows:,} rows are shown.")
    name = type(display.estimator_).__name__ if display.estimator_ is not None else "the classifier"
    headline(ax, f"Decision regions of {shorten(name, 40)}", " ".join(note for note in notes if note))
