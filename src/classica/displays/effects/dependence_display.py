"""Partial dependence on a column, with the curves of single rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.displays.canvas import (
    RIGHT,
    class_color,
    foreground,
    headline,
    legend_beside,
    one_path,
    percent_ticks,
    quiet_frame,
    shorten,
)
from classica.displays.display import Display
from classica.inspection.dependence import PartialDependence, value_text
from classica.native import Floats
from classica.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Classes that have a line each; of more only those that vary most.
_MOST_CLASSES = 6


@dataclass(eq=False)
class DependenceDisplay(Display):
    """What a model predicts on average for each value of a column.

    Attributes
    ----------
    dependence : PartialDependence
        What was computed.
    """

    dependence: PartialDependence = field(repr=False)

    @classmethod
    def from_dependence(cls, dependence: PartialDependence) -> DependenceDisplay:
        """Take a result of `classica.inspection.partial_dependence`."""
        return cls(dependence)

    @property
    def lines(self) -> list[int]:
        """The classes that are drawn, as indices: one of two, otherwise those that vary most."""
        average = self.dependence.average
        if len(average) == 2:
            return [self.dependence.shown]
        order = np.argsort(-np.ptp(average, axis=1), kind="stable")[:_MOST_CLASSES]
        return sorted(int(index) for index in order)

    def plot(self, ax: Axes | None = None) -> DependenceDisplay:
        """Draw the mean probabilities, and faint curves of single rows for one class."""
        axes, found = self._begin(ax), self.dependence
        places = self._places()
        known = np.array([value is not None for value in found.values])
        self._draw_rows(axes, places[known], known)
        labels = found.classes.tolist()
        for line in self.lines:
            color = RIGHT if len(labels) == 2 else class_color(line)
            style: dict[str, Any] = {"lw": 2, "ms": 3.5} if found.is_numeric else {"lw": 0, "ms": 8}
            mean = found.average[line]
            axes.plot(places[known], mean[known], "o-", color=color, label=shorten(labels[line], 18), **style)
            axes.plot(places[~known], mean[~known], "D", color=color, ms=6)
        self._name_axes(axes, places)
        percent_ticks(axes.yaxis)
        quiet_frame(axes)
        if len(self.lines) > 1:
            legend_beside(axes, title="class")
        headline(axes, shorten(f"Effect of {found.column}", 60), self._note())
        return self

    def data(self) -> list[list[Any]]:
        """Return the mean probability of every class for each value, headings first."""
        found = self.dependence
        rows = [
            [value_text(value), *found.average[:, place].tolist()] for place, value in enumerate(found.values)
        ]
        return [[found.column, *(f"probability of {label}" for label in found.classes.tolist())], *rows]

    def _places(self) -> Floats:
        """Return where values are drawn; a missing one to the right of all numbers."""
        values = self.dependence.values
        if not self.dependence.is_numeric:
            return np.arange(float(len(values)))
        numbers = [value for value in values if value is not None]
        wide = max(numbers) - min(numbers) or 1.0
        return np.array([max(numbers) + 0.1 * wide if each is None else float(each) for each in values])

    def _draw_rows(self, ax: Axes, places: Floats, known: NDArray[np.bool_]) -> None:
        from matplotlib.patches import PathPatch

        curves = self.dependence.individual[:, known]
        if self.dependence.is_numeric and curves.shape[1] > 1:
            path = one_path([np.column_stack([places, curve]) for curve in curves])
            ax.add_patch(PathPatch(path, fill=False, ec=foreground(), lw=0.6, alpha=0.22))
        elif not self.dependence.is_numeric and len(self.lines) == 1:
            dashes = [
                np.array([[place - 0.16, share], [place + 0.16, share]])
                for place, line in zip(places, curves.T, strict=True)
                for share in line
            ]
            ax.add_patch(PathPatch(one_path(dashes), fill=False, ec=foreground(), lw=0.6, alpha=0.22))

    def _name_axes(self, ax: Axes, places: Floats) -> None:
        found = self.dependence
        if not found.is_numeric:
            names = [shorten(value_text(value), 14) for value in found.values]
            turned = sum(map(len, names)) > (45 if len(self.lines) == 1 else 32)
            ax.set_xticks(places, names, rotation=40 if turned else 0, ha="right" if turned else "center")
            ax.set_xlim(-0.6, len(places) - 0.4)
        elif None in found.values:
            last = shown_end(ax)
            ax.set_xticks([*ax.get_xticks()[1:last], places[-1]])
            ax.set_xticklabels([*(f"{tick:g}" for tick in ax.get_xticks()[:-1]), "missing"])
        ax.set_xlabel(shorten(found.column, 60))
        label = shorten(found.classes.tolist()[found.shown], 30)
        ax.set_ylabel(f"probability of {label}" if len(self.lines) == 1 else "probability of the class")
        # From 0 on, and for two classes to 1: a small effect is to look small.
        ax.set_ylim(-0.02, 1.02 if len(found.classes) == 2 else min(ax.get_ylim()[1], 1.02))

    def _note(self) -> str:
        found = self.dependence
        notes = [f"Mean prediction of {counted(found.rows, 'row')} with the value set in all of them."]
        if len(found.individual) and (found.is_numeric or len(self.lines) == 1):
            label = shorten(found.classes.tolist()[found.shown], 18)
            whose = "" if len(found.classes) == 2 else f", for {label}"
            notes.append(f"Thin: {counted(len(found.individual), 'single row')}{whose}.")
        if len(self.lines) < len(found.classes) and len(found.classes) > 2:
            notes.append(f"The {len(self.lines)} of {len(found.classes)} classes that vary most.")
        if found.left_out:
            notes.append(f"{counted(found.left_out, 'rarer level')} not shown.")
        return " ".join(notes)

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return f"Partial dependence on {self.dependence.column}. {self.dependence}"


def shown_end(ax: Axes) -> int:
    """Return how many ticks lie left of the missing values."""
    ticks, high = ax.get_xticks(), ax.get_xlim()[1]
    return max(2, int(np.searchsorted(ticks, high - 0.12 * (high - ticks[0]))))
