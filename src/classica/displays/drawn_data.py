"""The numbers behind a picture, read from what was drawn: lines, points and bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

#: Digits of a number; a picture shows fewer.
_DIGITS = 5


def drawn_data(ax: Axes) -> list[list[Any]]:
    """Return name, horizontal and vertical position of all that was drawn, headings first.

    The names are those of the legend. Where an axis has names instead of numbers, so has the table. Points
    along a level stretch of a line are left out but for its ends.
    """
    across, up = (_names(axis) for axis in (ax.xaxis, ax.yaxis))
    headings = ["series", *(_plain(axis.label.get_text()) for axis in (ax.xaxis, ax.yaxis))]
    rows = [
        [name, _cell(x, across), _cell(y, up)]
        for name, points in (*_lines(ax), *_points(ax), *_bars(ax))
        for x, y in points.tolist()
    ]
    return [
        [heading or default for heading, default in zip(headings, ("series", "x", "y"), strict=True)],
        *rows,
    ]


def _lines(ax: Axes) -> Iterator[tuple[str, Floats]]:
    lines = [line for line in ax.get_lines() if line.get_transform() == ax.transData]
    named = [line for line in lines if not str(line.get_label()).startswith("_")]
    for line in named or lines:
        yield _own_name(line), _bends(np.asarray(line.get_xydata(), dtype=np.float64))


def _bends(points: Floats) -> Floats:
    """Return the points of a line without those within a level stretch."""
    if len(points) < 3:
        return points
    level = (points[1:-1, 1] == points[:-2, 1]) & (points[1:-1, 1] == points[2:, 1])
    kept: Floats = points[np.concatenate([[True], ~level, [True]])]
    return kept


def _points(ax: Axes) -> Iterator[tuple[str, Floats]]:
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_hex

    names = _legend_names(ax)
    for each in ax.collections:
        colors = np.asarray(each.get_facecolor()) if isinstance(each, PathCollection) else np.empty((0, 4))
        if len(colors):  # rings around points have none, and repeat them
            name = _own_name(each) or names.get(to_hex(colors[0]), "")
            yield name, np.ma.getdata(each.get_offsets()).astype(np.float64)


def _legend_names(ax: Axes) -> dict[str, str]:
    """Return the names of the legend by their colours."""
    from matplotlib.colors import to_hex
    from matplotlib.lines import Line2D

    figure = ax.get_figure(root=True)
    legends = [ax.get_legend(), *(figure.legends if figure is not None else [])]
    return {
        to_hex(handle.get_color()): text.get_text()
        for legend in legends
        if legend is not None
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True)
        if isinstance(handle, Line2D)
    }


def _bars(ax: Axes) -> Iterator[tuple[str, Floats]]:
    from matplotlib.container import BarContainer

    for each in ax.containers:
        if isinstance(each, BarContainer):
            boxes = [bar.get_bbox() for bar in each.patches]
            if each.orientation == "horizontal":
                ends = [(box.x1, (box.y0 + box.y1) / 2) for box in boxes]
            else:
                ends = [((box.x0 + box.x1) / 2, box.y1) for box in boxes]
            yield _own_name(each), np.array(ends, dtype=np.float64).reshape(-1, 2)


def _own_name(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") else _plain(label)


def _names(axis: Axis) -> dict[float, str]:
    """Return what is written at the positions of an axis that has names instead of numbers."""
    from matplotlib.ticker import FixedFormatter

    if not isinstance(axis.get_major_formatter(), FixedFormatter):
        return {}
    texts = [text.get_text() for text in axis.get_ticklabels()]
    return dict(zip(map(float, axis.get_ticklocs()), texts, strict=False))


def _cell(value: float, names: dict[float, str]) -> Any:
    return names.get(value) or (float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None)


def _plain(text: str) -> str:
    return " ".join(text.split())
