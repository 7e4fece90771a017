"""Displays that only the report has: the Bayes-error bracket, learning curves, class means."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from classica.displays.canvas import RIGHT, foreground, headline, quiet_frame, shorten
from classica.displays.display import Display
from classica.statistics.bayes_errors.table_bracket import TableBayesError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.displays.canvas import class_color, class_handle, class_marker, legend_beside
from classica.native import Floats
from classica.selection.learning_curves import LearningCurve


class BracketDisplay(Display):
    """The bracket of the Bayes error beside observed errors.

    Parameters
    ----------
    bracket : TableBayesError
        The bracket.
    best : tuple of str and float
        The best model and its error on test sets.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 2.6)

    def __init__(self, bracket: TableBayesError, best: tuple[str, float]) -> None:
        self.ends = bracket.lower, bracket.upper
        self.seen = [(shorten(best[0], 28), best[1]), ("1 nearest neighbour", bracket.nearest_error)]
        if bracket.best_k > 1:
            self.seen.insert(1, (f"{bracket.best_k} nearest neighbours", bracket.best_error))

    def plot(self, ax: Axes | None = None) -> BracketDisplay:
        """Draw the bracket as a bar and the observed errors as points."""
        from matplotlib.ticker import PercentFormatter

        axes, ink = self._begin(ax), foreground()
        low, high = self.ends
        axes.axvspan(low, high, color=RIGHT, alpha=0.15, lw=0)
        axes.barh([0], [high - low], left=[low], height=0.4, color=RIGHT)
        positions = range(1, len(self.seen) + 1)
        axes.plot([error for _, error in self.seen], positions, marker="o", ms=7, ls="none", color=ink)
        for position, (_, error) in zip(positions, self.seen, strict=True):
            axes.annotate(
                f"{error:.1%}", (error, position), (7, 0), textcoords="offset points", va="center", fontsize=8
            )
        axes.set_yticks([0, *positions], ["Bayes error", *(name for name, _ in self.seen)])
        axes.set_ylim(len(self.seen) + 0.6, -0.6)
        axes.set_xlim(0, 1.15 * max(high, *(error for _, error in self.seen)) or 0.01)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_xlabel("error")
        quiet_frame(axes)
        axes.tick_params(axis="y", length=0)
        headline(axes, "How low can the error get?", "Bar: estimated Bayes error. Points: observed errors.")
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        seen = ", ".join(f"{name} {error:.1%}" for name, error in self.seen)
        low, high = self.ends
        return f"The Bayes error is estimated between {low:.1%} and {high:.1%}; observed errors: {seen}."


class LearningCurveDisplay(Display):
    """Errors against training rows, and how the test error would go on.

    Parameters
    ----------
    curve : LearningCurve
        The learning curve.
    text : str
        What it says about more rows.
    """

    def __init__(self, curve: LearningCurve, text: str) -> None:
        self.curve, self.text = curve, text

    def plot(self, ax: Axes | None = None) -> LearningCurveDisplay:
        """Draw the curve."""
        axes = self._begin(ax)
        self.curve.plot(axes)
        axes.set_ylabel("error")
        axes.grid(visible=False)
        quiet_frame(axes)
        for line in axes.get_lines():
            if str(line.get_label()).startswith("power law"):
                line.set_label("extrapolation")
        legend = axes.get_legend()
        if legend is not None:
            legend.remove()
        legend_beside(axes)
        headline(axes, "Would more rows help?", "Mean ± one standard deviation over folds.")
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        train, test = self.curve.train_errors[-1].mean(), self.curve.test_errors[-1].mean()
        seen = f"with the most rows, the training error is {train:.1%}, the test error {test:.1%}"
        return f"Learning curve; {seen}. {self.text}"


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
        cls, means: VectorLike, owners: object, rows: object, names: Sequence[str], classes: Sequence[Any]
    ) -> ClassMeansDisplay:
        """Take the means of a model, and the rows it has learned from for the scale of each column."""
        seen = np.asarray(rows, dtype=np.float64)
        spread = seen.std(axis=0)
        scaled = (np.asarray(means, dtype=np.float64) - seen.mean(axis=0)) / np.where(spread > 0, spread, 1)
        order = np.argsort(-np.ptp(scaled, axis=0), kind="stable")[:_MOST_COLUMNS]
        return cls(
            [names[index] for index in order], list(classes), np.asarray(owners), scaled[:, order], len(names)
        )

    def plot(self, ax: Axes | None = None) -> ClassMeansDisplay:
        """Draw a line for each column and a mark for each mean."""
        axes = self._begin(ax)
        positions = np.arange(len(self.names))
        axes.hlines(
            positions, self.means.min(axis=0), self.means.max(axis=0), color=foreground(), lw=1, alpha=0.3
        )
        shown = sorted(set(self.owners.tolist()))[:_MOST_CLASSES]
        for code in shown:
            mine = self.means[self.owners == code]
            style: dict[str, Any] = {"marker": class_marker(code), "color": class_color(code)}
            axes.scatter(mine.ravel(), np.tile(positions, len(mine)), s=42, linewidths=0, zorder=3, **style)
        axes.axvline(0, color=foreground(), lw=0.8, alpha=0.6)
        axes.set_yticks(positions, [shorten(name, 28) for name in self.names])
        axes.set_ylim(len(positions) - 0.4, -0.6)
        axes.set_xlabel("class mean (standard deviations from the mean of all rows)")
        quiet_frame(axes)
        legend_beside(axes, [class_handle(code, self.classes[code]) for code in shown])
        headline(axes, "Class means", self._note(len(shown)))
        return self

    def _note(self, classes: int) -> str:
        notes = []
        if len(self.names) < self.columns:
            notes.append(f"The {len(self.names)} of {self.columns:,} columns with the largest differences.")
        if classes < len(self.classes):
            notes.append(f"The first {classes} of {len(self.classes)} classes.")
        return " ".join(notes)

    def _size(self) -> tuple[float, float]:
        return 6.8, 1.6 + max(0.3 * len(self.names), 0.21 * min(len(self.classes), _MOST_CLASSES))

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        apart = np.ptp(self.means, axis=0)
        told = ", ".join(f"{name} {each:.2g}" for name, each in zip(self.names[:3], apart, strict=False))
        return f"Class means; they differ most in {told} standard deviations."
