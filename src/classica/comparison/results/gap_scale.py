"""The scale on which the differences of models from the best are drawn, in text and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classica.comparison.results.summary import ModelResult
from classica.statistics.interval import Interval

#: Characters of the picture in text.
_CHARACTERS = 15


@dataclass(frozen=True)
class GapScale:
    """From differences to positions, one scale for all models: worse to the left, the best model at 0.

    Attributes
    ----------
    worst, ahead : float
        Its ends: how far behind the best, and how far ahead of it.
    """

    worst: float
    ahead: float

    @classmethod
    def of(cls, models: Sequence[ModelResult]) -> GapScale:
        """Return the scale that the intervals of these models fit on; the baseline may lie outside it."""
        gaps = [each.standing.gap for each in models if each.standing is not None and each.role == "model"]
        behind = [gap.high for gap in gaps if np.isfinite(gap.high)]
        ahead = [-gap.low for gap in gaps if np.isfinite(gap.low)]
        return cls(max([*behind, 0.0]), max([*ahead, 0.0]))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw: no model differs from the best."""
        return not self.worst + self.ahead > 0

    def place(self, behind: float) -> float:
        """Return the position of a difference, 0 for the left end and 1 for the right end."""
        share = (self.worst - behind) / (self.worst + self.ahead)
        return min(max(share, 0.0), 1.0)

    def holds(self, behind: float) -> bool:
        """Return whether a difference lies on the scale."""
        return -self.ahead <= behind <= self.worst

    def text(self, gap: Interval) -> str:
        """Return a dot at a difference, a line along its interval, and a mark at the best."""
        if self.is_empty:
            return ""
        cells = [" "] * _CHARACTERS
        if np.isfinite(gap.low):
            for place in range(self._cell(gap.high), self._cell(gap.low) + 1):
                cells[place] = "─"
        zero = self._cell(0.0)
        cells[zero] = "┼" if cells[zero] == "─" else "│"
        if not self.holds(gap.mean):
            return "◂" + "".join(cells[1:])
        cells[self._cell(gap.mean)] = "●"
        return "".join(cells)

    def _cell(self, behind: float) -> int:
        return round((_CHARACTERS - 1) * self.place(behind))
