"""Grid search with shared work between the points of the grid."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from classica.arrays import MatrixLike, Rows, Scoring, VectorLike
from classica.errors import DataError, must
from classica.selection.point_scores import cross_validated, point_scores
from classica.selection.refining_search import coarse_to_fine, require_grid
from classica.selection.search_result import SearchPoint, SearchResult
from classica.selection.search_space import listed_values, splits_of

#: Means closer than this are equal up to rounding, which depends on the order of addition.
ROUNDING = 1e-12


def select_parameters(
    estimator: Any,
    grid: Mapping[str, Any],
    X: MatrixLike,
    y: VectorLike,
    cv: Any = 5,
    scoring: Any = None,
    *,
    refine: bool = False,
    groups: Any = None,
    refit: bool = False,
) -> SearchResult:
    """Select the parameters of a grid with the best cross-validated score, from as few fits as possible.

    Every point gets the same scores as from a separate fit on each fold, but shared work is done once: all K
    of nearest neighbours come from one search, all prunings and depths of a tree from one growth, all sizes
    of an ensemble from the largest, all shrinkages of a discriminant from the same sums, all C of a support
    vector machine from the same kernel values; and the steps of a pipeline before its classifier are fitted
    once.

    Parameters
    ----------
    estimator : estimator
        The estimator or pipeline; it is cloned, not modified.
    grid : dict
        The values of each parameter, of which all combinations are tried; names as in ``get_params``
        (``model__C`` for a step of a pipeline). List the simplest value first: of points with equal scores
        the first wins, and points with the first values come first. An empty grid evaluates the estimator as
        it is.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The target.
    cv : int, splitter or sequence of (train, test), default=5
        The folds, as in scikit-learn; the same for all points. An integer means stratified folds for a
        classifier.
    scoring : None, str or function, default=None
        The metric to maximise, as in scikit-learn; None for the estimator's own score.
    refine : bool, default=False
        Whether to refine the grid around the best point, as `coarse_to_fine` does. Numbers are then tried in
        ascending order.
    groups : array-like of shape (n_samples,), optional
        The group of each row, for splitters that keep groups together; if `cv` is an integer, each group is
        in one fold only.
    refit : bool, default=False
        Whether to refit with the best parameters on all rows.

    Returns
    -------
    SearchResult

    Notes
    -----
    Parameters that the estimator rejects have a score of minus infinity; if it rejects all, the error is
    raised.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from classica import KNeighborsClassifier, select_parameters
    >>> X, y = load_iris(return_X_y=True)
    >>> found = select_parameters(KNeighborsClassifier(), {"n_neighbors": [15, 9, 5, 3, 1]}, X, y)
    >>> found.best_params, round(found.best_score, 3), len(found.points)
    ({'n_neighbors': 9}, 0.973, 5)
    """
    splits = splits_of(estimator, X, y, cv, groups)
    if refine and grid:
        return coarse_to_fine(estimator, grid, X, y, splits, scoring=scoring, refit=refit)
    points = _scored(estimator, grid, X, y, splits, scoring)
    best = simplest_of_the_best(points)
    if best.mean == -np.inf:
        scores = cross_validated(estimator, X, y, best.parameters, splits, scoring)
        raise DataError(must("The mean score", "finite for at least one setting", scores.tolist()))
    model = clone(estimator).set_params(**best.parameters).fit(X, y) if refit else None
    return SearchResult(best.parameters, best.mean, model, points, [], True)


def simplest_of_the_best(points: Sequence[SearchPoint]) -> SearchPoint:
    """Return the point with the highest mean; ties go to the first."""
    highest = max(point.mean for point in points)
    enough = highest - ROUNDING * max(1.0, abs(highest)) if np.isfinite(highest) else highest
    return next(point for point in points if point.mean >= enough)


def _scored(
    estimator: BaseEstimator,
    grid: Mapping[str, Any],
    X: Rows,
    y: VectorLike,
    splits: list[Any],
    scoring: Scoring,
) -> list[SearchPoint]:
    require_grid(estimator, grid, least=0)
    values = [listed_values(name, given) for name, given in grid.items()]
    points = [dict(zip(grid, chosen, strict=True)) for chosen in itertools.product(*values)]
    scores = point_scores(estimator, X, y, points, splits, scoring)
    return [SearchPoint(point, tuple(row), 0) for point, row in zip(points, scores.tolist(), strict=True)]
