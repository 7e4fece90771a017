"""The parts of an expected loss as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from classica.arrays import MatrixLike, VectorLike
from classica.displays.canvas import COLORS, draw_bars, headline
from classica.displays.display import Display
from classica.statistics.decomposition.bias_and_variance import bias_variance
from classica.statistics.decomposition.bias_variance_result import BiasVariance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from classica.statistics.decomposition.bias_variance_result import SquaredLossParts, ZeroOneLossParts

_SQUARED = "squared loss: "
_ROOM = 0.015


class BiasVarianceDisplay(Display):
    """Noise, bias² and variance as bars that add up, for the error rate and the squared loss.

    Parameters
    ----------
    parts : BiasVariance
        What is drawn.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 3.4)

    def __init__(self, parts: BiasVariance) -> None:
        self.parts = parts
        #: Name, value and colour of each bar, from the top down.
        self.bars = _bars(parts.main, "")
        if parts.zero_one is not None:
            self.bars += _bars(parts.squared, _SQUARED)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike | None = None,
        y: VectorLike | None = None,
        *,
        ax: Axes | None = None,
        **options: Any,
    ) -> BiasVarianceDisplay:
        """Draw bias and variance of an estimator; options are those of `bias_variance`."""
        return cls(bias_variance(estimator, X, y, **options)).plot(ax)

    def plot(self, ax: Axes | None = None) -> BiasVarianceDisplay:
        """Draw a bar for each part, with its number."""
        axes = self._begin(ax)
        names, values, colors = zip(*self.bars, strict=True)
        positions = np.arange(len(names)) + np.array([0.4 * name.startswith(_SQUARED) for name in names])
        draw_bars(axes, positions, np.array(values), list(names), color=colors)
        room = _ROOM * max(*map(abs, values), 1e-3)
        for position, value in zip(positions, values, strict=True):
            axes.text(max(value, 0) + room, position, f"{value:.4f}", va="center", fontsize=8)
        axes.margins(x=0.14)
        axes.set_ylim(positions[-1] + 0.6, -0.6)
        axes.set_xlabel("contribution to the expected loss")
        title = f"Bias, variance and noise with {self.parts.training_size:,} training rows"
        headline(axes, title, self.parts.origin)
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        listed = ", ".join(f"{name} {value:.4f}" for name, value, _ in self.bars)
        squared, zero_one = self.parts.squared, self.parts.zero_one
        rate = "" if zero_one is None else f"the error rate {zero_one.total:.4f} and of "
        return f"Decomposition of {rate}the squared loss {squared.total:.4f}: {listed}. {self.parts.origin}"


def _bars(parts: SquaredLossParts | ZeroOneLossParts, start: str) -> list[tuple[str, float, str]]:
    """Return name, value and colour of each part."""
    bars = [(f"{start}variance", parts.variance, COLORS[1])]
    if parts.noise is None:
        return [(f"{start}bias² and noise", parts.bias, COLORS[0]), *bars]
    return [(f"{start}noise", parts.noise, COLORS[7]), (f"{start}bias²", parts.bias, COLORS[0]), *bars]
