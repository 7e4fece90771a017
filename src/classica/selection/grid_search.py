"""The parameters that cross-validate best: of a grid, or from coarse to fine."""

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

#: Means closer than this are equal: they differ in the order in which scores were added.
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
    """Find the parameters of a grid that cross-validate best, from as few fits as will do.

    Every point gets the scores that a fresh fit on each part would get. What points share is learned once:
    all K of nearest neighbours from one search, all prunings and depths of a tree from one growth, all sizes
    of an ensemble from its largest, all shrinkages of Gaussian classes from the same sums, all C of a support
    vector machine from the same kernel values; and the steps of a pipeline before its classifier are fitted
    once.

    Parameters
    ----------
    estimator : estimator
        What is searched for; not changed. May be a pipeline.
    grid : dict
        The values of each parameter, all tried with all; names as ``get_params`` gives them (``model__C`` for
        a step of a pipeline). Put the simplest value first: of equal scores the point tried first wins, and
        the first value of every parameter is tried first. No parameters: the estimator as it is.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The target.
    cv : int, splitter or sequence of (train, test), default=5
        The parts, as scikit-learn takes them; the same for all points. A number: stratified for a classifier.
    scoring : None, str or function, default=None
        What is to be high, as scikit-learn takes it; None: the estimator's own score.
    refine : bool, default=False
        Whether to look closer and closer around the best point, as `coarse_to_fine` does. Numbers are then
        tried in ascending order.
    groups : array-like of shape (n_samples,), optional
        For splitters that keep groups together; with a number of parts, each group is in one of them only.
    refit : bool, default=False
        Whether to fit the best parameters on all rows in the end.

    Returns
    -------
    SearchResult

    Notes
    -----
    Parameters that the estimator refuses score minus infinity; if all are refused, the error is raised.

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
    """Return the point with the highest mean; of equal ones the first."""
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
