r"""Permutation importance: how much worse a model predicts when the cells of a column are shuffled.

.. math:: I_j = s(y, f(X)) - \frac{1}{R} \sum_r s(y, f(X^{(j, r)}))

where :math:`X^{(j, r)}` is the table with the cells of column j permuted among its rows (Breiman 2001). All
that an encoder makes of a column is permuted together, so that importances are those of the columns of the
table, missing values included. Rows that the model has learned from would flatter columns it has overfitted:
importances are computed on held-out rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import check_cv

from classica.arrays import MatrixLike, Scoring, Splitter, VectorLike
from classica.decision.rows import one_per_row
from classica.errors import DataError, ParameterError, must
from classica.inspection.importances import (
    FoldImportance,
    Importances,
    pooled_importances,
    ranked_importances,
)
from classica.inspection.row_table import RowTable
from classica.inspection.scorers import MetricScorer, Scorer, scorer_of
from classica.native import Floats
from classica.params import Integer
from classica.statistics.interval import Interval

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def permutations_of(rows: int, repeats: int, seed: int) -> NDArray[np.intp]:
    """Return random orders of rows; all columns share them, so that columns differ by nothing else."""
    random = np.random.default_rng(seed)
    return np.stack([random.permutation(rows) for _ in range(repeats)])


def permuted_scores(
    model: BaseEstimator,
    X: RowTable,
    y: NDArray[Any],
    groups: Sequence[Sequence[int]],
    scorer: Scorer,
    orders: NDArray[np.intp],
) -> Floats:
    """Return the scores with each group of columns permuted: (groups, orders)."""
    return np.array([[scorer(model, rows, y) for rows in _permuted(X, group, orders)] for group in groups])


def _permuted(X: RowTable, group: Sequence[int], orders: NDArray[np.intp]) -> Iterator[Any]:
    for order in orders:
        yield X.with_cells({column: X.cells(column, order) for column in group})


def permutation_importance(
    model: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    *,
    scoring: Scoring = "accuracy",
    groups: Mapping[str, Sequence[str | int]] | None = None,
    n_repeats: int = 5,
    random_state: int = 0,
    permutations: VectorLike | None = None,
    confidence: float = 0.95,
) -> Importances:
    """Return the permutation importance of each column for a fitted model, on rows it has not learned from.

    Parameters
    ----------
    model : classifier
        Fitted.
    X : array or frame
        Held-out rows.
    y : array-like of shape (n_samples,)
        Their labels.
    scoring : str or callable, default="accuracy"
        A metric of `classica.metrics.METRICS`, or a scorer ``scoring(model, X, y)``, high for good.
    groups : dict, optional
        Columns that are permuted together, by the name they go by; by default every column alone.
    n_repeats : int, default=5
        How often each column is permuted.
    random_state : int, default=0
        Random seed.
    permutations : array-like of shape (n_repeats, n_samples), optional
        The orders of rows, instead of random ones.
    confidence : float, default=0.95
        Confidence level of the intervals. They are over rows; metrics that are no mean over rows have none.

    Returns
    -------
    Importances

    Examples
    --------
    >>> from classica import CARTClassifier
    >>> X, y = [[0, 5], [0, 1], [1, 5], [1, 1]] * 10, [0, 0, 1, 1] * 10
    >>> found = permutation_importance(CARTClassifier().fit(X, y), X, y, random_state=1)
    >>> [(each.column, round(each.drop.mean, 2)) for each in found.columns]
    [('x0', 0.55), ('x1', 0.0)]
    """
    rows, labels, scorer = RowTable.of(X), one_per_row(y, "y"), scorer_of(scoring)
    names, indices = _grouped(rows, groups)
    if permutations is None:
        _check_repeats(n_repeats)
        orders = permutations_of(len(rows), n_repeats, random_state)
    else:
        orders = np.atleast_2d(np.asarray(permutations, dtype=np.intp))
    if len(labels) != len(rows) or orders.shape[1] != len(rows):
        raise DataError(must("y and permutations", f"about {len(rows)} rows", (len(labels), orders.shape)))
    score = scorer(model, rows.rows, labels)
    drops = _row_drops(model, rows, labels, indices, scorer, orders)
    if drops is None:
        means = score - permuted_scores(model, rows, labels, indices, scorer, orders).mean(axis=1)
        intervals = [Interval(float(m), math.nan, math.nan, math.nan, 1, confidence) for m in means]
    else:
        intervals = [_over_rows(each, confidence) for each in drops]
    return ranked_importances(_title(scoring), score, names, intervals, 1, len(orders), len(rows), 0)


def cross_val_importance(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    cv: Splitter = 5,
    *,
    scoring: Scoring = "accuracy",
    groups: Mapping[str, Sequence[str | int]] | None = None,
    n_repeats: int = 5,
    random_state: int = 0,
    confidence: float = 0.95,
) -> Importances:
    """Return permutation importances out of fold: each model is asked about rows it has not learned from.

    Intervals are over folds and allow for the training rows that the models share (Nadeau and Bengio), as
    those of scores do.

    Parameters
    ----------
    estimator : classifier
        A clone of it is fitted on the training rows of each fold.
    X : array or frame
        The rows.
    y : array-like of shape (n_samples,)
        Their labels.
    cv : int, splitter or iterable of (train, test), default=5
        The folds.
    scoring, groups, n_repeats, random_state, confidence
        As in `permutation_importance`.

    Returns
    -------
    Importances

    Examples
    --------
    >>> from classica import NaiveBayesClassifier
    >>> from sklearn.datasets import load_iris
    >>> iris = load_iris(as_frame=True)
    >>> cross_val_importance(NaiveBayesClassifier(), iris.data, iris.target).names(2)
    ['petal width (cm)', 'petal length (cm)']
    """
    rows, labels, scorer = RowTable.of(X), one_per_row(y, "y"), scorer_of(scoring)
    names, indices = _grouped(rows, groups)
    _check_repeats(n_repeats)
    folds = []
    splitter = check_cv(cv, labels, classifier=True)
    for number, (train, test) in enumerate(splitter.split(np.zeros((len(rows), 1)), labels)):
        model = clone(estimator).fit(rows.take(train).rows, labels[train])
        orders = permutations_of(len(test), n_repeats, random_state + number)
        folds.append(
            fold_importance(model, rows.take(test), labels[test], indices, scorer, orders, len(train))
        )
    return pooled_importances(_title(scoring), names, folds, n_repeats, confidence)


def fold_importance(
    model: BaseEstimator,
    X: RowTable,
    y: NDArray[Any],
    groups: Sequence[Sequence[int]],
    scorer: Scorer,
    orders: NDArray[np.intp],
    learned_rows: int,
) -> FoldImportance:
    """Return the drops of one model on its test rows."""
    score = scorer(model, X.rows, y)
    drops = score - permuted_scores(model, X, y, groups, scorer, orders).mean(axis=1)
    return FoldImportance(float(score), drops, len(y), learned_rows)


def _row_drops(
    model: BaseEstimator,
    X: RowTable,
    y: NDArray[Any],
    groups: Sequence[Sequence[int]],
    scorer: Scorer,
    orders: NDArray[np.intp],
) -> list[Floats] | None:
    """Return what each row loses more with each group permuted; None for what is no mean over rows."""
    if not isinstance(scorer, MetricScorer):
        return None
    before = scorer.row_losses(model, X.rows, y)
    if before is None:
        return None
    found = []
    for group in groups:
        after = [scorer.row_losses(model, rows, y) for rows in _permuted(X, group, orders)]
        found.append(np.mean([each - before for each in after if each is not None], axis=0))
    return found


def _over_rows(drops: Floats, confidence: float) -> Interval:
    mean, spread = float(drops.mean()), float(drops.std(ddof=1)) if len(drops) > 1 else math.nan
    half = float(stats.norm.ppf(0.5 + confidence / 2)) * spread / math.sqrt(len(drops))
    return Interval(mean, mean - half, mean + half, spread, len(drops), confidence)


def _grouped(
    X: RowTable, groups: Mapping[str, Sequence[str | int]] | None
) -> tuple[list[str], list[list[int]]]:
    if groups is None:
        return X.names, [[index] for index in range(len(X.names))]
    return [*groups], [[X.index(column) for column in columns] for columns in groups.values()]


def _check_repeats(n_repeats: int) -> None:
    if not Integer(at_least=1).accepts(n_repeats):
        raise ParameterError(must("n_repeats", "an integer of at least 1", n_repeats))


def _title(scoring: Scoring) -> str:
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")
