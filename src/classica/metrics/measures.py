"""The measures a comparison offers, in one table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score, recall_score, roc_auc_score

from classica.arrays import MatrixLike
from classica.decision.costs import read_costs
from classica.errors import DataError, ParameterError, must
from classica.metrics.confusion_matrix import confusion
from classica.metrics.measure import Measure, Metric, RowLosses
from classica.metrics.row_losses import (
    auc_losses,
    balanced_losses,
    brier_losses,
    f1_losses,
    log_losses,
)
from classica.native import Floats
from classica.params import OneOf

_Labels = NDArray[Any]
_NO_END = float("inf")


def metric(name: str) -> Metric:
    """Return a measure by its name.

    Parameters
    ----------
    name : {"accuracy", "balanced_accuracy", "f1", "log_loss", "brier", "auc", "cost"}
        The name.

    Returns
    -------
    Metric

    Examples
    --------
    >>> metric("accuracy")(["a", "b", "b", "b"], ["a", "b", "b", "a"])
    0.75
    >>> metric("accuracy").chance(["a", "b", "b", "b"])
    0.75
    """
    rule = OneOf(*METRICS)
    if not rule.accepts(name):
        raise ParameterError(must("metric", str(rule), name))
    return METRICS[name]


def answer_scores(estimator: Any, X: MatrixLike) -> Floats:
    """Return what a fitted classifier says beyond labels: probabilities, or the scores of a margin machine.

    Parameters
    ----------
    estimator : classifier
        Fitted, with `predict_proba` or `decision_function`.
    X : table
        The rows.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), or (n_samples,) for the margin of two classes
    """
    for method in ("predict_proba", "decision_function"):
        if hasattr(estimator, method):
            return np.asarray(getattr(estimator, method)(X), dtype=np.float64)
    raise ParameterError(must("estimator", "a classifier with predict_proba or decision_function", estimator))


def _said(predictions: _Labels | None) -> _Labels:
    if predictions is None:
        raise DataError(must("predictions", "given for this metric", None))
    return predictions


def _columns(scores: Floats | None, classes: _Labels, rows: int) -> Floats:
    """Return one column of scores for each class; two classes may come as one margin."""
    if scores is None:
        raise DataError(must("scores", "given for this metric", None))
    wide = np.column_stack([-scores, scores]) if scores.ndim == 1 and len(classes) == 2 else scores
    if wide.shape != (rows, len(classes)):
        raise DataError(must("scores", f"of shape {(rows, len(classes))}", wide.shape))
    return wide


def _probabilities(scores: Floats | None, classes: _Labels, rows: int) -> Floats:
    if scores is not None and scores.ndim == 1 and len(classes) == 2:
        scores = np.column_stack([1 - scores, scores])
    wide = _columns(scores, classes, rows)
    if not ((wide >= 0) & (wide <= 1)).all() or not np.allclose(wide.sum(axis=1), 1, atol=1e-6):
        raise DataError("scores must be probabilities that sum to 1 for this metric, got other numbers.")
    return wide


def _hits(y: _Labels, classes: _Labels) -> NDArray[np.bool_]:
    """Return which class each row is of."""
    hits: NDArray[np.bool_] = y[:, None] == classes
    strange = y[~hits.any(axis=1)]
    if len(strange):
        raise DataError(must("y", f"labels among {classes.tolist()}", strange.tolist()[0]))
    return hits


def _codes(labels: _Labels, classes: _Labels) -> NDArray[np.intp]:
    codes: NDArray[np.intp] = _hits(labels, classes).argmax(axis=1)
    return codes


def _accuracy(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> float:
    return float(accuracy_score(y, _said(said)))


def _balanced_accuracy(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> float:
    # A class that is said but not there has no recall, so it does not count.
    return float(recall_score(y, _said(said), labels=np.unique(y), average="macro"))


def _f1(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> float:
    present = np.union1d(y, _said(said))
    return float(f1_score(y, said, labels=present, average="macro", zero_division=0.0))


def _row_errors(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> Floats:
    losses: Floats = (y != _said(said)).astype(np.float64)
    return losses


def _row_log_losses(y: _Labels, _: Any, scores: Floats | None, classes: _Labels, costs: Any) -> Floats:
    return log_losses(_hits(y, classes), _probabilities(scores, classes, len(y)))


def _row_brier(y: _Labels, _: Any, scores: Floats | None, classes: _Labels, costs: Any) -> Floats:
    return brier_losses(_hits(y, classes), _probabilities(scores, classes, len(y)))


def _row_costs(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> Floats:
    losses: Floats = read_costs(costs, classes)[_codes(_said(said), classes), _codes(y, classes)]
    return losses


def _row_balanced(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> Floats:
    return balanced_losses(_codes(y, classes), _codes(_said(said), classes))


def _row_f1(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> Floats:
    return f1_losses(_codes(y, classes), _codes(_said(said), classes))


def _row_auc(y: _Labels, _: Any, scores: Floats | None, classes: _Labels, costs: Any) -> Floats:
    if scores is None:  # labels alone rank nothing; the comparison of models by rows does without them
        return np.full(len(y), np.nan)
    return auc_losses(_codes(y, classes), _columns(scores, classes, len(y)))


def _mean_of(row_losses: RowLosses) -> Measure:
    """Return the measure that is the mean of a row's loss."""
    return lambda y, said, scores, classes, costs: float(np.mean(row_losses(y, said, scores, classes, costs)))


