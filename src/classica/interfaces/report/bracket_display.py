"""How near the best model is to the best there can be, from the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from classica.displays.canvas import headline, quiet_frame, shorten
from classica.displays.display import Display
from classica.displays.palette import RIGHT, foreground
from classica.statistics.bayes_errors.table_bracket import TableBayesError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class BracketDisplay(Display):
    """The bracket of the Bayes error beside errors that were seen.

    Parameters
    ----------
    bracket : TableBayesError
        The bracket.
    best : tuple of str and float
        The best model and its error on rows it has not seen.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 2.6)

    def __init__(self, bracket: TableBayesError, best: tuple[str, float]) -> None:
        self.ends = bracket.lower, bracket.upper
        self.seen = [(shorten(best[0], 28), best[1]), ("1 nearest neighbour", bracket.nearest_error)]
        if bracket.best_k > 1:
            self.seen.insert(1, (f"{bracket.best_k} nearest neighbours", bracket.best_error))

    def plot(self, ax: Axes | None = None) -> BracketDisplay:
        """Draw the bracket as a bar and the errors that were seen as points."""
        from matplotlib.ticker import PercentFormatter

        axes, ink = self._begin(ax), foreground()
        low, high = self.ends
        axes.axvspan(low, high, color=RIGHT, alpha=0.15, lw=0)
        axes.barh([0], [high - low], left=[low], height=0.4, color=RIGHT)
        places = range(1, len(self.seen) + 1)
        axes.plot([error for _, error in self.seen], places, marker="o", ms=7, ls="none", color=ink)
        for place, (_, error) in zip(places, self.seen, strict=True):
            axes.annotate(
                f"{error:.1%}", (error, place), (7, 0), textcoords="offset points", va="center", fontsize=8
            )
        axes.set_yticks([0, *places], ["the best there can be", *(name for name, _ in self.seen)])
        axes.set_ylim(len(self.seen) + 0.6, -0.6)
        axes.set_xlim(0, 1.15 * max(high, *(error for _, error in self.seen)) or 0.01)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_xlabel("error")
        quiet_frame(axes)
        axes.tick_params(axis="y", length=0)
        headline(axes, "How good can it get?", "Bar: estimate from nearest neighbours. Points: errors seen.")
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        seen = ", ".join(f"{name} {error:.1%}" for name, error in self.seen)
        low, high = self.ends
        return f"The Bayes error is estimated between {low:.1%} and {high:.1%}; errors seen: {seen}."
