"""Scores of held-out rows, by classifiers that were not trained on them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold, check_cv

from classica.arrays import MatrixLike
from classica.decision.class_labels import label_codes
from classica.errors import DataError, ParameterError, must
from classica.metadata import Metadata
from classica.native import Floats
from classica.params import Integer
from classica.row_taking import gives_rows, take_rows

Rows = NDArray[np.intp]

#: Enough for the two numbers of a curve, at the price of little more than one fit: each fold learns from two
#: thirds of the rows, and fits take at least linear time.
FEW_FOLDS = 3
#: Tables are often sorted. Folds of neighbouring rows then lack whole values of a column, and scores of rows
#: unlike any that were learned from say little about scores of new rows (docs/decisions/0044).
_SEED = 0


@dataclass(frozen=True)
class LabelledRows:
    """Rows as the user has them, with labels and, unless all count the same, weights.

    The metadata are what a classifier gets beside them, perhaps the weights, too.
    """

    X: Any
    labels: NDArray[Any]
    weights: Floats | None
    metadata: Metadata

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: Rows) -> LabelledRows:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return LabelledRows(take_rows(self.X, rows), self.labels[rows], weights, self.metadata.take(rows))

    def fitted(self, estimator: Any) -> Any:
        """Return a clone of a classifier that has learned from the rows."""
        return clone(estimator).fit(self.X, self.labels, **self.metadata.values)


@dataclass(frozen=True)
class HeldOutScores:
    """Rows, by number, and the score of each class for each; NaN where a class was not to be learned.

    A row is here as often as it was held out.
    """

    rows: Rows
    scores: Floats


def class_scores(model: Any, X: MatrixLike, classes: NDArray[Any]) -> Floats:
    """Return a score of each class for each row; NaN for classes the model was not trained on.

    Parameters
    ----------
    model : classifier
        A fitted one, with two classes or more.
    X : whatever it takes
        The rows.
    classes : ndarray
        The labels, sorted.
    """
    method = model.decision_function if hasattr(model, "decision_function") else model.predict_proba
    values = np.asarray(method(X), dtype=np.float64)
    labels = model.classes_
    if values.ndim == 1 and len(labels) == 2:  # the score of the second class
        values = np.column_stack([-values, values])
    name = type(model).__name__
    if values.ndim != 2 or values.shape[1] != len(labels):
        raise DataError(must(f"The scores of {name}", f"one for each of {len(labels)} classes", values.shape))
    if np.isnan(values).any():
        row = int(np.isnan(values).any(axis=1).argmax())
        raise DataError(f"The scores of {name} must be numbers, got {values[row].tolist()} in row {row}.")
    scores = np.full((len(values), len(classes)), np.nan)
    scores[:, label_codes(labels, classes)] = values
    return scores


def held_out_scores(
    estimator: Any, data: LabelledRows, classes: NDArray[Any], cv: Any, split_params: Mapping[str, Any]
) -> HeldOutScores:
    """Return the scores of all held-out rows, by clones trained on the others.

    Parameters
    ----------
    estimator : classifier
        One that is frozen scores all rows itself, without folds.
    data : LabelledRows
        The rows.
    classes : ndarray
        The labels of all rows, sorted.
    cv : int, splitter, iterable, "auto" or None
        The folds; "auto": as many as the rows allow, at most `FEW_FOLDS`, of shuffled rows. Where they allow
        none, the scores are those of rows the classifier has learned from.
    split_params : mapping
        What a splitter gets beside rows and labels.
    """
    if isinstance(estimator, FrozenEstimator):
        return HeldOutScores(np.arange(len(data)), class_scores(estimator, data.X, classes))
    scored, is_auto = [], isinstance(cv, str)
    for number, (learned, held_out) in enumerate(_folds(data, cv, split_params)):
        model = data.take(learned).fitted(estimator)
        if len(model.classes_) < 2:
            if is_auto:  # too few rows to leave any of them out here
                continue
            got = f"only {model.classes_.tolist()} in fold {number + 1}"
            raise DataError(f"Every training fold of cv must have at least two classes, got {got}.")
        scored.append(HeldOutScores(held_out, class_scores(model, take_rows(data.X, held_out), classes)))
    if not scored and is_auto:
        model = data.fitted(estimator)
        return HeldOutScores(np.arange(len(data)), class_scores(model, data.X, classes))
    if not scored:
        raise ParameterError("cv must yield at least one test fold, got none.")
    return HeldOutScores(
        np.concatenate([fold.rows for fold in scored]), np.vstack([fold.scores for fold in scored])
    )


def _folds(data: LabelledRows, cv: Any, split_params: Mapping[str, Any]) -> Iterator[tuple[Rows, Rows]]:
    """Yield the indices of training and of held-out rows."""
    everyone = np.arange(len(data))
    codes = np.unique(data.labels, return_inverse=True)[1]
    most = int(np.bincount(codes).max())
    if isinstance(cv, str):
        yield from _few_folds(codes, min(FEW_FOLDS, most))
        return
    counted = cv is None or Integer(at_least=2).accepts(cv)
    wanted = 5 if cv is None else cv
    if counted and wanted > most:
        rule = f"at most {most}, the number of rows of the most frequent class"
        raise ParameterError(must("cv", rule, wanted))
    splitter = check_cv(cv, codes, classifier=True)
    # A splitter of scikit-learn's own choice takes neither every kind of label nor every kind of table.
    seen = everyone[:, None] if counted or gives_rows(data.X) else data.X
    for learned, held_out in splitter.split(seen, codes if counted else data.labels, **split_params):
        if len(everyone[held_out]):
            yield everyone[learned], everyone[held_out]


def _few_folds(codes: Rows, folds: int) -> Iterator[tuple[Rows, Rows]]:
    """Give stratified folds of shuffled rows; none where every class has a single row."""
    if folds < 2:
        return
    with warnings.catch_warnings():
        # A class of fewer rows than folds is held out in some of them only.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splitter = StratifiedKFold(folds, shuffle=True, random_state=_SEED)
        yield from list(splitter.split(np.zeros(len(codes)), codes))
