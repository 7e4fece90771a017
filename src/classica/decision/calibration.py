"""Calibration: from the scores of any classifier to well-calibrated probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from classica.decision.class_labels import label_codes
from classica.decision.curve_selection import is_better
from classica.decision.held_out import HeldOutScores, LabelledRows, class_scores, held_out_scores
from classica.decision.isotonic_curve import IsotonicCurve
from classica.decision.rows import one_per_row
from classica.decision.sigmoid_curve import SigmoidCurve
from classica.decision.softmax_curve import SoftmaxCurve
from classica.errors import DataError, ParameterError, must
from classica.metadata import Metadata, fit_router, member_params, routed
from classica.native import Floats
from classica.params import OneOf, Rule
from classica.row_taking import as_table
from classica.targets import row_weights

ClassCurve = SigmoidCurve | IsotonicCurve
Curve = ClassCurve | SoftmaxCurve
CURVES: dict[str, type[Curve]] = {
    "sigmoid": SigmoidCurve,
    "isotonic": IsotonicCurve,
    "softmax": SoftmaxCurve,
}
METHOD: Rule = OneOf("auto", *CURVES)


class CalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier fitted on all rows, and curves from its scores to probabilities.

    The curves are fitted to scores of held-out rows, all folds together. There is one curve for each class,
    whose probabilities are then normalised, or one softmax for all. With two classes there is one curve, for
    the score of the second. Scores are
    ``decision_function``, or ``predict_proba`` where there is none.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier. ``fit`` clones it; a frozen one is used for scores only.
    method : {"auto", "sigmoid", "isotonic", "softmax"}, default="sigmoid"
        Platt's sigmoid for each class; an isotonic curve for each class; the softmax of all scores times one
        slope (temperature scaling), which keeps every prediction of a classifier that predicts the class of
        the highest score; or the better of sigmoid and softmax ("auto"). With two classes, "auto" and
        "softmax" are Platt's sigmoid.
    cv : int, splitter, iterable, "auto" or None, default=5
        The folds that are held out; "auto": three, or fewer where classes have fewer rows, shuffled; None: 5.
        A row that is held out several times counts as one; a row that never is does not affect the curves.

    Attributes
    ----------
    estimator_ : classifier
        The one that is fitted on all rows.
    curves_ : list of SigmoidCurve, IsotonicCurve or SoftmaxCurve
        One for each class; for two classes or a softmax one; for a single class none.
    method_ : {"sigmoid", "isotonic", "softmax"} or None
        The method in use; None for a single class.
    classes_ : ndarray
        The class labels, sorted.

    Notes
    -----
    Cost: that of fitting the classifier once for each fold and once more. Where a class is missing from the
    training rows of a fold, its curve does not use that fold; a class of a single row therefore gets a
    probability near zero. Where all curves are 0, the classes get equal probabilities.

    "auto" fits sigmoids and softmax to the same held-out scores. It keeps the one that misclassifies fewer
    held-out rows by weight, if the difference is more than two standard errors of a sign test, and otherwise
    the one with the lower log loss on these rows. Sigmoids are better where the scores of different classes
    are not comparable; where they are, they can make a good classifier predict frequent classes too often.
    """

    #: Weights of rows always count for the curves; whether for the classifier is for it to request.
    __metadata_request__fit: ClassVar[Mapping[str, bool]] = {"sample_weight": True}
    estimator_: Any
    curves_: list[Curve]

    def __init__(self, estimator: Any, method: str = "sigmoid", cv: Any = 5) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> CalibratedClassifier:
        """Fit the classifier on all rows, and the curves on scores of held-out rows.

        Parameters
        ----------
        X : whatever the classifier takes
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts, for classifier and curves.
        **params : metadata
            What else the ``fit`` of the classifier or the ``split`` of `cv` requests, with scikit-learn's
            metadata routing.
        """
        if not METHOD.accepts(self.method):
            raise ParameterError(must("method", str(METHOD), self.method))
        X = as_table(X)
        if not getattr(X, "shape", (1,)):
            raise DataError(must("X", "rows that can be split into folds", X.item()))
        check_consistent_length(X, y)
        labels = one_per_row(y, "y")
        weights = row_weights(sample_weight, len(labels))
        wanted = Metadata.of(member_params(self, weights, params), len(labels))
        split_params = routed(self, {**params, "sample_weight": weights}, "splitter", "split")
        data = LabelledRows(X, labels, weights, wanted)
        model = data.fitted(self.estimator)
        classes = model.classes_
        if len(classes) < 2:
            self.curves_ = []
        else:
            held_out = held_out_scores(self.estimator, data, classes, self.cv, split_params)
            self.curves_ = self._curves(held_out, data, classes)
        self.estimator_ = model
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata are requested, for scikit-learn's metadata routing."""
        router = fit_router(self, {"estimator": self.estimator})
        router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        return router

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of the highest probability for each row; ties go to the first."""
        labels: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class for each row."""
        check_is_fitted(self)
        if not self.curves_:
            return np.ones((len(self.estimator_.predict(X)), 1))
        return _probabilities(self.curves_, class_scores(self.estimator_, X, self.classes_))

    @property
    def method_(self) -> str | None:
        """What the curves are; None for a single class."""
        check_is_fitted(self)
        names = {curve: name for name, curve in CURVES.items()}
        return names[type(self.curves_[0])] if self.curves_ else None

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, sorted."""
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    @property
    def n_features_in_(self) -> int:
        """The number of features, if the classifier has it."""
        columns: int = self.estimator_.n_features_in_
        return columns

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the features, if the classifier has them."""
        names: NDArray[Any] = self.estimator_.feature_names_in_
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return "estimator_" in self.__dict__

    def _curves(self, held_out: HeldOutScores, data: LabelledRows, classes: NDArray[Any]) -> list[Curve]:
        codes, weights = label_codes(data.labels, classes)[held_out.rows], _weights(held_out.rows, data)
        _check_scored(held_out.scores, weights, classes)
        kind = _class_kind(self.method)
        if len(classes) == 2:
            return [_class_curve(kind, held_out.scores, codes, weights, 1)]
        if self.method == "softmax":
            return [_softmax(held_out.scores, codes, weights)]
        if self.method == "auto":
            return _better_curves(held_out, codes, weights)
        return _class_curves(kind, held_out.scores, codes, weights)


