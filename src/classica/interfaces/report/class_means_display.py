"""Where the means of the classes lie, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.displays.canvas import class_handle, headline, legend_beside, quiet_frame, shorten
from classica.displays.display import Display
from classica.displays.palette import class_color, class_marker, foreground
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_COLUMNS = 12
_MOST_CLASSES = 20


@dataclass(eq=False)
class ClassMeansDisplay(Display):
    """The means of the classes, in standard deviations from the mean of all rows.

    Attributes
    ----------
    names : list of str
        The columns that are drawn, those that tell the classes apart most first.
    classes : list
        The class labels.
    owners : ndarray of shape (n_means,)
        The class of each mean; a class may have several.
    means : ndarray of shape (n_means, n_columns)
        The means of these columns.
    columns : int
        How many columns there are.
    """

    names: list[str] = field(repr=False)
    classes: list[Any]
    owners: NDArray[np.intp] = field(repr=False)
    means: Floats = field(repr=False)
    columns: int

    @classmethod
    def from_means(
        cls, means: Any, owners: Any, rows: Any, names: Sequence[str], classes: Sequence[Any]
    ) -> ClassMeansDisplay:
        """Take the means of a model, and the rows it has learned from for the scale of each column."""
        seen = np.asarray(rows, dtype=np.float64)
        spread = seen.std(axis=0)
        scaled = (np.asarray(means, dtype=np.float64) - seen.mean(axis=0)) / np.where(spread > 0, spread, 1)
        order = np.argsort(-np.ptp(scaled, axis=0), kind="stable")[:_MOST_COLUMNS]
        return cls(
            [names[place] for place in order], list(classes), np.asarray(owners), scaled[:, order], len(names)
        )

    def plot(self, ax: Axes | None = None) -> ClassMeansDisplay:
        """Draw a line for each column and a mark for each mean."""
        axes = self._begin(ax)
        places = np.arange(len(self.names))
        axes.hlines(
            places, self.means.min(axis=0), self.means.max(axis=0), color=foreground(), lw=1, alpha=0.3
        )
        shown = sorted(set(self.owners.tolist()))[:_MOST_CLASSES]
        for code in shown:
            mine = self.means[self.owners == code]
            style: dict[str, Any] = {"marker": class_marker(code), "color": class_color(code)}
            axes.scatter(mine.ravel(), np.tile(places, len(mine)), s=42, linewidths=0, zorder=3, **style)
        axes.axvline(0, color=foreground(), lw=0.8, alpha=0.6)
        axes.set_yticks(places, [shorten(name, 28) for name in self.names])
        axes.set_ylim(len(places) - 0.4, -0.6)
        axes.set_xlabel("mean of the class, in standard deviations from the mean of all rows")
        quiet_frame(axes)
        legend_beside(axes, [class_handle(code, self.classes[code]) for code in shown])
        headline(axes, "Where the classes lie", self._note(len(shown)))
        return self

    def _note(self, classes: int) -> str:
        notes = []
        if len(self.names) < self.columns:
            notes.append(f"The {len(self.names)} of {self.columns:,} columns in which they differ most.")
        if classes < len(self.classes):
            notes.append(f"The first {classes} of {len(self.classes)} classes.")
        return " ".join(notes)

    def _size(self) -> tuple[float, float]:
        return 6.8, 1.6 + max(0.3 * len(self.names), 0.21 * min(len(self.classes), _MOST_CLASSES))

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        apart = np.ptp(self.means, axis=0)
        told = ", ".join(f"{name} {each:.2g}" for name, each in zip(self.names[:3], apart, strict=False))
        return f"Means of the classes; they lie farthest apart in: {told} standard deviations."
