r"""Interactions: how far two columns act together instead of each by itself.

Friedman and Popescu's H (2008) is the share of the partial dependence on two columns that the sum of those on
each leaves unexplained:

.. math:: H^2_{jk} = \frac{\operatorname{Var}\left(\bar f_{jk} - \bar f_j - \bar f_k\right)}
          {\operatorname{Var}(\bar f_{jk})}

Variances are over the product of the values of both columns, weighted by how frequent they are. There the sum
and the rest are orthogonal and H lies between 0 and 1; over the rows of the table, effects of correlated
columns may cancel and H may exceed 1. It is computed on log odds, where logistic regression and naive Bayes
have no interactions: on probabilities every model would have some, because they level off at 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.arrays import MatrixLike
from classica.errors import DataError, must
from classica.inspection.dependence import Grid, class_shares, column_grid, dependence_of
from classica.inspection.row_table import RowTable
from classica.native import Floats
from classica.recorded import Recorded

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

#: The least probability that counts, of a model that has exact zeros, such as a tree, and of any other.
_LEAST_OF_COUNTS, _LEAST = 1e-3, 1e-300
#: Columns whose log odds vary less than this have no effect that could interact.
_NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class PairStrength(Recorded):
    """The interaction of two columns: H, from 0 (they add up) to 1 (only both together matter)."""

    first: str
    second: str
    strength: float


@dataclass(frozen=True)
class Interactions(Recorded):
    """The interactions of some columns, and how the strongest pair acts together.

    Attributes
    ----------
    pairs : tuple of PairStrength
        All pairs that were looked at, the strongest first.
    first_values, second_values : tuple
        Values of the columns of the strongest pair; None: missing.
    average : ndarray of shape (n_first_values, n_second_values)
        The mean probability of the class with both.
    label : object
        The class: of two the second, otherwise the one whose probability varies most.
    rows : int
        The rows behind the means.
    """

    pairs: tuple[PairStrength, ...]
    first_values: tuple[Any, ...]
    second_values: tuple[Any, ...]
    average: Floats
    label: Any
    rows: int

    @property
    def strongest(self) -> PairStrength:
        """The strongest pair."""
        return self.pairs[0]

    def __str__(self) -> str:
        top = self.strongest
        words = "hardly interact" if top.strength < 0.1 else "interact"
        most = f", the strongest of {len(self.pairs)} pairs" if len(self.pairs) > 1 else ""
        return f"{top.first} and {top.second} {words}: H = {top.strength:.2f}{most}."


def interactions(
    model: BaseEstimator, X: MatrixLike, columns: Sequence[str | int], *, grid_size: int = 8
) -> Interactions:
    """Return the interaction of every pair of columns, and the joint dependence on the strongest pair.

    Parameters
    ----------
    model : classifier
        Fitted.
    X : array or frame
        Rows to average over.
    columns : sequence of str or int
        The columns, by name or index; at least two.
    grid_size : int, default=8
        The most values of a column.

    Returns
    -------
    Interactions

    Examples
    --------
    >>> from classica import CARTClassifier
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    >>> y = ["same", "other", "other", "same"] * 5
    >>> model = CARTClassifier(prune=None, min_samples_split=2).fit(X, y)
    >>> print(interactions(model, X, [0, 1]))
    x0 and x1 interact: H = 1.00.
    """
    rows = RowTable.of(X)
    indices = list(dict.fromkeys(rows.index(column) for column in columns))
    if len(indices) < 2:
        raise DataError(must("columns", "at least two different columns", list(columns)))
    least = _LEAST if class_shares(model, rows.rows).min() > 0 else _LEAST_OF_COUNTS
    grids = {index: column_grid(rows, index, grid_size, grid_size) for index in indices}
    pairs = []
    for a, b in combinations(indices, 2):
        shares = _joint(model, rows, (a, b), (grids[a], grids[b]))
        strength = _strength(_log_odds(shares, least), grids[a].shares, grids[b].shares)
        pairs.append((strength, a, b, shares.mean(axis=2)))
    pairs.sort(key=lambda pair: -pair[0])
    named = tuple(PairStrength(rows.names[a], rows.names[b], strength) for strength, a, b, _ in pairs)
    _, a, b, surface = pairs[0]
    shown = 1 if surface.shape[2] == 2 else int(np.ptp(surface, axis=(0, 1)).argmax())
    label = np.asarray(model.classes_).tolist()[shown]
    return Interactions(named, grids[a].values, grids[b].values, surface[:, :, shown], label, len(rows))


def _joint(model: BaseEstimator, X: RowTable, pair: tuple[int, int], grids: tuple[Grid, Grid]) -> Floats:
    """Return the probabilities with both values set: (first values, second values, rows, classes)."""
    first, second = (grid.rows for grid in grids)
    cells = {pair[0]: np.repeat(first, len(second)), pair[1]: np.tile(second, len(first))}
    return dependence_of(model, X, cells).reshape(len(first), len(second), len(X), -1)


def _log_odds(shares: Floats, least: float) -> Floats:
    """Return the mean log odds of each class: (first values, second values, classes)."""
    logs = np.log(np.clip(shares, least, None))
    # Against the mean of all classes: what all have in common, such as the sum to 1, is no effect.
    found: Floats = (logs - logs.mean(axis=3, keepdims=True)).mean(axis=2)
    return found


def _strength(joint: Floats, first: Floats, second: Floats) -> float:
    """Return H: the root of the share of the variance that rows and columns of the table do not explain."""
    centred = joint - np.einsum("abc,a,b->c", joint, first, second)
    rest = centred - np.einsum("abc,b->ac", centred, second)[:, None]
    rest -= np.einsum("abc,a->bc", centred, first)
    whole, left = (float(np.einsum("abc,a,b->", part**2, first, second)) for part in (centred, rest))
    return 0.0 if whole <= _NEGLIGIBLE else float(np.sqrt(min(left / whole, 1.0)))
