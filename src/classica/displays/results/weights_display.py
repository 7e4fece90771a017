"""The largest weights of a linear model, class by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.displays.canvas import (
    class_color,
    draw_bars,
    foreground,
    headline,
    read_names,
    read_table,
    shorten,
)
from classica.displays.display import Display
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from typing import TYPE_CHECKING

from classica.arrays import VectorLike

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


_MOST_CLASSES = 6


@dataclass(eq=False)
class WeightsDisplay(Display):
    """Which columns speak for and against each class, the strongest first.

    Attributes
    ----------
    names : list of str
        The columns.
    classes : ndarray
        The class labels.
    weights : ndarray of shape (n_classes, n_columns) or (1, n_columns)
        The weights; a single line speaks for the second of two classes.
    top : int
        How many columns are drawn for each class.
    """

    names: list[str] = field(repr=False)
    classes: NDArray[Any]
    weights: Floats = field(repr=False)
    top: int

    @classmethod
    def from_weights(
        cls, weights: VectorLike, classes: Sequence[Any], *, names: Sequence[str] | None = None, top: int = 8
    ) -> WeightsDisplay:
        """Take weights as they were stored.

        Parameters
        ----------
        weights : array-like of shape (n_classes, n_columns), or (1, n_columns) for two classes
            The weights: positive ones speak for the class, a single line for the second class.
        classes : sequence
            The class labels.
        names : sequence of str, optional
            The columns.
        top : int, default=8
            How many columns are drawn for each class.

        Examples
        --------
        >>> display = WeightsDisplay.from_weights([[0.5, -2.0, 1.0]], ["no", "yes"], names=["a", "b", "c"])
        >>> display.largest(0, 2)
        [('b', -2.0), ('c', 1.0)]
        """
        table, labels = read_table(weights, "weights"), np.asarray(classes)
        if len(table) not in (len(labels), 1) or (len(table) == 1) != (len(labels) == 2):
            rule = f"of one line for each of {len(labels)} classes, or of one line for two"
            raise DataError(must("weights", rule, table.shape))
        if not Integer(at_least=1).accepts(top):
            raise ParameterError(must("top", "an integer of at least 1", top))
        return cls(read_names(names, table.shape[1]), labels, table, int(top))

    @classmethod
    def from_estimator(
        cls, estimator: BaseEstimator, *, names: Sequence[str] | None = None, top: int = 8
    ) -> WeightsDisplay:
        """Take the ``coef_`` of a fitted linear classifier, and its names of columns if it has some."""
        coef, classes = getattr(estimator, "coef_", None), getattr(estimator, "classes_", None)
        if coef is None or classes is None:
            raise DataError(
                must("estimator", "a fitted linear classifier with coef_ and classes_", estimator)
            )
        column_names = getattr(estimator, "feature_names_in_", None) if names is None else names
        return cls.from_weights(coef, classes, names=column_names, top=top)

    def largest(self, line: int, count: int | None = None) -> list[tuple[str, float]]:
        """Return the columns of the largest weights in magnitude of one line, the largest first."""
        row = self.weights[line]
        order = np.argsort(-np.abs(row), kind="stable")[: self.top if count is None else count]
        return [(self.names[index], float(row[index])) for index in order]

    def plot(self, ax: Axes | None = None) -> WeightsDisplay:
        """Draw the weights as bars, class below class."""
        axes = self._begin(ax)
        position, positions, values, labels, colors = 0.0, [], [], [], []
        for line in range(self._lines()):
            if len(self.weights) > 1:
                label = shorten(self.classes.tolist()[line], 30)
                across = axes.get_yaxis_transform()
                axes.text(
                    0.01,
                    position,
                    label,
                    transform=across,
                    color=foreground(),
                    weight="bold",
                    va="center",
                    fontsize=9,
                )
                position += 0.95
            for name, weight in self.largest(line):
                positions.append(position)
                values.append(weight)
                labels.append(shorten(name, 28))
                colors.append(class_color(line if len(self.weights) > 1 else int(weight > 0)))
                position += 1
            position += 0.35
        draw_bars(axes, np.array(positions), np.array(values), labels, color=colors)
        axes.set_ylim(position - 0.6, -0.8)
        axes.set_xlabel(self._meaning())
        headline(axes, "Largest weights", self._note())
        return self

    def _size(self) -> tuple[float, float]:
        bars = self._lines() * (min(self.top, len(self.names)) + 1.3)
        return 6.4, min(1.5 + 0.235 * bars, 14.0)

    def _lines(self) -> int:
        return min(len(self.weights), _MOST_CLASSES)

    def _meaning(self) -> str:
        if len(self.weights) > 1:
            return "weight (positive: for the class, negative: against it)"
        first, second = (shorten(label, 18) for label in self.classes.tolist())
        return f"weight (positive: for {second}, negative: for {first})"

    def _note(self) -> str:
        notes = []
        if self.top < len(self.names):
            each = " of each class" if len(self.weights) > 1 else ""
            notes.append(f"The {self.top} largest of {len(self.names):,} weights{each}.")
        if self._lines() < len(self.weights):
            notes.append(f"The first {self._lines()} of {len(self.weights)} classes.")
        return " ".join([*notes, "Weights are comparable only between features of the same scale."])

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        sides = []
        for line in range(self._lines()):
            label = self.classes.tolist()[line if len(self.weights) > 1 else 1]
            best = ", ".join(f"{name} {weight:+.3g}" for name, weight in self.largest(line, 3))
            sides.append(f"for {label}: {best}")
        return f"Largest weights {'; '.join(sides)}."
