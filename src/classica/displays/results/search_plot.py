"""The picture of a search: the surface of scores over the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter
from scipy.interpolate import griddata

from classica.errors import ParameterError, must
from classica.native import Floats

if TYPE_CHECKING:
    from classica.selection.search_result import SearchResult

_FINE = 200  # points of the surface along each axis


def draw_surface(search: SearchResult, x: str | None, y: str | None, ax: Axes | None) -> Axes:
    """Draw the scores over two parameters, or over one."""
    names = _numeric(search)
    chosen = [name for name in (x, y) if name is not None]
    for name in chosen:
        if name not in names:
            raise ParameterError(must("an axis", f"one of {', '.join(names) or 'no parameter'}", name))
    chosen += [name for name in names if name not in chosen][: 2 - len(chosen)]
    if not chosen:
        raise ParameterError("Cannot draw the search: no numeric parameter has at least two values.")
    if ax is None:
        _, ax = pyplot.subplots(figsize=(6.4, 4.8), layout="constrained")
    return _draw_line(search, chosen[0], ax) if len(chosen) == 1 else _draw_map(search, chosen, ax)


def _numeric(search: SearchResult) -> list[str]:
    first = search.points[0].parameters
    numbers = [name for name, value in first.items() if isinstance(value, int | float) and value is not True]
    return [name for name in numbers if len({point.parameters[name] for point in search.points}) > 1]


def _values(search: SearchResult, name: str) -> Floats:
    return np.array([float(point.parameters[name]) for point in search.points if np.isfinite(point.mean)])


def _scores(search: SearchResult) -> Floats:
    return np.array([point.mean for point in search.points if np.isfinite(point.mean)])


def _draw_map(search: SearchResult, names: list[str], ax: Axes) -> Axes:
    columns, scores = [_values(search, name) for name in names], _scores(search)
    scaled = [np.log10(values) if (values > 0).all() else values for values in columns]
    if len(scores) > 3 and all(np.ptp(values) > 0 for values in scaled):
        _draw_between(scaled, columns, scores, ax)
    rounds = np.array([point.round for point in search.points if np.isfinite(point.mean)])
    low = float(np.percentile(scores, 10))
    sizes = np.where(rounds == 0, 42, 16)
    x, y = columns
    dots = ax.scatter(x, y, sizes, scores, cmap="viridis", vmin=low, edgecolors="white", linewidths=0.6)
    best = [search.best_params[name] for name in names]
    ax.plot(
        *best, marker="o", ms=13, mfc="none", mec="crimson", mew=2, ls="none", label=_best_text(search, names)
    )
    ax.set(xlabel=names[0], ylabel=names[1], xscale=_scale(x), yscale=_scale(y))
    ax.figure.colorbar(dots, ax=ax, label="mean score", extend="min").outline.set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    return ax


def _draw_between(scaled: list[Floats], columns: list[Floats], scores: Floats, ax: Axes) -> None:
    """Fill the map between the points."""
    sides = [np.linspace(values.min(), values.max(), _FINE) for values in scaled]
    between = griddata(np.column_stack(scaled), scores, tuple(np.meshgrid(*sides)), rescale=True)
    shown = [10**side if (column > 0).all() else side for side, column in zip(sides, columns, strict=True)]
    low = float(np.percentile(scores, 10))
    ax.pcolormesh(
        *shown, between, cmap="viridis", vmin=low, vmax=scores.max(), alpha=0.55, rasterized=True, lw=0
    )


def _draw_line(search: SearchResult, name: str, ax: Axes) -> Axes:
    values, scores = _values(search, name), _scores(search)
    order = np.argsort(values)
    spread = np.array([point.deviation for point in search.points if np.isfinite(point.mean)])[order]
    ax.fill_between(values[order], scores[order] - spread, scores[order] + spread, alpha=0.15, lw=0)
    ax.plot(values[order], scores[order], marker="o", ms=4)
    best = search.best_params[name]
    ax.plot(
        best,
        search.best_score,
        marker="o",
        ms=12,
        mfc="none",
        mec="crimson",
        mew=2,
        ls="none",
        label=_best_text(search, [name]),
    )
    ax.set_xscale(_scale(values))
    if scores.min() >= 0 and scores.max() <= 1:
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    ax.set_xlabel(name)
    ax.set_ylabel("mean score ± standard deviation")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
    return ax


def _scale(values: Floats) -> str:
    return "log" if (values > 0).all() else "linear"


def _best_text(search: SearchResult, names: list[str]) -> str:
    where = ", ".join(f"{name} = {search.best_params[name]:.4g}" for name in names)
    return f"best: {where}, score {search.best_score:.4f}"
