"""The picture of the rounds of a boosted classifier."""

from __future__ import annotations

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from classica.native import Floats

_FAINT, _GREY = "#e6e9ec", "#b8c0c8"


def draw(training: Floats, errors: Floats, votes: Floats, ax: Axes | None) -> Axes:
    """Draw the errors as lines, and the votes as bars behind them with an axis of their own."""
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained")
    rounds = np.arange(1, len(votes) + 1)
    behind = ax.twinx()
    behind.bar(rounds, votes, width=0.8, color=_FAINT, edgecolor=_GREY, linewidth=0.5, label="vote α")
    behind.set_ylabel("vote α of the member")
    behind.set_ylim(0, 1.3 * max(float(votes.max()), 1e-9))
    mark = "." if len(votes) <= 60 else ""
    ax.plot(rounds, errors, linestyle="--", marker=mark, color="#c0504d", label="error ε of the member")
    ax.plot(rounds, training, marker=mark, color="#1f5fa8", label="ensemble training error")
    _finish(ax, behind, len(votes))
    return ax


def _finish(ax: Axes, behind: Axes, rounds: int) -> None:
    ax.set_xlabel("round")
    ax.set_ylabel("error")
    ax.set_ylim(bottom=0)
    ax.set_xlim(0.4, rounds + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_zorder(behind.get_zorder() + 1)  # lines before bars
    ax.patch.set_visible(False)
    handles, labels = ax.get_legend_handles_labels()
    bars, names = behind.get_legend_handles_labels()
    # Above the picture: errors of members fill its upper half, votes and training errors the lower one.
    ax.legend(
        handles + bars, labels + names, frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1)
    )
