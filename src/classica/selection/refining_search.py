"""Coarse-to-fine search: a wide grid with large steps, then finer grids around the best point."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from sklearn.base import BaseEstimator, clone

from classica.arrays import MatrixLike, Scoring, Splitter, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.params import Integer, Real
from classica.selection.point_scores import cross_validated, point_scores
from classica.selection.search_result import SearchPoint, SearchResult
from classica.selection.search_space import Axis, Splits, splits_of


def coarse_to_fine(
    estimator: BaseEstimator,
    grid: Mapping[str, Any],
    X: MatrixLike,
    y: VectorLike,
    cv: Splitter = 5,
    *,
    scoring: Scoring | None = None,
    tol: float = 1e-3,
    max_rounds: int = 6,
    refit: bool = True,
    progress: Callable[[str], None] | None = None,
) -> SearchResult:
    """Search for the best parameters on a wide grid, then on finer grids around the best point.

    This is how the lecture tunes C and γ of a support vector machine. Each round tries up to five values of
    each parameter around the best one so far, at half the spacing of the previous round, until two
    consecutive rounds improve the score by no more than `tol` (a single round may have skipped a better
    value).

    Parameters
    ----------
    estimator : estimator
        The estimator; it is cloned, not modified. One with a method ``grid_scores``, such as `SVMClassifier`,
        scores all points of a round together: distances are computed once, kernels once for each γ, and
        solutions are warm-started from one C to the next. See `select_parameters` for other estimators.
    grid : dict
        The initial values of each parameter, of which all combinations are tried. Positive numbers are
        refined on a logarithmic scale and may leave the given range, other numbers on a linear scale within
        it; integers stay integers unless the estimator's current value is a float (for a γ of "scale", use
        1.0 instead of 1); other values are not refined.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The target.
    cv : int, splitter or sequence of (train, test), default=5
        The folds, as in scikit-learn; the same for all points. An integer means stratified folds for a
        classifier.
    scoring : None, str or function, default=None
        The metric to maximise, as in scikit-learn; None for the estimator's own score.
    tol : float, default=1e-3
        The search ends when two consecutive rounds improve the score by no more than this.
    max_rounds : int, default=6
        Maximum number of rounds after the grid; 0 is a plain grid search.
    refit : bool, default=True
        Whether to refit with the best parameters on all rows.
    progress : function, optional
        Called with one line of text per round, for example ``print``.

    Returns
    -------
    SearchResult

    Notes
    -----
    Parameters that the estimator rejects, such as a hard margin on overlapping classes, have a score of minus
    infinity; if it rejects the whole grid, or no point can be scored, the error is raised. Of points with
    equal scores the first wins: numbers are tried in ascending order, other values in the given order.

    Examples
    --------
    How much should the covariance of 20 columns be shrunk, given 60 rows? The grid selects full shrinkage;
    refining it finds a better value in between.

    >>> import numpy as np
    >>> from classica import LinearDiscriminantClassifier, coarse_to_fine
    >>> X = np.random.default_rng(0).normal(size=(60, 20)) + np.repeat([[0.0], [0.8]], 30, axis=0)
    >>> y = np.repeat([0, 1], 30)
    >>> found = coarse_to_fine(LinearDiscriminantClassifier(), {"shrinkage": [0.01, 0.1, 1.0]}, X, y)
    >>> found.best_params, round(found.best_score, 3), len(found.points)
    ({'shrinkage': 0.56234132519}, 0.983, 13)
    """
    _require(estimator, grid, tol, max_rounds)
    splits = splits_of(estimator, X, y, cv)
    scorer = _Scorer(estimator, X, y, splits, scoring)
    own = estimator.get_params()
    axes = [Axis.of(name, values, own[name]) for name, values in grid.items()]
    points = scorer.points(axes, [], 0)
    if _best(points).mean == -np.inf:
        scorer.say_why(points[0].parameters)
    gains: list[float] = []
    converged = not any(axis.is_numeric for axis in axes)
    _tell(progress, points, 0)
    while not converged and len(gains) < max_rounds:
        best = _best(points)
        around = [axis.closer(best.parameters[axis.name], len(gains) + 1) for axis in axes]
        points += scorer.points(around, points, len(gains) + 1)
        gains.append(_best(points).mean - best.mean)
        converged = len(gains) > 1 and max(gains[-2:]) <= tol
        _tell(progress, points, len(gains))
    best = _best(points)
    model = clone(estimator).set_params(**best.parameters).fit(X, y) if refit else None
    return SearchResult(best.parameters, best.mean, model, points, gains, converged)


@dataclass(frozen=True)
class _Scorer:
    """Score parameters on the same folds."""

    estimator: Any
    X: Any
    y: Any
    splits: Splits
    scoring: Any

    def points(self, axes: Sequence[Axis], earlier: Sequence[SearchPoint], number: int) -> list[SearchPoint]:
        """Return the points of a round that have not been tried before."""
        names = [axis.name for axis in axes]
        all_of_them = [
            dict(zip(names, values, strict=True))
            for values in itertools.product(*(axis.values for axis in axes))
        ]
        tried = [point.parameters for point in earlier]
        new = [parameters for parameters in all_of_them if parameters not in tried]
        scores = point_scores(self.estimator, self.X, self.y, new, self.splits, self.scoring)
        return [SearchPoint(p, tuple(row.tolist()), number) for p, row in zip(new, scores, strict=True)]

    def say_why(self, parameters: dict[str, Any]) -> NoReturn:
        """Raise the error that keeps all parameters from having a score."""
        scores = cross_validated(self.estimator, self.X, self.y, parameters, self.splits, self.scoring)
        raise DataError(must("The mean score", "finite for at least one setting", scores.tolist()))


def _best(points: Sequence[SearchPoint]) -> SearchPoint:
    return max(points, key=lambda point: point.mean)


def _tell(progress: Callable[[str], None] | None, points: Sequence[SearchPoint], number: int) -> None:
    if progress is not None:
        best = _best(points)
        progress(f"round {number}: {len(points)} points, best {best.mean:.4f} at {best.parameters}")


def require_grid(estimator: BaseEstimator, grid: object, *, least: int = 1) -> None:
    """Raise `ParameterError` unless the grid maps parameters of the estimator to values."""
    if not isinstance(grid, Mapping) or len(grid) < least:
        raise ParameterError(must("grid", "a dict from parameters to lists of values", grid))
    parameters = estimator.get_params()
    for name in grid:
        if name not in parameters:
            raise ParameterError(must("grid", f"keyed by parameters of {type(estimator).__name__}", name))


def _require(estimator: BaseEstimator, grid: object, tol: object, max_rounds: object) -> None:
    require_grid(estimator, grid)
    for name, value, rule in (
        ("tol", tol, Real(at_least=0)),
        ("max_rounds", max_rounds, Integer(at_least=0)),
    ):
        if not rule.accepts(value):
            raise ParameterError(must(name, str(rule), value))
