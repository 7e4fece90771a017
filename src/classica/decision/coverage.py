r"""Risk against coverage: the mean cost of predictions when the most uncertain rows are rejected.

.. math:: \text{risk}(t) = \text{mean cost of the rows with doubt} \leq t
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.decision.rows import number_per_row
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.recorded import Recorded

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class RiskCoverage(Recorded):
    """Risk against coverage, from the most certain row alone to all rows.

    Attributes
    ----------
    thresholds : ndarray
        The distinct doubts, ascending: rows with a doubt above the threshold are rejected.
    coverage : ndarray
        The share of the rows that are not rejected.
    risk : ndarray
        The mean cost of their predictions.
    rows : int
        The number of rows.
    """

    thresholds: Floats
    coverage: Floats
    risk: Floats
    rows: int

    @property
    def area(self) -> float:
        """The area under the curve (AURC): the risk averaged over all coverages; lower is better."""
        return float(np.sum(self.risk * np.diff(self.coverage, prepend=0.0)))

    def at(self, threshold: float) -> tuple[float, float]:
        """Return coverage and risk when rows with a doubt above the threshold are rejected.

        Where every row is rejected, both are 0.
        """
        if not isinstance(threshold, Real) or np.isnan(float(threshold)):
            raise ParameterError(must("threshold", "a number", threshold))
        answered = int(np.searchsorted(self.thresholds, threshold, side="right"))
        if answered == 0:
            return 0.0, 0.0
        return float(self.coverage[answered - 1]), float(self.risk[answered - 1])

    def thinned(self, points: int = 100) -> RiskCoverage:
        """Return about as many points of the curve, at equal steps of the coverage; the last one is kept."""
        if len(self.coverage) <= points:
            return self
        steps = np.searchsorted(self.coverage, np.arange(1, points + 1) / points - 1e-12)
        kept = np.unique(np.append(steps, len(self.coverage) - 1).clip(0, len(self.coverage) - 1))
        return RiskCoverage(self.thresholds[kept], self.coverage[kept], self.risk[kept], self.rows)

    def plot(
        self, ax: Axes | None = None, *, threshold: float | None = None, label: str | None = None
    ) -> Axes:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.
        threshold : float, optional
            A reject cost to mark on the curve.
        label : str, optional
            A name for the legend, to draw several curves into one plot.

        Returns
        -------
        matplotlib Axes
        """
        from classica.decision.coverage_plot import draw  # matplotlib is only for those who draw

        return draw(self, ax, threshold, label)

    def __str__(self) -> str:
        lines = ["coverage      risk  reject above"]
        for wanted in np.arange(1, 11) / 10:
            index = int(np.searchsorted(self.coverage, wanted - 1e-12))
            lines.append(
                f"{self.coverage[index]:8.1%} {self.risk[index]:9.4g} {self.thresholds[index]:13.4g}"
            )
        return "\n".join([*dict.fromkeys(lines), f"area {self.area:.4g} on {self.rows:,} rows"])


def risk_coverage(paid: Any, doubt: Any) -> RiskCoverage:
    """Return the risk for every coverage.

    Parameters
    ----------
    paid : array-like of shape (n_samples,)
        The cost of the prediction of each row, such as ``predicted != y`` for the error rate.
    doubt : array-like of shape (n_samples,)
        The uncertainty of each prediction: its expected cost, or one minus its posterior. Rows of equal
        uncertainty are kept or rejected together.

    Returns
    -------
    RiskCoverage

    Examples
    --------
    >>> curve = risk_coverage(paid=[0, 0, 1, 0, 1], doubt=[0.0, 0.1, 0.2, 0.3, 0.4])
    >>> curve.risk.round(3)
    array([0.   , 0.   , 0.333, 0.25 , 0.4  ])
    >>> curve.at(0.15)
    (0.4, 0.0)
    >>> print(curve)
    coverage      risk  reject above
       20.0%         0             0
       40.0%         0           0.1
       60.0%    0.3333           0.2
       80.0%      0.25           0.3
      100.0%       0.4           0.4
    area 0.1967 on 5 rows
    """
    costs, doubts = _finite(paid, "paid"), _finite(doubt, "doubt")
    if len(costs) != len(doubts):
        raise DataError(must("doubt", f"{len(costs)} numbers long, as long as paid", len(doubts)))
    order = np.argsort(doubts, kind="stable")
    sorted_doubts = doubts[order]
    last = np.flatnonzero(np.append(np.diff(sorted_doubts) > 0, True))
    risk = np.cumsum(costs[order])[last] / (last + 1)
    return RiskCoverage(sorted_doubts[last], (last + 1) / len(doubts), risk, len(doubts))


def _finite(values: Any, what: str) -> Floats:
    numbers = number_per_row(values, what)
    if len(numbers) == 0:
        raise DataError(f"{what} must have at least one number, got none.")
    if not np.isfinite(numbers).all():
        raise DataError(must(what, "finite", float(numbers[~np.isfinite(numbers)][0])))
    return numbers
