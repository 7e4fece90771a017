"""Rules that select one of many configurations, for many samples of the rows at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from classica.evaluation.row_test import ALONE_FACTOR, error_law
from classica.native import Floats

Places = NDArray[np.intp]
#: From the weights of rows in each sample, and the mean losses by them, to the configuration each selects.
Select = Callable[[Floats, Floats], Places]


def best_of(places: Places) -> Select:
    """Return the rule that selects the least mean loss among some configurations; of equals the first."""
    # Equal means may differ in the order in which losses were added.
    return lambda weights, means: places[np.argmin(np.round(means[:, places], 12), axis=1)]


def simplest(table: Floats, groups: Places, margin: float, alpha: float) -> Select:
    """Return the rule that selects the simplest model that is practically and statistically the best.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_configurations)
        The losses.
    groups : ndarray of int of shape (n_configurations,)
        The model of each configuration, the simplest first.
    margin : float
        Up to what difference two models are practically the same.
    alpha : float
        The level of the test on rows.
    """
    models = [best_of(np.flatnonzero(groups == each)) for each in np.unique(groups)]
    reach = float(error_law(len(table)).isf(alpha / 2))

    def select(weights: Floats, means: Floats) -> Places:
        best = np.column_stack([model(weights, means) for model in models])
        least = np.take_along_axis(means, best, axis=1)
        leader = np.argmin(np.round(least, 12), axis=1)
        every = np.arange(len(means))
        selected = best[every, leader]
        behind = least - least[every, leader][:, None]
        for model in reversed(range(len(models) - 1)):  # the simplest that passes is written last
            close = np.flatnonzero((model < leader) & (behind[:, model] <= margin + 1e-12))
            pairs = best[close, model], best[close, leader[close]]
            error = _errors(table, weights, close, *pairs, behind[close, model])
            passes = close[behind[close, model] <= reach * error + 1e-12]
            selected[passes] = best[passes, model]
        return np.asarray(selected, dtype=np.intp)

    return select


def _errors(
    table: Floats, weights: Floats, samples: Places, first: Places, second: Places, mean: Floats
) -> Floats:
    """Return the standard error of the difference of two configurations in some samples."""
    squares = np.empty(len(samples))
    pair = first * table.shape[1] + second
    for each in np.unique(pair):
        where = np.flatnonzero(pair == each)
        differences = table[:, first[where[0]]] - table[:, second[where[0]]]
        squares[where] = weights[samples[where]] @ differences**2 / len(table)
    variance = np.maximum(squares - mean**2, 0.0) / (len(table) - 1)
    errors: Floats = np.sqrt(ALONE_FACTOR * variance)
    return errors
