"""Permutation importances with their intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.displays.canvas import COLORS, RIGHT, draw_bars, foreground, headline, shorten
from classica.displays.display import Display
from classica.errors import ParameterError, must
from classica.inspection.importances import ColumnImportance, Importances
from classica.metrics.measures import METRICS
from classica.params import Integer
from classica.wording import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class ColumnImportanceDisplay(Display):
    """How much worse a model predicts without each column, the most important first.

    Attributes
    ----------
    importances : Importances
        The importances.
    top : int
        How many columns are drawn.
    """

    importances: Importances = field(repr=False)
    top: int = 15

    @classmethod
    def from_importances(cls, importances: Importances, *, top: int = 15) -> ColumnImportanceDisplay:
        """Take importances as `classica.inspection.cross_val_importance` gives them.

        Parameters
        ----------
        importances : Importances
            The importances.
        top : int, default=15
            How many columns are drawn.
        """
        if not Integer(at_least=1).accepts(top):
            raise ParameterError(must("top", "an integer of at least 1", top))
        return cls(importances, top)

    @property
    def shown(self) -> tuple[ColumnImportance, ...]:
        """The columns that are drawn."""
        return self.importances.columns[: self.top]

    def plot(self, ax: Axes | None = None) -> ColumnImportanceDisplay:
        """Draw a bar for each column, with its interval as a line; faint where the interval holds 0."""
        axes, scale = self._begin(ax), self._scale
        places = np.arange(float(len(self.shown)))
        means, lows, highs = (
            scale * np.array([getattr(each.drop, name) for each in self.shown])
            for name in ("mean", "low", "high")
        )
        style: dict[str, Any] = {
            "color": [RIGHT if each.matters or np.isnan(each.drop.low) else COLORS[7] for each in self.shown]
        }
        if np.isfinite(lows).all():
            around = np.abs(np.array([means - lows, highs - means]))
            style |= {"xerr": around, "error_kw": {"ecolor": foreground(), "lw": 1, "capsize": 2}}
        draw_bars(axes, places, means, [shorten(each.column, 28) for each in self.shown], **style)
        axes.set_ylim(len(self.shown) - 0.4, -0.6)
        axes.set_xlabel(self._label)
        headline(axes, "What the predictions rest on", self._note())
        return self

    def data(self) -> list[list[Any]]:
        """Return the importance of every column with its interval, headings first."""
        ends = ("mean", "low", "high")
        rows = [
            [each.column, *(getattr(each.drop, end) for end in ends)] for each in self.importances.columns
        ]
        return [["column", f"loss of {self.importances.metric}", "low", "high"], *rows]

    def _size(self) -> tuple[float, float]:
        return 6.4, min(1.7 + 0.27 * len(self.shown), 14.0)

    @property
    def _is_share(self) -> bool:
        known = METRICS.get(self.importances.metric)
        return known is not None and known.limits == (0.0, 1.0)

    @property
    def _scale(self) -> float:
        return 100.0 if self._is_share else 1.0

    @property
    def _label(self) -> str:
        known = METRICS.get(self.importances.metric)
        title = self.importances.metric if known is None else known.title
        # What is better low rises when a column is permuted.
        change = "loss of" if known is None or known.higher_is_better else "rise of"
        unit = " (percentage points)" if self._is_share else ""
        return f"{change} {title} when the column is permuted{unit}"

    def _note(self) -> str:
        found, notes = self.importances, []
        if len(self.shown) < len(found.columns):
            notes.append(f"The {len(self.shown)} most important of {len(found.columns):,} columns.")
        if not np.isnan(self.shown[0].drop.low):
            level = f"{100 * self.shown[0].drop.confidence:g}%"
            notes.append(f"Lines: {level} confidence intervals. Grey: not significantly above 0.")
        rows = f"{counted(found.rows, 'held-out row')} of {counted(found.folds, 'fold')}"
        return " ".join([*notes, f"{rows}, {counted(found.repeats, 'permutation')} each."])

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        unit = " points" if self._is_share else ""
        best = ", ".join(f"{each.column} {self._scale * each.drop.mean:.3g}{unit}" for each in self.shown[:5])
        return f"Permutation importance, {self._label}: {best}."
