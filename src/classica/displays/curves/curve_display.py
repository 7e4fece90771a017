"""What curves over folds share: how they are read from stored scores, drawn and told."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from classica.displays.canvas import (
    RIGHT,
    class_color,
    class_marker,
    headline,
    legend_beside,
    quiet_frame,
    shorten,
)
from classica.displays.display import Display
from classica.displays.stored_scores import StoredScores
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from collections.abc import Callable

from classica.arrays import Label

#: From truths (0 or 1) and scores to the curve at the points of a grid, and the area that sums it up.
Curve = Callable[[NDArray[np.intp], Floats, Floats], tuple[Floats, float]]

GRID = np.linspace(0, 1, 101)


@dataclass(frozen=True)
class CurveBand:
    """A class against all others.

    Attributes
    ----------
    label : object
        The class.
    code : int
        Its place among the classes.
    curves : ndarray of shape (n_folds, len(GRID))
        The curve of each fold that has rows of both sides.
    areas : ndarray of shape (n_folds,)
        What sums up each of them.
    share : float
        The share of the rows that are of this class.
    """

    label: Any
    code: int
    curves: Floats
    areas: Floats
    share: float

    @property
    def mean(self) -> Floats:
        """The mean of the curves at every point."""
        mean: Floats = self.curves.mean(axis=0)
        return mean

    @property
    def deviation(self) -> Floats:
        """The standard deviation of the curves at every point; 0 for a single one."""
        spread: Floats = (
            self.curves.std(axis=0, ddof=1) if len(self.curves) > 1 else np.zeros(self.curves.shape[1])
        )
        return spread

    @property
    def area(self) -> float:
        """The mean of the areas; NaN if no fold has rows of both sides."""
        return float(self.areas.mean()) if len(self.areas) else float("nan")

    def told(self) -> str:
        """Return the area in words, with its spread over the folds."""
        if not len(self.areas):
            return "unknown"
        return f"{self.area:.3f}" + (f" ± {self.areas.std(ddof=1):.3f}" if len(self.areas) > 1 else "")


def curve_bands(stored: StoredScores, positive: Label, curve: Curve) -> list[CurveBand]:
    """Return the curve of each class that is set against all others."""
    bands = []
    for code in stored.chosen(positive):
        truth = (stored.codes == code).astype(np.intp)
        found = []
        for fold in range(stored.folds.max() + 1):
            rows = stored.folds == fold
            if 0 < truth[rows].sum() < rows.sum():
                found.append(curve(truth[rows], stored.scores[rows, code], GRID))
        curves = np.array([heights for heights, _ in found]).reshape(-1, len(GRID))
        areas = np.array([area for _, area in found])
        bands.append(CurveBand(stored.classes.tolist()[code], code, curves, areas, float(truth.mean())))
    return bands


_BANDS_SHOWN = 3  # classes; more bands would hide each other
_MOST_LINES = 10

_Curves = TypeVar("_Curves", bound="CurveDisplay")


@dataclass(eq=False)
class CurveDisplay(Display):
    """Curves of one or more classes, each against all others, with the spread over folds.

    Attributes
    ----------
    bands : list of CurveBand
        One for each class; a single one for two classes.
    folds : int
        How many folds there are.
    """

    size: ClassVar[tuple[float, float]] = (7.0, 4.6)
    #: What sums up a curve, where it goes and where to, and what the picture is.
    area_name: ClassVar[str]
    axis_names: ClassVar[tuple[str, str]]
    title: ClassVar[str]

    bands: list[CurveBand] = field(repr=False)
    folds: int

    @classmethod
    def from_scores(
        cls: type[_Curves],
        y_true: Any,
        scores: Any,
        *,
        folds: Any = None,
        classes: Sequence[Any] | None = None,
        positive: Any = None,
    ) -> _Curves:
        """Work out the curves from scores that were stored fold by fold.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            The labels of the rows asked about, one fold after the other or mixed.
        scores : array-like of shape (n_rows,) or (n_rows, n_classes)
            Their scores or probabilities: one column for each class, or for two classes those of the second.
        folds : array-like of shape (n_rows,), optional
            The fold in which each row was asked about; None: all in one.
        classes : sequence, optional
            The labels in the order of the columns; by default those that occur, sorted.
        positive : label, optional
            The class to draw against all others; None: the second of two, or every class.
        """
        stored = StoredScores.of(y_true, scores, folds, classes)
        bands = curve_bands(stored, positive, cls._curve)
        return cls(bands, int(stored.folds.max()) + 1)

    @staticmethod
    @abstractmethod
    def _curve(truth: NDArray[np.intp], scores: Floats, grid: Floats) -> tuple[Floats, float]:
        """Return the curve at the points of a grid and what sums it up."""

    @abstractmethod
    def _draw_chance(self, ax: Axes) -> None:
        """Draw what guessing would give."""

    @property
    def macro(self) -> float:
        """The mean of the areas of all classes that have one."""
        areas = [band.area for band in self.bands if len(band.areas)]
        return float(np.mean(areas)) if areas else float("nan")

    def plot(self, ax: Axes | None = None) -> Display:
        """Draw the mean of each class, with a band of one standard deviation over the folds."""
        from matplotlib.ticker import PercentFormatter

        axes = self._begin(ax)
        for index, band in enumerate(self._shown()):
            color = class_color(band.code) if len(self.bands) > 1 else RIGHT
            style: dict[str, Any] = {"color": color, "ls": ("-", "--", "-.", ":")[index % 4]}
            label = f"{shorten(band.label, 18)}: {band.told()}"
            axes.plot(
                GRID,
                band.mean,
                marker=class_marker(band.code),
                markevery=(5 * index % 20, 20),
                ms=5,
                label=label,
                **style,
            )
            if len(band.curves) > 1 and len(self.bands) <= _BANDS_SHOWN:
                low, high = (np.clip(band.mean + sign * band.deviation, 0, 1) for sign in (-1, 1))
                axes.fill_between(GRID, low, high, color=style["color"], alpha=0.18, lw=0)
        self._draw_chance(axes)
        axes.set(xlabel=self.axis_names[0], ylabel=self.axis_names[1], xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1.0))
        quiet_frame(axes)
        legend_beside(axes, title=self.area_name)
        headline(axes, self.title, self._note())
        return self

    def _shown(self) -> list[CurveBand]:
        """Return the classes that are drawn; of many those with the least area, which need a look."""
        measured = [band for band in self.bands if len(band.areas)]
        if len(measured) <= _MOST_LINES:
            return measured
        worst = sorted(measured, key=lambda band: band.area)[:_MOST_LINES]
        return [band for band in measured if band in worst]

    def _note(self) -> str:
        notes = ["Each class against all others." if len(self.bands) > 1 else ""]
        if self.folds > 1:
            band = ", band: ± one standard deviation" if len(self.bands) <= _BANDS_SHOWN else ""
            notes.append(f"Mean over {self.folds} folds{band}.")
        if len(self._shown()) < len(self.bands):
            shown = (
                f"the {len(self._shown())} with the smallest area"
                if len(self.bands) > _MOST_LINES
                else "those with rows in a fold"
            )
            notes.append(f"Of {len(self.bands)} classes, {shown} are shown.")
        return " ".join(note for note in notes if note)

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        areas = ", ".join(f"{band.label} {band.told()}" for band in self.bands)
        return f"{self.title}. {self.area_name}: {areas}. {self._note()}".strip()
