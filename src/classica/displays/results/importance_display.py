"""Which columns a model rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import RIGHT, draw_bars, foreground, headline, read_names, read_table, shorten
from classica.displays.display import Display
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(eq=False)
class ImportanceDisplay(Display):
    """Columns by importance, the most important first.

    Attributes
    ----------
    names : list of str
        The columns.
    importances : ndarray of shape (n_columns,)
        Their importances, means over repetitions if there are some.
    deviations : ndarray of shape (n_columns,) or None
        The standard deviations over repetitions.
    top : int
        How many columns are drawn.
    measure : str
        What importance means here.
    """

    names: list[str] = field(repr=False)
    importances: Floats = field(repr=False)
    deviations: Floats | None = field(repr=False)
    top: int
    measure: str = "importance"

    @classmethod
    def from_importances(
        cls,
        importances: Any,
        *,
        names: Sequence[str] | None = None,
        top: int = 15,
        measure: str = "importance",
    ) -> ImportanceDisplay:
        """Take importances as they were stored.

        Parameters
        ----------
        importances : array-like of shape (n_columns,) or (n_repetitions, n_columns)
            The importances, of one fit or of several (folds, or repeated shuffles).
        names : sequence of str, optional
            The columns.
        top : int, default=15
            How many columns are drawn.
        measure : str, default="importance"
            What importance means here, written along the axis.

        Examples
        --------
        >>> display = ImportanceDisplay.from_importances([[0.1, 0.6], [0.2, 0.4]], names=["a", "b"])
        >>> display.ranked()
        [('b', 0.5), ('a', 0.15000000000000002)]
        """
        if not Integer(at_least=1).accepts(top):
            raise ParameterError(must("top", "an integer of at least 1", top))
        table = read_table(importances, "importances")
        deviations = table.std(axis=0, ddof=1) if len(table) > 1 else None
        return cls(read_names(names, table.shape[1]), table.mean(axis=0), deviations, int(top), measure)

    @classmethod
    def from_estimator(
        cls, estimator: BaseEstimator, *, names: Sequence[str] | None = None, top: int = 15
    ) -> ImportanceDisplay:
        """Take the ``feature_importances_`` of a fitted tree or forest."""
        importances = getattr(estimator, "feature_importances_", None)
        if importances is None:
            raise DataError(must("estimator", "a fitted estimator with feature_importances_", estimator))
        column_names = getattr(estimator, "feature_names_in_", None) if names is None else names
        return cls.from_importances(
            importances, names=column_names, top=top, measure="importance (share of the impurity decrease)"
        )

    def ranked(self) -> list[tuple[str, float]]:
        """Return the columns that are drawn with their importances, the highest first."""
        return [(self.names[index], float(self.importances[index])) for index in self._order()]

    def _order(self) -> list[int]:
        order: list[int] = np.argsort(-self.importances, kind="stable")[: self.top].tolist()
        return order

    def plot(self, ax: Axes | None = None) -> ImportanceDisplay:
        """Draw the columns as bars."""
        axes = self._begin(ax)
        order = self._order()
        positions = np.arange(float(len(order)))
        style: dict[str, Any] = {"color": RIGHT}
        if self.deviations is not None:
            style |= {
                "xerr": self.deviations[order],
                "error_kw": {"ecolor": foreground(), "lw": 1, "capsize": 2},
            }
        draw_bars(
            axes, positions, self.importances[order], [shorten(self.names[i], 28) for i in order], **style
        )
        axes.set_ylim(len(order) - 0.4, -0.6)
        axes.set_xlabel(self.measure)
        notes = []
        if len(order) < len(self.names):
            notes.append(f"The {len(order)} most important of {len(self.names):,} features.")
        if self.deviations is not None:
            notes.append("Lines: ± one standard deviation.")
        headline(axes, "Feature importance", " ".join(notes))
        return self

    def _size(self) -> tuple[float, float]:
        return 6.4, min(1.5 + 0.27 * min(self.top, len(self.names)), 14.0)

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        best = ", ".join(f"{name} {value:.3g}" for name, value in self.ranked()[:5])
        return f"Features by {self.measure}: {best}."
