"""Horizontal bars with names, for weights and importances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import quiet_frame
from classica.displays.palette import foreground
from classica.errors import DataError, must
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def read_table(values: Any, what: str) -> Floats:
    """Return numbers as a table of finite values, one line for a single list."""
    try:
        table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise DataError(must(what, "numbers", values)) from None
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise DataError(must(what, "a table of finite numbers", np.shape(values) if table.size else values))
    return table


def read_names(names: Any, count: int) -> list[str]:
    """Return the names of columns, or their numbers."""
    if names is None:
        return [f"column {place}" for place in range(count)]
    if len(names) != count:
        raise DataError(must("names", f"{count} names, one for each column", len(names)))
    return [str(name) for name in names]


def draw_bars(ax: Axes, places: Floats, values: Floats, labels: list[str], **style: Any) -> None:
    """Draw bars from the top down, with their names at the left and a line at 0."""
    ax.barh(places, values, height=0.72, **style)
    ax.set_yticks(places, labels)
    ax.axvline(0, color=foreground(), lw=0.8)
    quiet_frame(ax)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
