"""Nested cross-validation: tune parameters in an inner cross-validation, evaluate in an outer one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import check_scoring

from classica.arrays import MatrixLike, Rows, Scoring, Splitter, VectorLike
from classica.decision.rows import one_per_row
from classica.estimators.base.grid_task import SplitRows, as_indices, is_pairwise
from classica.native import Floats
from classica.row_taking import as_table
from classica.selection.grid_search import select_parameters
from classica.selection.nested_result import NestedFold, NestedResult
from classica.selection.refining_search import require_grid
from classica.selection.search_space import groups_of, like, splits_of


def nested_cv(
    estimator: BaseEstimator,
    grid: Mapping[str, Any],
    X: MatrixLike,
    y: VectorLike,
    *,
    cv: Splitter = 10,
    inner_cv: Splitter = 5,
    scoring: Scoring | None = None,
    groups: VectorLike | None = None,
    refine: bool = False,
    n_jobs: int | None = None,
) -> NestedResult:
    """Tune parameters by cross-validation and evaluate the result on held-out rows.

    The score by which parameters were selected is optimistic. Therefore each outer fold is held out,
    parameters are tuned on the other rows by an inner cross-validation, the model is refitted on these rows,
    and evaluated on the held-out fold. Everything that is learned from data belongs inside: put scaling,
    imputation and feature selection into a pipeline with the classifier.

    Parameters
    ----------
    estimator : estimator
        The classifier, or a pipeline that ends in one; it is cloned, not modified.
    grid : dict
        The values of each parameter, as in `select_parameters`; an empty grid evaluates the estimator as it
        is.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The labels.
    cv, inner_cv : int, splitter or, for `cv`, sequence of (train, test), default=10 and 5
        The outer and the inner folds, as in scikit-learn. An integer means stratified folds; with `groups`,
        folds that keep groups together; and, inside a ``TimeSeriesSplit``, folds in temporal order.
    scoring : None, str or function, default=None
        The metric to maximise, as in scikit-learn; None for the estimator's own score.
    groups : array-like of shape (n_samples,), optional
        The group of each row, for the splitters of both levels.
    refine : bool, default=False
        Whether the inner search refines the grid around its best point, as `coarse_to_fine` does.
    n_jobs : int or None, default=None
        Number of processes that work on outer folds; None for one. The result does not depend on it.

    Returns
    -------
    NestedResult

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from classica import KNeighborsClassifier, nested_cv
    >>> X, y = load_iris(return_X_y=True)
    >>> found = nested_cv(KNeighborsClassifier(), {"n_neighbors": [15, 9, 5, 1]}, X, y, cv=3)
    >>> print(found)
     fold   inner   train    test  parameters
        0  0.9600  0.9700  0.9600  n_neighbors=15
        1  0.9700  0.9700  0.9800  n_neighbors=5
        2  0.9800  0.9800  0.9600  n_neighbors=9
    mean test score 0.9667, standard deviation 0.0115
    """
    require_grid(estimator, grid, least=0)
    X, y = as_table(X), one_per_row(y, "y")
    task = _Task(estimator, grid, X, y, like(cv, inner_cv), scoring, groups, refine)
    splits = splits_of(estimator, X, y, cv, groups)
    folds = Parallel(n_jobs=n_jobs)(delayed(task.fold)(*map(as_indices, split)) for split in splits)
    return NestedResult(list(folds))


@dataclass(frozen=True)
class _Task:
    """A search that is evaluated on the outer folds."""

    estimator: Any
    grid: Mapping[str, Any]
    X: Any
    y: NDArray[Any]
    inner_cv: Any
    scoring: Any
    groups: Any
    refine: bool

    def fold(self, train: NDArray[np.intp], test: NDArray[np.intp]) -> NestedFold:
        """Tune, fit and evaluate one outer fold."""
        part = SplitRows(self.X, self.y, train, test)
        pairwise = is_pairwise(self.estimator)
        (X, y), (tested, truth) = part.learned(pairwise), part.tested(pairwise)
        began = perf_counter()
        chosen, inner_score = self._chosen(X, y, groups_of(self.groups, train))
        selected = perf_counter()
        model = clone(self.estimator).set_params(**chosen).fit(X, y)
        fitted = perf_counter()
        predictions = np.asarray(model.predict(tested))
        predicted = perf_counter()
        score = check_scoring(model, self.scoring)
        return NestedFold(
            chosen,
            inner_score,
            float(score(model, X, y)),
            float(score(model, tested, truth)),
            train,
            test,
            np.asarray(model.classes_),
            predictions,
            _answers(model, "predict_proba", tested),
            _answers(model, "decision_function", tested),
            selected - began,
            fitted - selected,
            predicted - fitted,
        )

    def _chosen(self, X: Rows, y: NDArray[Any], groups: VectorLike) -> tuple[dict[str, Any], float]:
        if not self.grid:
            return {}, float("nan")
        search = select_parameters(
            self.estimator,
            self.grid,
            X,
            y,
            self.inner_cv,
            self.scoring,
            refine=self.refine,
            groups=groups,
        )
        return search.best_params, search.best_score


def _answers(model: BaseEstimator, method: str, X: Rows) -> Floats | None:
    """Return the output of a prediction method of the model; None if it has no such method."""
    return np.asarray(getattr(model, method)(X)) if hasattr(model, method) else None
