"""How two columns act together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import RIGHT, headline, shorten
from classica.displays.display import Display
from classica.inspection.dependence import value_text
from classica.inspection.interactions import Interactions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The strongest colour of a cell, so that the text in it can be read on light and dark ground.
_STRONGEST = 0.62


@dataclass(eq=False)
class InteractionDisplay(Display):
    """The mean probability of a class by the values of two columns.

    Attributes
    ----------
    interactions : Interactions
        What was computed.
    """

    interactions: Interactions = field(repr=False)

    @classmethod
    def from_interactions(cls, interactions: Interactions) -> InteractionDisplay:
        """Take a result of `classica.inspection.interactions`."""
        return cls(interactions)

    def plot(self, ax: Axes | None = None) -> InteractionDisplay:
        """Draw a cell for each pair of values, shaded by the mean probability."""
        from matplotlib.colors import to_rgb

        axes, found = self._begin(ax), self.interactions
        table = found.average.T  # the first column lies across
        image = np.zeros((*table.shape, 4))
        image[..., :3] = to_rgb(RIGHT)
        image[..., 3] = _STRONGEST * table
        axes.imshow(
            (255 * image).round().astype(np.uint8), origin="lower", aspect="auto", interpolation="nearest"
        )
        for (row, column), share in np.ndenumerate(table):
            axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=8)
        first, second = (
            [shorten(value_text(value), 12) for value in values]
            for values in (found.first_values, found.second_values)
        )
        turned = sum(map(len, first)) > 45
        axes.set_xticks(
            range(len(first)), first, rotation=40 if turned else 0, ha="right" if turned else "center"
        )
        axes.set_yticks(range(len(second)), second)
        axes.tick_params(length=0, labelsize=8)
        axes.spines[:].set_visible(False)
        top = found.strongest
        axes.set_xlabel(shorten(top.first, 50))
        axes.set_ylabel(shorten(top.second, 40))
        headline(axes, shorten(f"{top.first} and {top.second} together", 60), self._note())
        return self

    def data(self) -> list[list[Any]]:
        """Return the mean probability for each pair of values, headings first."""
        found = self.interactions
        rows = [
            [value_text(one), value_text(other), float(found.average[row, column])]
            for row, one in enumerate(found.first_values)
            for column, other in enumerate(found.second_values)
        ]
        return [[found.strongest.first, found.strongest.second, f"probability of {found.label}"], *rows]

    def _size(self) -> tuple[float, float]:
        return 6.4, min(1.9 + 0.3 * self.interactions.average.shape[1], 6.0)

    def _note(self) -> str:
        found = self.interactions
        return (
            f"Mean probability of {shorten(found.label, 18)} in per cent. Strength of the interaction"
            f" H = {found.strongest.strength:.2f} (0: effects on the log odds add up)."
        )

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return f"Joint partial dependence. {self.interactions}"
