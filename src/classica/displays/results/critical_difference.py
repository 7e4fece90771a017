"""The critical-difference diagram: models on the axis of average ranks, bars over those not told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from classica.statistics.friedman import FriedmanNemenyi, friedman_nemenyi

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


class CriticalDifferenceDisplay:
    """The diagram of Demšar (2006).

    Parameters
    ----------
    result : FriedmanNemenyi
        What is drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of these.
    """

    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(self, result: FriedmanNemenyi) -> None:
        self.result = result

    @classmethod
    def from_scores(
        cls,
        scores: Mapping[str, Any],
        *,
        alpha: float = 0.05,
        higher_is_better: bool = True,
        ax: Axes | None = None,
    ) -> CriticalDifferenceDisplay:
        """Compare models over several tables, and draw the diagram.

        Parameters
        ----------
        scores, alpha, higher_is_better
            As in `friedman_nemenyi`.
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        CriticalDifferenceDisplay
        """
        return cls(friedman_nemenyi(scores, alpha=alpha, higher_is_better=higher_is_better)).plot(ax)

    def plot(self, ax: Axes | None = None) -> CriticalDifferenceDisplay:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        CriticalDifferenceDisplay
        """
        from classica.displays.results.critical_difference_plot import draw  # only for those who draw

        self.ax_ = draw(self.result, ax)
        self.figure_ = self.ax_.figure
        return self