def _auc(y: _Labels, _: Any, scores: Floats | None, classes: _Labels, costs: Any) -> float:
    wide = _columns(scores, classes, len(y))
    if len(classes) == 2:
        truth = y == classes[1]
        return float(roc_auc_score(truth, wide[:, 1])) if 0 < truth.sum() < len(y) else np.nan
    truths = (y[:, None] == classes).T
    shares = truths.mean(axis=1)
    # A class of none or all of the rows cannot be ranked against the rest.
    ranked = [place for place, share in enumerate(shares) if 0 < share < 1]
    if not ranked:
        return np.nan
    areas = [roc_auc_score(truths[place], wide[:, place]) for place in ranked]
    return float(np.average(areas, weights=shares[ranked]))


def _cost(y: _Labels, said: _Labels | None, _: Any, classes: _Labels, costs: Any) -> float:
    return confusion(y, _said(said), labels=classes, costs=costs).mean_cost


#: Every measure by name. F1 is the mean over classes, so that none has to be called the positive one; Brier's
#: score is halved for two classes, and AUC is each class against the rest weighted by its share, both as in
#: scikit-learn.
METRICS = {
    each.name: each
    for each in (
        Metric("accuracy", "accuracy", "labels", True, (0.0, 1.0), _accuracy, row_losses=_row_errors),
        Metric(
            "balanced_accuracy",
            "balanced accuracy",
            "labels",
            True,
            (0.0, 1.0),
            _balanced_accuracy,
            True,
            row_losses=_row_balanced,
        ),
        Metric("f1", "F1 (mean over classes)", "labels", True, (0.0, 1.0), _f1, True, row_losses=_row_f1),
        Metric(
            "log_loss",
            "log loss",
            "probabilities",
            False,
            (0.0, _NO_END),
            _mean_of(_row_log_losses),
            row_losses=_row_log_losses,
        ),
        Metric(
            "brier",
            "Brier score",
            "probabilities",
            False,
            (0.0, 2.0),
            _mean_of(_row_brier),
            row_losses=_row_brier,
        ),
        Metric(
            "auc",
            "area under the ROC curve",
            "scores",
            True,
            (0.0, 1.0),
            _auc,
            True,
            row_losses=_row_auc,
        ),
        Metric("cost", "mean cost", "labels", False, (0.0, _NO_END), _cost, row_losses=_row_costs),
    )
}
