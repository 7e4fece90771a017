"""The confusion matrix with the error of each class at its side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.displays.canvas import RIGHT, WRONG, foreground, headline, one_path, shorten
from classica.displays.display import Display
from classica.errors import DataError, must
from classica.metrics.confusion_matrix import confusion
from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from classica.arrays import VectorLike

_SHARES_SHOWN = 7  # classes; with more there is room for counts only
_STRONGEST = 0.6  # opacity; text in the colour of the page stays readable on it


@dataclass(eq=False)
class ConfusionDisplay(Display):
    """How often each class was taken for each other one.

    Attributes
    ----------
    classes : ndarray
        The class labels.
    counts : ndarray of shape (n_classes, n_classes)
        Rows of each class (first index) that were given each answer (second index).
    """

    classes: NDArray[Any]
    counts: NDArray[np.int64] = field(repr=False)

    @classmethod
    def from_predictions(
        cls, y_true: VectorLike, y_pred: VectorLike, *, classes: Sequence[Any] | None = None
    ) -> ConfusionDisplay:
        """Count the answers to rows.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            The labels.
        y_pred : array-like of shape (n_rows,)
            What was said.
        classes : sequence, optional
            All labels in the order in which they are drawn; by default those that occur, sorted.

        Examples
        --------
        >>> display = ConfusionDisplay.from_predictions(["a", "a", "b", "b"], ["a", "b", "b", "b"])
        >>> display.counts.tolist(), display.class_errors.tolist()
        ([[1, 1], [0, 2]], [0.5, 0.0])
        """
        result = confusion(y_true, y_pred, classes)
        return cls(result.classes, result.matrix)

    @classmethod
    def from_matrix(cls, counts: VectorLike, classes: VectorLike) -> ConfusionDisplay:
        """Take a confusion matrix: one row for each true class, one column for each predicted class."""
        table, labels = np.asarray(counts), np.asarray(classes)
        if table.ndim != 2 or table.shape != (len(labels), len(labels)) or not len(labels):
            raise DataError(must("counts", f"a square table of {len(labels)} classes", table.shape))
        if table.dtype.kind not in "iu" or (table < 0).any():
            raise DataError(must("counts", "whole numbers of at least 0", table.tolist()))
        return cls(labels, table.astype(np.int64))

    @property
    def shares(self) -> Floats:
        """The counts over the rows of each class; NaN for a class without rows."""
        rows = self.counts.sum(axis=1, keepdims=True)
        empty = np.full(self.counts.shape, np.nan)
        shares: Floats = np.divide(self.counts, rows, out=empty, where=rows > 0)
        return shares

    @property
    def class_errors(self) -> Floats:
        """The share of each class that is misclassified; NaN for a class without rows."""
        errors: Floats = 1 - np.diag(self.shares)
        return errors

    @property
    def error(self) -> float:
        """The share of all rows that are misclassified."""
        return float(1 - np.trace(self.counts) / self.counts.sum()) if self.counts.sum() else float("nan")

    def worst_pairs(self, most: int = 3) -> list[tuple[Any, Any, int]]:
        """Return the most frequent errors: true class, predicted class, and number of rows."""
        table = self.counts.copy()
        np.fill_diagonal(table, 0)
        order = np.argsort(-table, axis=None, kind="stable")[:most]
        labels = self.classes.tolist()
        pairs = [divmod(int(index), len(labels)) for index in order]
        return [(labels[i], labels[j], int(table[i, j])) for i, j in pairs if table[i, j]]

    def plot(self, ax: Axes | None = None) -> ConfusionDisplay:
        """Draw the matrix: correct predictions and errors in two colours, by share of the class."""
        axes = self._begin(ax)
        axes.imshow(self._colors(), interpolation="nearest", aspect="auto")
        size = len(self.classes)
        axes.set(xlim=(-0.5, size + 0.9), ylim=(size - 0.5, -0.5))
        self._write_cells(axes)
        self._label(axes)
        note = "Colour: share of the true class. " + self._worst()
        headline(axes, f"{self.error:.2%} of {int(self.counts.sum()):,} rows are misclassified", note)
        return self

    def _size(self) -> tuple[float, float]:
        side = len(self.classes)
        wide = 0.85 if side <= _SHARES_SHOWN else 0.42
        return min(2.9 + wide * (side + 1.2), 14.0), min(1.7 + max(0.28, 0.75 * wide) * side, 11.0)

    def _colors(self) -> NDArray[np.uint8]:
        from matplotlib.colors import to_rgb

        size = len(self.classes)
        image = np.zeros((size, size, 4))
        image[..., :3] = to_rgb(WRONG)
        image[np.arange(size), np.arange(size), :3] = to_rgb(RIGHT)
        # The root lifts small shares: a mistake in a hundred must be seen.
        image[..., 3] = _STRONGEST * np.sqrt(np.nan_to_num(self.shares))
        colors: NDArray[np.uint8] = (255 * image).round().astype(np.uint8)
        return colors

    def _write_cells(self, ax: Axes) -> None:
        size = len(self.classes)
        text: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 9 if size <= 12 else 7}
        for (i, j), count in np.ndenumerate(self.counts):
            if count:
                share = f"\n{self.shares[i, j]:.1%}" if size <= _SHARES_SHOWN else ""
                ax.text(j, i, f"{count:,}{share}", **text)
        for i, error in enumerate(self.class_errors):
            ax.text(size + 0.25, i, "–" if np.isnan(error) else f"{error:.1%}", **text, weight="bold")
        ax.text(size + 0.25, -0.56, "class\nerror", ha="center", va="bottom", fontsize=8)

    def _label(self, ax: Axes) -> None:
        from matplotlib.patches import PathPatch

        size = len(self.classes)
        names = [shorten(label, 14) for label in self.classes.tolist()]
        turned = size > 12 or max(len(name) for name in names) > (8 if size > _SHARES_SHOWN else 11)
        style: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if turned else {}
        ax.set_xticks(range(size), names, **style)
        ax.set_yticks(
            range(size),
            [f"{name} ({rows:,})" for name, rows in zip(names, self.counts.sum(axis=1), strict=True)],
        )
        ax.tick_params(length=0, labelsize=9 if size <= 12 else 8)
        ax.spines[:].set_visible(False)
        ends = np.array([-0.5, size - 0.5])
        across = [np.column_stack([ends, [line, line]]) for line in np.arange(size + 1) - 0.5]
        lines = one_path([*across, *(line[:, ::-1] for line in across)])
        ax.add_artist(PathPatch(lines, fill=False, ec=foreground(), lw=0.4, alpha=0.25))
        ax.set_xlabel("predicted class")
        ax.set_ylabel("true class (rows)")

    def _worst(self) -> str:
        pairs = self.worst_pairs(2)
        shown = " and ".join(f"{shorten(a, 14)} as {shorten(b, 14)} ({n:,})" for a, b, n in pairs)
        return f"Most frequent errors: {shown}." if shown else "No errors."

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        pairs = zip(self.classes.tolist(), self.class_errors, strict=True)
        errors = ", ".join(f"{label} {error:.1%}" for label, error in pairs)
        return f"Confusion matrix, error rate {self.error:.2%}. Class errors: {errors}. {self._worst()}"
