"""Segments of the table with more errors than the other rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import WRONG, foreground, headline, percent_ticks, quiet_frame, shorten
from classica.displays.display import Display
from classica.errors import DataError
from classica.inspection.error_segments import ErrorSegments

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class SegmentDisplay(Display):
    """The error rates of segments beside those of all other rows.

    Attributes
    ----------
    segments : ErrorSegments
        What was found.
    """

    segments: ErrorSegments = field(repr=False)

    @classmethod
    def from_segments(cls, segments: ErrorSegments) -> SegmentDisplay:
        """Take a result of `classica.inspection.error_segments` with at least one segment."""
        if not segments.segments:
            raise DataError("segments must have at least one segment, got none.")
        return cls(segments)

    def plot(self, ax: Axes | None = None) -> SegmentDisplay:
        """Draw the error rate of each segment with its interval, and a line for that of the other rows."""
        axes, found = self._begin(ax), self.segments.segments
        for place, each in enumerate(found):
            axes.plot([each.error_low, each.error_high], [place, place], color=WRONG, lw=2, alpha=0.7)
            axes.plot([each.rest_error], [place], "|", color=foreground(), ms=14, mew=1.6)
        axes.plot([each.error for each in found], np.arange(len(found)), "o", color=WRONG, ms=7)
        names = [f"{shorten(each.name, 36)} ({each.rows:,})" for each in found]
        axes.set_yticks(range(len(found)), names)
        axes.set_ylim(len(found) - 0.4, -0.6)
        axes.set_xlim(left=0, right=min(1.02, 1.08 * max(each.error_high for each in found)))
        percent_ticks(axes.xaxis)
        axes.set_xlabel("error rate")
        axes.tick_params(axis="y", length=0)
        quiet_frame(axes)
        headline(axes, "Where errors are more frequent", self._note())
        return self

    def data(self) -> list[list[Any]]:
        """Return every segment with its error rate and that of the other rows, headings first."""
        rows = [
            [each.name, each.rows, each.errors, each.error, each.error_low, each.error_high, each.rest_error]
            for each in self.segments.segments
        ]
        return [["segment", "rows", "errors", "error", "low", "high", "error elsewhere"], *rows]

    def _size(self) -> tuple[float, float]:
        return 6.4, 1.9 + 0.34 * len(self.segments.segments)

    def _note(self) -> str:
        found = self.segments
        sample = "" if found.sampled == found.rows else f" A sample of {found.sampled:,} rows."
        return (
            f"Points: error rate of the segment (rows) with its 95% interval; bars: that of all other rows."
            f" The only significant ones of {found.tried:,} segments, corrected for the search.{sample}"
        )

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return "Segments with more errors. " + str(self.segments).replace("\n", "; ") + "."
