"""Reliability diagrams: predicted probability against observed frequency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from classica.displays.canvas import RIGHT, foreground, headline, legend_beside, quiet_frame, shorten
from classica.displays.display import Display
from classica.displays.stored_scores import StoredScores
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer, OneOf

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from classica.arrays import Label

_FEW = 10  # rows; what fewer say about a share is little


@dataclass(eq=False)
class CalibrationDisplay(Display):
    """Probabilities in bins, against how often they came true, with the number of rows.

    Attributes
    ----------
    subject : str
        What the probability is of: a class, or the answer given.
    edges : ndarray of shape (n_bins + 1,)
        The ends of the bins.
    counts : ndarray of shape (n_bins,)
        The rows of each bin; the following are NaN where there are none.
    predicted : ndarray of shape (n_bins,)
        The mean probability.
    observed : ndarray of shape (n_bins,)
        How often it came true.
    low, high : ndarray of shape (n_bins,)
        The 95% interval of that share (Wilson).
    brier : float
        The mean squared difference of probability and what came true.
    """

    size: ClassVar[tuple[float, float]] = (6.8, 4.6)

    subject: str
    edges: Floats = field(repr=False)
    counts: NDArray[np.intp] = field(repr=False)
    predicted: Floats = field(repr=False)
    observed: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)
    brier: float

    @classmethod
    def from_probabilities(
        cls,
        y_true: Any,
        probabilities: Any,
        *,
        classes: Sequence[Any] | None = None,
        positive: Any = None,
        n_bins: int = 10,
        strategy: str = "uniform",
    ) -> CalibrationDisplay:
        """Sort rows into bins of probability.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            The labels.
        probabilities : array-like of shape (n_rows, n_classes) or (n_rows,)
            The probability of each class, or for two classes that of the second.
        classes : sequence, optional
            The labels in the order of the columns; by default those that occur, sorted.
        positive : label, optional
            The class whose probability is judged. None: the second of two classes; for more, the probability
            of whatever class is most probable.
        n_bins : int, default=10
            How many bins.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width or of about equally many rows.

        Examples
        --------
        >>> display = CalibrationDisplay.from_probabilities([0, 1, 1, 1], [0.2, 0.2, 0.9, 0.9], n_bins=2)
        >>> display.observed, display.predicted
        (array([0.5, 1. ]), array([0.2, 0.9]))
        """
        for what, value, rule in (
            ("n_bins", n_bins, Integer(at_least=1, at_most=1000)),
            ("strategy", strategy, OneOf("uniform", "quantile")),
        ):
            if not rule.accepts(value):
                raise ParameterError(must(what, str(rule), value))
        stored = StoredScores.of(y_true, probabilities, None, classes)
        given = stored.scores[:, 1] if np.ndim(probabilities) == 1 else stored.scores
        if (given < 0).any() or (given > 1).any():
            worst = float(given.flat[np.abs(given - 0.5).argmax()])
            raise DataError(must("probabilities", "from 0 to 1", worst))
        if np.ndim(probabilities) == 1:
            stored.scores[:, 0] = 1 - given
        subject, predicted, true = _judged(stored, positive)
        return cls._binned(subject, predicted, true, _edges(predicted, n_bins, strategy))

    @classmethod
    def _binned(
        cls, subject: str, predicted: Floats, true: NDArray[np.bool_], edges: Floats
    ) -> CalibrationDisplay:
        bins = np.clip(np.searchsorted(edges, predicted, side="right") - 1, 0, len(edges) - 2)
        counts = np.bincount(bins, minlength=len(edges) - 1)
        hits = np.bincount(bins, true, minlength=len(edges) - 1)
        filled = counts > 0
        shares = [
            np.divide(sums, counts, out=np.full(len(counts), np.nan), where=filled)
            for sums in (np.bincount(bins, predicted, minlength=len(edges) - 1), hits)
        ]
        ends = np.full((2, len(counts)), np.nan)
        for index in np.flatnonzero(filled):
            interval = binomtest(int(hits[index]), int(counts[index])).proportion_ci(method="wilson")
            ends[:, index] = interval.low, interval.high
        brier = float(((predicted - true) ** 2).mean())
        return cls(subject, edges, counts, shares[0], shares[1], ends[0], ends[1], brier)

    @property
    def calibration_error(self) -> float:
        """The mean distance of observed and predicted, weighted by rows."""
        filled = self.counts > 0
        apart = np.abs(self.observed - self.predicted)[filled]
        return float((apart * self.counts[filled]).sum() / self.counts.sum())

    def plot(self, ax: Axes | None = None) -> CalibrationDisplay:
        """Draw the bins with their intervals, and the number of rows in each."""
        from matplotlib.ticker import PercentFormatter

        axes, ink = self._begin(ax), foreground()
        behind = axes.twinx()
        self._draw_counts(behind)
        axes.plot([0, 1], [0, 1], color=ink, lw=1, ls=":", label="perfect calibration")
        few = (self.counts > 0) & (self.counts < _FEW)
        self._draw_bins(axes, self.counts >= _FEW, "observed (95% CI)", alpha=1.0, ls="-")
        if few.any():
            self._draw_bins(axes, few, f"fewer than {_FEW} rows", alpha=0.4, ls="none", mfc="none")
        axes.set(xlabel=f"predicted probability of {self.subject}", ylabel="observed frequency")
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1.0))
        axes.set_zorder(behind.get_zorder() + 1)
        axes.patch.set_visible(False)
        quiet_frame(axes)
        self._finish(axes)
        return self

    def _draw_counts(self, behind: Axes) -> None:
        behind.bar(
            self.edges[:-1],
            self.counts,
            np.diff(self.edges),
            align="edge",
            color=foreground(),
            alpha=0.14,
            lw=0,
        )
        behind.set_ylim(0, 4.5 * self.counts.max())
        behind.set_axis_off()
        for left, right, count in zip(self.edges[:-1], self.edges[1:], self.counts, strict=True):
            if count and right - left > 0.04:
                middle = (left + right) / 2
                behind.text(middle, count, f"{count:,}", ha="center", va="bottom", fontsize=7, alpha=0.8)

    def _draw_bins(self, ax: Axes, chosen: NDArray[np.bool_], label: str, **style: Any) -> None:
        spread = np.abs(np.array([self.observed - self.low, self.high - self.observed]))[:, chosen]
        ax.errorbar(
            self.predicted[chosen],
            self.observed[chosen],
            spread,
            color=RIGHT,
            marker="o",
            ms=5,
            capsize=3,
            lw=1.5,
            label=label,
            **style,
        )

    def _finish(self, ax: Axes) -> None:
        legend_beside(ax)
        headline(ax, "Calibration of the probabilities", f"{self._note()} Grey bars: rows per bin.")

    def _note(self) -> str:
        return f"Expected calibration error {self.calibration_error:.1%}; Brier score {self.brier:.3f}."

    def describe(self) -> str:
        """Return a description of the figure in one sentence."""
        rows = int(self.counts.sum())
        return f"Reliability diagram of the probability of {self.subject} on {rows} rows. {self._note()}"


def _judged(stored: StoredScores, positive: Label | None) -> tuple[str, Floats, NDArray[np.bool_]]:
    """Return the event, its predicted probability, and whether it occurred."""
    if positive is None and len(stored.classes) > 2:
        predicted = stored.scores.argmax(axis=1)
        return (
            "the predicted class",
            stored.scores[np.arange(len(predicted)), predicted],
            predicted == stored.codes,
        )
    code = stored.chosen(positive)[0]
    return shorten(stored.classes.tolist()[code]), stored.scores[:, code], stored.codes == code


def _edges(predicted: Floats, n_bins: int, strategy: str) -> Floats:
    if strategy == "uniform":
        return np.linspace(0, 1, n_bins + 1)
    inner = np.quantile(predicted, np.linspace(0, 1, n_bins + 1)[1:-1])
    return np.unique(np.concatenate([[0.0], inner, [1.0]]))