def possible_curves(method: str, classes: int) -> list[list[type[Curve]]]:
    """Return what a method can make of a number of classes: the types of the curves, for each outcome."""
    if classes <= 2:
        return [[_class_kind(method)] * (classes - 1)]
    softmax: list[list[type[Curve]]] = [[SoftmaxCurve]] if method in ("auto", "softmax") else []
    return softmax if method == "softmax" else [*softmax, [_class_kind(method)] * classes]


def _class_kind(method: str) -> type[ClassCurve]:
    """Return what maps the score of one class, where one does."""
    return IsotonicCurve if method == "isotonic" else SigmoidCurve


def _check_scored(scores: Floats, weights: Floats, classes: NDArray[Any]) -> None:
    """Reject classes that are in no training fold."""
    scored = (~np.isnan(scores) & (weights > 0)[:, None]).any(axis=0)
    if not scored.all():
        label = classes.tolist()[int(scored.argmin())]
        rule = "have training rows of every class in some fold"
        raise ParameterError(f"cv must {rule}, got none of {label!r}.")


def _class_curves(
    kind: type[ClassCurve], scores: Floats, codes: NDArray[np.intp], weights: Floats
) -> list[Curve]:
    return [_class_curve(kind, scores, codes, weights, code) for code in range(scores.shape[1])]


def _class_curve(
    kind: type[ClassCurve], scores: Floats, codes: NDArray[np.intp], weights: Floats, code: int
) -> Curve:
    own = scores[:, code]
    counts = ~np.isnan(own) & (weights > 0)
    return kind.fitted(_finite(own[counts]), codes[counts] == code, weights[counts])


def _softmax(scores: Floats, codes: NDArray[np.intp], weights: Floats) -> Curve:
    counts = _has_own_score(scores, codes) & (weights > 0)
    return SoftmaxCurve.fitted(_finite(scores[counts]), codes[counts], weights[counts])


def _better_curves(held_out: HeldOutScores, codes: NDArray[np.intp], weights: Floats) -> list[Curve]:
    """Return one softmax or a sigmoid for each class; see `is_better`."""
    scores, counts = held_out.scores, _has_own_score(held_out.scores, codes)
    softmax = [_softmax(scores, codes, weights)]
    sigmoids = _class_curves(SigmoidCurve, scores, codes, weights)
    of_softmax, of_sigmoids = (_probabilities(curves, scores[counts]) for curves in (softmax, sigmoids))
    first = is_better(of_softmax, of_sigmoids, codes[counts], held_out.rows[counts], weights[counts])
    return softmax if first else sigmoids


def _has_own_score(scores: Floats, codes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which rows have a score for their own class, and so tell how likely that is."""
    own = np.take_along_axis(scores, np.maximum(codes, 0)[:, None], axis=1)[:, 0]
    has_score: NDArray[np.bool_] = ~np.isnan(own) & (codes >= 0)
    return has_score


def _probabilities(curves: Sequence[Any], scores: Floats) -> Floats:
    """Return the probability of each class for each row; 0 for a class whose score is NaN."""
    if isinstance(curves[0], SoftmaxCurve):
        return curves[0](scores)
    if len(curves) == 1:
        second = curves[0](scores[:, 1])
        return np.column_stack([1.0 - second, second])
    columns = np.column_stack([curve(own) for curve, own in zip(curves, scores.T, strict=True)])
    return shares_of(np.where(np.isnan(scores), 0.0, columns))


def calibration_for(estimator: Any) -> str | None:
    """Return how a classifier gets probabilities that has only scores; None where it has some, or neither."""
    has_only_scores = hasattr(estimator, "decision_function") and not hasattr(estimator, "predict_proba")
    return "auto" if has_only_scores else None


def shares_of(probabilities: Floats) -> Floats:
    """Return rows of the sum one; where all are zero, the classes share alike."""
    total = probabilities.sum(axis=1, keepdims=True)
    even = np.full_like(probabilities, 1.0 / probabilities.shape[1])
    shares: Floats = np.divide(probabilities, total, out=even, where=total > 0)
    return shares


def _weights(rows: NDArray[np.intp], data: LabelledRows) -> Floats:
    """Return what each held-out row counts: its weight, divided among the times it is held out."""
    times = np.bincount(rows, minlength=len(data))[rows]
    given = np.ones(len(data)) if data.weights is None else data.weights
    return given[rows] / times


def _finite(scores: Floats) -> Floats:
    """Return scores with infinities twice as far out as any other."""
    magnitudes = np.abs(scores[np.isfinite(scores)])
    if magnitudes.size == scores.size:
        return scores
    end = 2.0 * min(float(magnitudes.max(initial=0.5)), float(np.finfo(np.float64).max) / 2.0)
    return np.clip(scores, -end, end)
