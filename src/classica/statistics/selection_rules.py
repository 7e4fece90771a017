"""Rules that select one of many configurations, for many samples of the rows at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.statistics.row_differences import ALONE_FACTOR, error_law

Places = NDArray[np.intp]
#: From the weights of rows in each sample, and the mean losses by them, to the configuration each selects.
Select = Callable[[Floats, Floats], Places]


def best_of(places: Places) -> Select:
    """Return the rule that selects the least mean loss among some configurations; of equals the first."""
    # Equal means may differ in the order in which losses were added.
    return lambda weights, means: places[np.argmin(np.round(means[:, places], 12), axis=1)]


def simplest(sums: Floats, sizes: Floats, groups: Places, margin: float, probability: float) -> Select:
    """Return the rule that selects the simplest model that is practically as good as the best.

    Parameters
    ----------
    sums : ndarray of shape (n_units, n_configurations)
        The losses of rows, or their sums over clusters of rows.
    sizes : ndarray of shape (n_units,)
        How many rows each unit has.
    groups : ndarray of int of shape (n_configurations,)
        The model of each configuration, the simplest first.
    margin : float
        Up to what difference two models are practically the same.
    probability : float
        How probably a model must be at most `margin` worse than the best, by the test on rows.
    """
    models = [best_of(np.flatnonzero(groups == each)) for each in np.unique(groups)]
    reach = float(error_law(len(sums)).ppf(probability))

    def select(weights: Floats, means: Floats) -> Places:
        best = np.column_stack([model(weights, means) for model in models])
        least = np.take_along_axis(means, best, axis=1)
        leader = np.argmin(np.round(least, 12), axis=1)
        every = np.arange(len(means))
        selected = best[every, leader]
        behind = least - least[every, leader][:, None]
        for model in reversed(range(len(models) - 1)):  # the simplest that passes is written last
            simpler = np.flatnonzero(model < leader)
            allowed: Floats | float = margin
            if reach:  # more probable than not is what the means say alone
                pairs = best[simpler, model], best[simpler, leader[simpler]]
                allowed = margin - reach * _errors(sums, sizes, weights[simpler], *pairs)
            passes = simpler[behind[simpler, model] <= allowed + 1e-12]
            selected[passes] = best[passes, model]
        return np.asarray(selected, dtype=np.intp)

    return select


def _errors(sums: Floats, sizes: Floats, weights: Floats, first: Places, second: Places) -> Floats:
    """Return the standard error of the mean difference of two configurations in each sample."""
    variances = np.empty(len(weights))
    pair = first * sums.shape[1] + second
    for each in np.unique(pair):
        where = np.flatnonzero(pair == each)
        differences = sums[:, first[where[0]]] - sums[:, second[where[0]]]
        drawn = weights[where]
        rows = drawn @ sizes
        mean = drawn @ differences / rows
        # The sum of squared deviations from what the mean would give each unit.
        squares = drawn @ differences**2 - 2 * mean * (drawn @ (differences * sizes))
        squares += mean**2 * (drawn @ sizes**2)
        variances[where] = np.maximum(squares, 0.0) / rows**2
    errors: Floats = np.sqrt(ALONE_FACTOR * variances * len(sums) / (len(sums) - 1))
    return errors
