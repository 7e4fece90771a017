"""The metrics a comparison offers: one object each, in one list."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.metrics import accuracy_score, f1_score, recall_score, roc_auc_score

from classica.arrays import CostsLike, MatrixLike
from classica.decision.costs import read_costs
from classica.errors import DataError, ParameterError, must
from classica.metrics.confusion_matrix import confusion
from classica.metrics.measure import Metric
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
    """Return a metric by its name.

    Parameters
    ----------
    name : str
        One of the names in `METRICS`, such as "accuracy" or "log_loss".

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


def answer_scores(estimator: BaseEstimator, X: MatrixLike) -> Floats:
    """Return the probabilities of a fitted classifier or, where it has none, its decision scores.

    Parameters
    ----------
    estimator : classifier
        Fitted, with `predict_proba` or `decision_function`.
    X : table
        The rows.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), or (n_samples,) for the decision function of two classes
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


def _accuracy(
    y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None
) -> float:
    return float(accuracy_score(y, _said(said)))


def _balanced_accuracy(
    y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None
) -> float:
    # A class that is predicted but does not occur has no recall, so it does not count.
    return float(recall_score(y, _said(said), labels=np.unique(y), average="macro"))


def _f1(y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None) -> float:
    present = np.union1d(y, _said(said))
    return float(f1_score(y, said, labels=present, average="macro", zero_division=0.0))


def _row_errors(
    y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None
) -> Floats:
    losses: Floats = (y != _said(said)).astype(np.float64)
    return losses


def _row_log_losses(
    y: _Labels, _: object, scores: Floats | None, classes: _Labels, costs: CostsLike | None
) -> Floats:
    return log_losses(_hits(y, classes), _probabilities(scores, classes, len(y)))


def _row_brier(
    y: _Labels, _: object, scores: Floats | None, classes: _Labels, costs: CostsLike | None
) -> Floats:
    return brier_losses(_hits(y, classes), _probabilities(scores, classes, len(y)))


def _row_costs(
    y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None
) -> Floats:
    losses: Floats = read_costs(costs, classes)[_codes(_said(said), classes), _codes(y, classes)]
    return losses


def _row_balanced(
    y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None
) -> Floats:
    return balanced_losses(_codes(y, classes), _codes(_said(said), classes))


def _row_f1(y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None) -> Floats:
    return f1_losses(_codes(y, classes), _codes(_said(said), classes))


def _row_auc(
    y: _Labels, _: object, scores: Floats | None, classes: _Labels, costs: CostsLike | None
) -> Floats:
    if scores is None:  # labels alone rank nothing; the comparison of models by rows does without them
        return np.full(len(y), np.nan)
    return auc_losses(_codes(y, classes), _columns(scores, classes, len(y)))


def _auc(y: _Labels, _: object, scores: Floats | None, classes: _Labels, costs: CostsLike | None) -> float:
    wide = _columns(scores, classes, len(y))
    if len(classes) == 2:
        truth = y == classes[1]
        return float(roc_auc_score(truth, wide[:, 1])) if 0 < truth.sum() < len(y) else np.nan
    truths = (y[:, None] == classes).T
    shares = truths.mean(axis=1)
    # A class of none or all of the rows cannot be ranked against the rest.
    ranked = [index for index, share in enumerate(shares) if 0 < share < 1]
    if not ranked:
        return np.nan
    areas = [roc_auc_score(truths[index], wide[:, index]) for index in ranked]
    return float(np.average(areas, weights=shares[ranked]))


def _cost(y: _Labels, said: _Labels | None, _: object, classes: _Labels, costs: CostsLike | None) -> float:
    return confusion(y, _said(said), labels=classes, costs=costs).mean_cost


#: Every metric by its name: this is the only list. F1 is the mean over classes, so that none has to be called
#: the positive one; Brier's score is halved for two classes, and AUC is each class against the rest weighted
#: by its share, both as in scikit-learn.
METRICS = {
    each.name: each
    for each in (
        Metric(
            name="accuracy",
            title="accuracy",
            needs="labels",
            higher_is_better=True,
            limits=(0.0, 1.0),
            function=_accuracy,
            row_losses=_row_errors,
        ),
        Metric(
            name="balanced_accuracy",
            title="balanced accuracy",
            short="balanced",
            needs="labels",
            higher_is_better=True,
            limits=(0.0, 1.0),
            function=_balanced_accuracy,
            row_losses=_row_balanced,
            every_class=True,
        ),
        Metric(
            name="f1",
            title="F1 (mean over classes)",
            short="F1",
            needs="labels",
            higher_is_better=True,
            limits=(0.0, 1.0),
            function=_f1,
            row_losses=_row_f1,
            every_class=True,
        ),
        Metric(
            name="log_loss",
            title="log loss",
            needs="probabilities",
            higher_is_better=False,
            limits=(0.0, _NO_END),
            row_losses=_row_log_losses,
        ),
        Metric(
            name="brier",
            title="Brier score",
            short="Brier",
            needs="probabilities",
            higher_is_better=False,
            limits=(0.0, 2.0),
            row_losses=_row_brier,
        ),
        Metric(
            name="auc",
            title="area under the ROC curve",
            short="AUC",
            needs="scores",
            higher_is_better=True,
            limits=(0.0, 1.0),
            function=_auc,
            row_losses=_row_auc,
            every_class=True,
        ),
        Metric(
            name="cost",
            title="mean cost",
            short="cost",
            needs="labels",
            higher_is_better=False,
            limits=(0.0, _NO_END),
            function=_cost,
            row_losses=_row_costs,
            needs_costs=True,
        ),
    )
}
