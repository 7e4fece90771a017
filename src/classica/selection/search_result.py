"""The result of a parameter search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class SearchPoint:
    """A parameter setting and its scores on the folds."""

    parameters: dict[str, Any]
    scores: tuple[float, ...]
    #: The round in which it was first tried; 0 is the grid.
    round: int

    @property
    def mean(self) -> float:
        """The mean score; minus infinity if the parameters are rejected on a fold."""
        return float(np.mean(self.scores)) if np.isfinite(self.scores).all() else -np.inf

    @property
    def deviation(self) -> float:
        """The standard deviation of the scores over the folds."""
        return float(np.std(self.scores)) if np.isfinite(self.scores).all() else np.nan


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The points that a search has tried, and the best of them.

    Attributes
    ----------
    best_params : dict
        The best parameters; ties go to those tried first.
    best_score : float
        Their mean score over the folds. It is optimistic, because it is the highest of many: evaluate the
        model on rows that were not used in the search.
    best_estimator : classifier or None
        The estimator with these parameters, fitted on all rows; None without ``refit``.
    points : list of SearchPoint
        All points in the order they were tried.
    gains : list of float
        The improvement of the best score by each round after the grid.
    converged : bool
        Whether the last two rounds improved the score by no more than the tolerance.
    """

    best_params: dict[str, Any]
    best_score: float
    best_estimator: Any
    points: list[SearchPoint] = field(repr=False)
    gains: list[float]
    converged: bool

    def table(self, rows: int = 10) -> str:
        """Return the rounds and the best points as text."""
        lines = ["round  points  best score"]
        for number in range(len(self.gains) + 1):
            tried = [point for point in self.points if point.round == number]
            best = max(point.mean for point in self.points if point.round <= number)
            lines.append(f"{number:>5}  {len(tried):>6}  {best:.4f}")
        lines += ["", "  score      ±  parameters"]
        ranked = sorted(self.points, key=lambda point: -point.mean)[:rows]
        lines += [f"{point.mean:7.4f} {point.deviation:6.4f}  {_named(point.parameters)}" for point in ranked]
        state = "converged" if self.converged else "stopped before converging"
        return "\n".join([*lines, "", f"{len(self.points)} points; the search has {state}."])

    def __str__(self) -> str:
        return self.table()

    def record(self) -> dict[str, Any]:
        """Return everything but the estimator as plain values, for JSON."""
        return {
            "best_params": self.best_params,
            "best_score": self.best_score,
            "converged": self.converged,
            "gains": self.gains,
            "points": [
                {
                    "params": point.parameters,
                    "scores": [score if np.isfinite(score) else None for score in point.scores],
                    "round": point.round,
                }
                for point in self.points
            ],
        }

    def plot(self, x: str | None = None, y: str | None = None, ax: Axes | None = None) -> Axes:
        """Plot the search: every point coloured by its score, with the best one marked.

        Parameters
        ----------
        x, y : str, optional
            The parameters of the two axes; by default the first two that are numbers. With only one, the
            score is plotted against it.
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.results.search_plot import (
            draw_surface,  # matplotlib is needed for plots only
        )

        return draw_surface(self, x, y, ax)


def _named(parameters: dict[str, Any]) -> str:
    shown = {
        name: f"{value:.6g}" if isinstance(value, float) else value for name, value in parameters.items()
    }
    return ", ".join(f"{name}={value}" for name, value in shown.items())
