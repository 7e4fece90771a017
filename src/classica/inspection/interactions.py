r"""Interactions: how far two columns act together instead of each by itself.

Friedman and Popescu's H (2008) compares the partial dependence on both columns with the sum of those on each:

.. math:: H^2_{jk} =
          \frac{\sum_i \left(\bar f_{jk}(x_{ij}, x_{ik}) - \bar f_j(x_{ij}) - \bar f_k(x_{ik})\right)^2}
          {\sum_i \bar f_{jk}(x_{ij}, x_{ik})^2}

with all three centred. It is computed on log odds, where logistic regression and naive Bayes have none: on
probabilities every model would have some, because they level off at 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.errors import DataError, must
from classica.inspection.dependence import class_shares, column_grid, dependence_of
from classica.inspection.row_table import RowTable
from classica.native import Floats
from classica.recorded import Recorded

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

#: The least probability that counts, of a model that has exact zeros, such as a tree, and of any other.
_LEAST_OF_COUNTS, _LEAST = 1e-3, 1e-300
#: Below this share of the variation of the scores, two columns together say nothing that could interact.
_NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class PairStrength(Recorded):
    """The interaction of two columns: H, from 0 (they add up) to about 1 (only both together matter)."""

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
    model: BaseEstimator,
    X: MatrixLike,
    columns: Sequence[str | int],
    *,
    points: int = 40,
    grid_size: int = 10,
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
    points : int, default=40
        Rows of the table whose pairs of values are compared, spread over it.
    grid_size : int, default=10
        The most values of a column of the strongest pair.

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
    indices = [rows.index(column) for column in columns]
    if len(set(indices)) < 2:
        raise DataError(must("columns", "at least two different columns", list(columns)))
    at = np.unique(np.linspace(0, len(rows) - 1, min(points, len(rows))).round().astype(np.intp))
    least = _LEAST if class_shares(model, rows.rows).min() > 0 else _LEAST_OF_COUNTS
    alone = {index: _centred(model, rows, {index: at}, least) for index in indices}
    pairs = []
    for a, b in combinations(indices, 2):
        both = _centred(model, rows, {a: at, b: at}, least)
        pairs.append((_strength(both, alone[a] + alone[b]), a, b))
    pairs.sort(key=lambda pair: -pair[0])
    strongest = pairs[0][1:]
    named = tuple(PairStrength(rows.names[a], rows.names[b], strength) for strength, a, b in pairs)
    return Interactions(named, *_surface(model, rows, strongest, grid_size), len(rows))


def _centred(model: BaseEstimator, X: RowTable, cells: dict[int, NDArray[np.intp]], least: float) -> Floats:
    """Return the partial dependence of the log odds at some points, centred: (points, classes)."""
    logs = np.log(np.clip(dependence_of(model, X, cells), least, None))
    # Against the mean of all classes: what all have in common, such as the sum to 1, is no effect.
    found = (logs - logs.mean(axis=2, keepdims=True)).mean(axis=1)
    centred: Floats = found - found.mean(axis=0)
    return centred


def _strength(both: Floats, added: Floats) -> float:
    whole = float(np.sum(both**2))
    return 0.0 if whole <= _NEGLIGIBLE else float(np.sqrt(np.sum((both - added) ** 2) / whole))


def _surface(
    model: BaseEstimator, X: RowTable, pair: Sequence[int], size: int
) -> tuple[tuple[Any, ...], tuple[Any, ...], Floats, Any]:
    grids = [column_grid(X, column, size, size) for column in pair]
    first, second = (grid.rows for grid in grids)
    cells = {pair[0]: np.repeat(first, len(second)), pair[1]: np.tile(second, len(first))}
    found = dependence_of(model, X, cells).mean(axis=1).reshape(len(first), len(second), -1)
    shown = 1 if found.shape[2] == 2 else int(np.ptp(found, axis=(0, 1)).argmax())
    label = np.asarray(model.classes_).tolist()[shown]
    return grids[0].values, grids[1].values, found[:, :, shown], label
