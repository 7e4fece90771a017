"""The pictures of diversity: a matrix of all pairs, and kappa against error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from classica.native import Floats
from classica.statistics.ensemble_diversity.pair_measures import MEASURES

if TYPE_CHECKING:
    from classica.statistics.ensemble_diversity.member_diversity import Diversity

_FAINT = "#e6e9ec"
_NUMBERS_SHOWN = 15  # members
_LONGEST = 24  # letters of a name


def draw_matrix(result: Diversity, measure: str, ax: Axes | None) -> Axes:
    """Draw a matrix as colours: dark where members are alike, or for disagreement, where they differ."""
    matrix = result.matrix(measure)
    members = len(result.names)
    if ax is None:
        side = min(10.0, 2.5 + 0.55 * min(members, _NUMBERS_SHOWN))
        _, ax = pyplot.subplots(figsize=(side + 1, side), layout="constrained")
    shown = np.where(np.eye(members, dtype=bool), np.nan, matrix)  # a member with itself says nothing
    limit = _limit(shown)
    # Members are counted from 1, as in their names.
    extent = 0.5, members + 0.5, members + 0.5, 0.5
    colors, low = ("RdBu_r", -limit) if (shown < 0).any() else ("Blues", 0.0)
    image = ax.imshow(shown, cmap=colors, vmin=low, vmax=limit, extent=extent)
    ax.set_facecolor(_FAINT)
    ax.set_title(f"{MEASURES[measure]} on {result.rows:,} rows")
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
    bar.outline.set_visible(False)
    _name_members(ax, result.names)
    if members <= _NUMBERS_SHOWN:
        _write_numbers(ax, shown, limit)
    return ax


def draw_kappa_error(result: Diversity, ax: Axes | None) -> Axes:
    """Draw every pair as a point, and their mean."""
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained")
    first, second = np.triu_indices(len(result.names), k=1)
    kappa = result.kappa[first, second]
    error = 1 - (result.accuracies[first] + result.accuracies[second]) / 2
    defined = ~np.isnan(kappa)
    see_through = float(np.clip(15 / np.sqrt(max(1, defined.sum())), 0.15, 0.8))
    ax.scatter(
        kappa[defined], error[defined], s=18, alpha=see_through, linewidths=0, label="pairs of members"
    )
    if defined.any():
        mean = f"mean: kappa {kappa[defined].mean():.2f}, error {error[defined].mean():.1%}"
        ax.scatter(kappa[defined].mean(), error[defined].mean(), marker="+", s=120, color="black", label=mean)
    ax.axhline(
        1 - result.vote_accuracy,
        color="tab:red",
        linestyle="--",
        label=f"majority vote: error {1 - result.vote_accuracy:.1%}",
    )
    ax.set_xlabel("kappa (1: identical predictions, 0: agreement by chance)")
    ax.set_ylabel("mean error of the pair")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.set_ylim(bottom=0)
    ax.grid(color=_FAINT)
    ax.set_axisbelow(True)
    ax.legend(frameon=False)
    return ax


def _limit(shown: Floats) -> float:
    """Return the end of the colours: the largest value, for overlaps near 0 must be told apart too."""
    magnitudes = np.abs(shown[~np.isnan(shown)])
    return float(magnitudes.max()) if magnitudes.size and magnitudes.max() > 0 else 1.0


def _name_members(ax: Axes, names: list[str]) -> None:
    if len(names) > _NUMBERS_SHOWN:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("member")
        ax.set_ylabel("member")
        return
    short = [name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…" for name in names]
    ax.set_xticks(range(1, len(names) + 1), short, rotation=35, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(1, len(names) + 1), short)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _write_numbers(ax: Axes, shown: Floats, limit: float) -> None:
    for (row, column), value in np.ndenumerate(shown):
        if row == column:
            continue
        text = "–" if np.isnan(value) else f"{value:.2f}"
        color = "white" if abs(value) > 0.6 * limit else "black"
        ax.text(column + 1, row + 1, text, ha="center", va="center", color=color, fontsize="small")
