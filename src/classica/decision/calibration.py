"""Calibration: from the scores of any classifier to probabilities that can be believed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from classica.decision.class_labels import label_codes
from classica.decision.held_out import HeldOutScores, LabelledRows, class_scores, held_out_scores
from classica.decision.isotonic_curve import IsotonicCurve
from classica.decision.rows import one_per_row
from classica.decision.sigmoid_curve import SigmoidCurve
from classica.errors import DataError, ParameterError, must
from classica.metadata import Metadata, fit_router, member_params, routed
from classica.native import Floats
from classica.row_taking import as_table
from classica.targets import row_weights

Curve = SigmoidCurve | IsotonicCurve
CURVES: dict[str, type[Curve]] = {"sigmoid": SigmoidCurve, "isotonic": IsotonicCurve}


class CalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier fitted on all rows, and for each class a curve from its score to a probability.

    The curves are learned from scores of rows by clones that have not learned from these rows, all parts
    together; the probabilities are then brought to the sum one. With two classes there is one curve, for the
    score of the second. Scores are ``decision_function``, or ``predict_proba`` where there is none.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier. ``fit`` clones it; one that is frozen is asked for scores only.
    method : {"sigmoid", "isotonic"}, default="sigmoid"
        Platt's curve, or any that does not fall.
    cv : int, splitter, iterable, "auto" or None, default=5
        The folds that are held out; "auto": three, or fewer where classes have fewer rows; None: 5. A row
        that is held out several times counts as one, a row that never is tells nothing to the curves.

    Attributes
    ----------
    estimator_ : classifier
        The one that is fitted on all rows.
    curves_ : list of SigmoidCurve or IsotonicCurve
        One for each class; for two classes one; for a single class none.
    classes_ : ndarray
        The class labels, sorted.

    Notes
    -----
    Cost: that of fitting the classifier once for each part and once more. Where a class is missing among
    the rows outside a part, its curve learns nothing from that part; a class of a single row therefore gets a
    probability near zero. Where all curves say 0, the classes share alike.
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
        """Fit the classifier on all rows, and the curves on scores of rows held out.

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
        X = as_table(X)
        if not getattr(X, "shape", (1,)):
            raise DataError(must("X", "rows that can be held out in parts", X.item()))
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
        said: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return said

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class for each row."""
        check_is_fitted(self)
        if not self.curves_:
            return np.ones((len(self.estimator_.predict(X)), 1))
        scores = class_scores(self.estimator_, X, self.classes_)
        if len(self.curves_) == 1:
            second = self.curves_[0](scores[:, 1])
            return np.column_stack([1.0 - second, second])
        return shares_of(np.column_stack([curve(s) for curve, s in zip(self.curves_, scores.T, strict=True)]))

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, sorted."""
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    @property
    def n_features_in_(self) -> int:
        """How many columns were learned from, if the classifier tells."""
        columns: int = self.estimator_.n_features_in_
        return columns

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the columns, if the classifier tells."""
        names: NDArray[Any] = self.estimator_.feature_names_in_
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return "estimator_" in self.__dict__

    def _curves(self, held_out: HeldOutScores, data: LabelledRows, classes: NDArray[Any]) -> list[Curve]:
        codes = label_codes(data.labels, classes)[held_out.rows]
        weights = _weights(held_out.rows, data)
        wanted = [1] if len(classes) == 2 else range(len(classes))
        return [
            self._curve(held_out.scores[:, code], codes == code, weights, classes.tolist()[code])
            for code in wanted
        ]

    def _curve(self, scores: Floats, positive: NDArray[np.bool_], weights: Floats, label: Any) -> Curve:
        counts = ~np.isnan(scores) & (weights > 0)
        if not counts.any():
            rule = "leave rows of every class to learn from outside some part"
            raise ParameterError(f"cv must {rule}, got none of {label!r}.")
        return CURVES[self.method].fitted(_finite(scores[counts]), positive[counts], weights[counts])


def calibration_for(estimator: Any) -> str | None:
    """Return how a classifier gets probabilities that has only scores; None where it has some, or neither."""
    has_only_scores = hasattr(estimator, "decision_function") and not hasattr(estimator, "predict_proba")
    return "sigmoid" if has_only_scores else None


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
    known = np.abs(scores[np.isfinite(scores)])
    if len(known) == len(scores):
        return scores
    end = 2.0 * min(float(known.max(initial=0.5)), float(np.finfo(np.float64).max) / 2.0)
    return np.clip(scores, -end, end)
