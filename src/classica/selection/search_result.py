"""What a search from coarse to fine has found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class SearchPoint:
    """Some parameters, and how they did on each part."""

    parameters: dict[str, Any]
    scores: tuple[float, ...]
    #: The round in which it was tried first: 0 is the grid.
    round: int

    @property
    def mean(self) -> float:
        """The mean score; minus infinity if the parameters do not work on a part."""
        return float(np.mean(self.scores)) if np.isfinite(self.scores).all() else -np.inf

    @property
    def deviation(self) -> float:
        """The standard deviation of the scores of the parts."""
        return float(np.std(self.scores)) if np.isfinite(self.scores).all() else np.nan


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The points a search has tried, and the best of them.

    Attributes
    ----------
    best_params : dict
        The best parameters: of equal ones those tried first.
    best_score : float
        Their mean score over the parts. It was chosen as the highest of many, so it flatters: judge the model
        on rows that the search has not seen.
    best_estimator : classifier or None
        The estimator with these parameters, fitted on all rows; None without ``refit``.
    points : list of SearchPoint
        All points in the order they were tried.
    gains : list of float
        How much each round after the grid added to the best score.
    converged : bool
        Whether the last two rounds added no more than the tolerance.
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
        """Draw the explored surface: every point coloured by its score, the best one marked.

        Parameters
        ----------
        x, y : str, optional
            The parameters of the two axes; by default the first two that are numbers. With one such parameter
            the score itself is drawn against it.
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.results.search_plot import (
            draw_surface,  # matplotlib is only for those who draw
        )

        return draw_surface(self, x, y, ax)


def _named(parameters: dict[str, Any]) -> str:
    shown = {
        name: f"{value:.6g}" if isinstance(value, float) else value for name, value in parameters.items()
    }
    return ", ".join(f"{name}={value}" for name, value in shown.items())
