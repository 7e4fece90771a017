"""The critical-difference diagram: models by average rank, with bars over those not told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from classica.displays.canvas import COLORS, foreground, shorten
from classica.displays.display import Display
from classica.statistics.friedman import FriedmanNemenyi, friedman_nemenyi
from classica.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Distances on the vertical axis: between two names, and between two bars.
_LINE, _BAR = 0.34, 0.16


class CriticalDifferenceDisplay(Display):
    """The diagram of Demšar (2006): average ranks over several tables, the best at the left.

    A bar joins models whose average ranks differ by less than the critical difference of Nemenyi's test.

    Parameters
    ----------
    result : FriedmanNemenyi
        The ranks and the test.
    titles : dict from str to str, optional
        What models are called in the picture; by default their names.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where `plot` has drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    """

    def __init__(self, result: FriedmanNemenyi, titles: Mapping[str, str] | None = None) -> None:
        self.result = result
        self.titles = dict(titles or {})

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
        """Draw the diagram: the better half named on the left, the others on the right.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        CriticalDifferenceDisplay
        """
        ax = self._begin(ax)
        result, models = self.result, len(self.result.ranks)
        ax.set(xlim=(0.4, models + 0.6), ylim=(-self._depth, 1.0))
        ax.axis("off")
        self._draw_scale(ax)
        self._draw_difference(ax)
        for number, group in enumerate(result.groups, start=1):
            ends = [result.ranks[group[0]] - 0.04, result.ranks[group[-1]] + 0.04]
            ax.plot(
                ends, [-_BAR * number] * 2, lw=4, color=foreground(), solid_capstyle="butt", label="_group"
            )
        self._name_models(ax)
        return self

    def describe(self) -> str:
        """Return the average ranks and the critical difference in a sentence."""
        ranks = ", ".join(f"{self._title(name)} {rank:.2f}" for name, rank in self.result.ranks.items())
        difference = f"critical difference {self.result.critical_difference:.2f}"
        return f"Average ranks over {counted(self.result.tables, 'table')}: {ranks}; {difference}."

    @property
    def _depth(self) -> float:
        """How far the names reach below the axis."""
        return _BAR * (len(self.result.groups) + 1.5) + _LINE * ((len(self.result.ranks) + 1) // 2)

    def _size(self) -> tuple[float, float]:
        return 7.2, 1.1 + 0.95 * self._depth

    def _title(self, name: str) -> str:
        return shorten(self.titles.get(name, name), 30)

    def _draw_scale(self, ax: Axes) -> None:
        models, ink = len(self.result.ranks), foreground()
        ax.plot([1, models], [0, 0], color=ink, lw=1)
        step = 1 if models <= 12 else 2  # more numbers than that touch each other
        for rank in range(1, models + 1):
            ax.plot([rank, rank], [0, 0.08], color=ink, lw=1)
            if (rank - 1) % step == 0:
                ax.text(rank, 0.12, str(rank), ha="center", va="bottom", fontsize="small")

    def _draw_difference(self, ax: Axes) -> None:
        """Draw the critical difference as a bar above the scale, cut off where the scale ends."""
        difference = self.result.critical_difference
        end = min(1 + difference, len(self.result.ranks) + 0.5)
        ax.plot([1, end], [0.62, 0.62], color=COLORS[4], lw=1.5, marker="|", ms=8)
        text = f"critical difference {difference:.2f}"
        ax.text(1, 0.72, text, ha="left", va="bottom", fontsize="small", color=COLORS[4])

    def _name_models(self, ax: Axes) -> None:
        names = list(self.result.ranks)
        half = (len(names) + 1) // 2
        top = -_BAR * (len(self.result.groups) + 1)
        for index, name in enumerate(names):
            is_left = index < half
            line = index if is_left else len(names) - 1 - index
            height = top - _LINE * (line + 0.5)
            rank, side = self.result.ranks[name], 0.7 if is_left else len(names) + 0.3
            ax.plot([rank, rank, side], [0, height, height], color=foreground(), lw=0.8)
            title = self._title(name)
            ax.text(
                side - 0.05 if is_left else side + 0.05,
                height,
                f"{title}  {rank:.2f}" if is_left else f"{rank:.2f}  {title}",
                ha="right" if is_left else "left",
                va="center",
                fontsize="small",
            )
