"""An axis of a picture of two columns: where it is asked for answers, and how it is labelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import shorten
from classica.displays.planes.table_view import TableView
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axis import Axis

_MARGIN = 0.06  # of the range on either side


@dataclass(frozen=True)
class PlaneAxis:
    """A column as an axis.

    Attributes
    ----------
    name : str
        What is written along it.
    values : ndarray
        The middles of the cells into which the axis is cut; for categories the place of each level.
    low, high : float
        Where the axis ends.
    levels : list or None
        The names of the levels; None for numbers.
    """

    name: str
    values: Floats
    low: float
    high: float
    levels: list[Any] | None = None

    @property
    def title(self) -> str:
        """The name in one line, without what explains it."""
        return self.name.split("\n")[0]

    @classmethod
    def of(cls, view: TableView, place: int, resolution: int) -> PlaneAxis:
        """Return the axis of a column, a little longer than its values."""
        levels = view.levels.get(place)
        if levels is not None:
            count = max(len(levels), 1)
            return cls(view.names[place], np.arange(float(count)), -0.5, count - 0.5, levels)
        cells = view.matrix[:, place]
        low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
        margin = _MARGIN * (high - low) if high > low else max(abs(high), 1.0) / 2
        low, high = low - margin, high + margin
        step = (high - low) / resolution
        middles = low + step * (np.arange(resolution, dtype=np.float64) + 0.5)
        return cls(view.names[place], middles, low, high)

    def spread(self, values: Floats, turn: int) -> Floats:
        """Return where rows are drawn: beside each other if they have the same level."""
        if self.levels is None:
            return values
        # Steps of the golden ratio fall evenly, however many there are; no seed is needed.
        steps = (np.arange(len(values)) * (0.6180339887 + 0.1 * turn)) % 1
        drawn: Floats = values + 0.6 * (steps - 0.5)
        return drawn

    def label(self, axis: Axis) -> None:
        """Write name and levels along an axis of a picture."""
        axis.set_label_text("\n".join(shorten(line, 54) for line in self.name.split("\n")))
        if self.levels is not None:
            turned = axis is axis.axes.xaxis and sum(len(str(level)) for level in self.levels) > 50
            style: dict[str, Any] = (
                {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if turned else {}
            )
            axis.set_ticks(self.values, [shorten(level, 18) for level in self.levels], **style)
