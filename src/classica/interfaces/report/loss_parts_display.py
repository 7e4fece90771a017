"""Where the errors of the best model come from, from the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from classica.evaluation.bias_variance import BiasVariance
from classica.evaluation.displays.canvas import headline
from classica.evaluation.displays.display import Display
from classica.evaluation.displays.palette import COLORS
from classica.evaluation.displays.ranked_bars import draw_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class LossPartsDisplay(Display):
    """Bias and variance as bars that add up, for both losses.

    Parameters
    ----------
    parts : BiasVariance
        The parts of both losses.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 3.4)

    def __init__(self, parts: BiasVariance) -> None:
        known = parts.noise_known
        first = "bias" if known else "bias and noise"
        zero_one, squared = parts.zero_one, parts.squared
        if zero_one is None:
            raise ValueError("The parts of a regressor's error have no picture here.")
        #: Name, value and colour of each bar, from the top down.
        self.bars: list[tuple[str, float, str]] = [
            *([("noise", zero_one.noise or 0.0, COLORS[7])] if known else []),
            (first, zero_one.bias, COLORS[0]),
            ("variance that harms", zero_one.unbiased_variance, COLORS[1]),
            ("variance that helps", 0.0 - zero_one.biased_variance, COLORS[2]),
            ("squared loss: " + first, squared.bias, COLORS[0]),
            ("squared loss: variance", squared.variance, COLORS[1]),
        ]
        self.totals = zero_one.total, squared.total
        self.rows, self.samples = parts.rows, parts.n_samples

    def plot(self, ax: Axes | None = None) -> LossPartsDisplay:
        """Draw a bar for each part, with its number."""
        axes = self._begin(ax)
        names, values, colors = zip(*self.bars, strict=True)
        places = np.arange(len(self.bars)) + np.array([0.4 * name.startswith("squared") for name in names])
        draw_bars(axes, places, np.array(values), list(names), color=colors)
        room = 0.015 * max(*map(abs, values), 1e-3)
        for place, value in zip(places, values, strict=True):
            axes.text(max(value, 0) + room, place, f"{value:.4f}", va="center", fontsize=8)
        axes.margins(x=0.14)
        axes.set_ylim(places[-1] + 0.6, -0.6)
        axes.set_xlabel("adds to the error")
        note = f"From {self.samples} training sets drawn at random, on {self.rows:,} rows they do not have."
        headline(axes, "Where the errors come from", note)
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        told = ", ".join(f"{name} {value:.4f}" for name, value, _ in self.bars)
        return (
            f"Parts of the error {self.totals[0]:.4f} and of the squared loss {self.totals[1]:.4f}: {told}."
        )
