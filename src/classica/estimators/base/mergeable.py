"""Learners that are functions of sums over rows: add rows, join two models, take rows away.

A subclass says how to get the statistics of some rows (`_statistics`), what it holds now
(`_known`), how to become the model of given statistics (`_learn_from`) and how to judge checked rows
(`_posteriors`). In return it has ``partial_fit``, ``merge`` and ``forget``, each with the result of a
fresh fit, and ``cross_val_posteriors``, which takes the test rows away instead of learning the others
again. Where a setting makes the model more than a function of those sums, `_is_mergeable` says no and
the methods are absent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.estimator import Classifier, TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.base.test_folds import EACH_ROW, Splitting, read_test_parts
from classica.native import Floats
from classica.targets import label_union


class Statistics(Protocol):
    """Sums over the rows of each class."""

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each class."""

    def plus(self, other: Self, sign: float = 1.0) -> Self:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> Self:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""

    def only(self, kept: NDArray[np.bool_]) -> Self:
        """Return the statistics of the chosen classes."""


S = TypeVar("S", bound=Statistics)


def _rounding_of(statistics: Statistics) -> Floats:
    """Return what fractional weights may leave of a row; counts of whole rows are exact."""
    rounding: Floats = 1e-25 * statistics.counts
    return rounding


def _available(model: Mergeable[Any]) -> bool:
    return bool(model._is_mergeable())


class Mergeable(GridScores, Classifier, Generic[S]):
    """A classifier that is a function of per-class sums."""

    @abstractmethod
    def _statistics(self, data: TrainingData) -> S:
        """Return the statistics of some rows."""

    @abstractmethod
    def _own_statistics(self) -> S:
        """Return the statistics learned so far."""

    @abstractmethod
    def _learn_from(self, classes: NDArray[Any], statistics: S) -> None:
        """Become the model of these statistics."""

    @abstractmethod
    def _posteriors(self, X: Rows) -> Floats:
        """Return the posterior probabilities of checked rows."""

    def _is_mergeable(self) -> bool:
        return True

    def _rows_to_learn(self, X: Rows, y: VectorLike, sample_weight: VectorLike | None = None) -> TrainingData:
        """Return checked rows, everything set that their statistics depend on."""
        return self._training_data(X, y, sample_weight)

    def _fit_from(self, data: TrainingData, statistics: S) -> None:
        """Become the model of some rows with these statistics; the rows are for what sums do not tell."""
        self._learn_from(data.classes, statistics)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        first = models[0]
        data = first._rows_to_learn(X, y)
        statistics = first._statistics(data)
        for index, model in enumerate(models):
            taught_by(model, first)._fit_from(data, statistics)
            yield index, model

    def _leave_one_out(self, data: TrainingData, statistics: S) -> Floats | None:
        """Return the posteriors of rows that the model of all rows (self) should not have seen.

        A row of NaN asks for the general way: take its statistics away and learn from the rest. So
        does None, for every row.
        """
        return None

    @available_if(_available)
    def partial_fit(
        self,
        X: MatrixLike,
        y: VectorLike,
        classes: VectorLike | None = None,
        sample_weight: VectorLike | None = None,
    ) -> Self:
        """Add rows: the result equals a fresh fit on all rows so far.

        Parameters
        ----------
        X : as in ``fit``
            The rows to add.
        y : array-like of shape (n_samples,)
            Their labels; new labels are welcome at any time.
        classes : array-like, optional
            Labels that exist but may not have been seen yet.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        self : estimator
        """
        is_fitted = "classes_" in self.__dict__
        data = self._training_data(X, y, sample_weight, reset=not is_fitted)
        labels, statistics = data.classes, self._statistics(data)
        if classes is not None:
            announced = label_union(labels, np.asarray(classes))
            statistics = statistics.spread_over(np.searchsorted(announced, labels), len(announced))
            labels = announced
        if is_fitted:
            labels, statistics = self._joined(labels, statistics)
        self._learn_from(labels, statistics)
        return self

    @available_if(_available)
    def merge(self, other: Self) -> Self:
        """Take in what another model has learned: the result equals a fresh fit on both tables.

        Parameters
        ----------
        other : estimator
            Fitted on the same columns with the same parameters; not changed.

        Returns
        -------
        self : estimator
        """
        self._require_fitted()
        alike = type(other) is type(self) and "classes_" in vars(other)
        if not alike or self._identity() != other._identity():
            raise ParameterError(must("other", f"a fitted {self!r} with the same columns", other))
        self._learn_from(*self._joined(other.classes_, other._own_statistics()))
        return self

    @available_if(_available)
    def forget(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Remove rows learned before: the result equals a fresh fit on the rows that are left.

        Parameters
        ----------
        X : as in ``fit``
            Rows the model has learned. Not every other row can be noticed.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights when they were learned.

        Returns
        -------
        self : estimator
            A class with no rows left is forgotten too.
        """
        self._require_fitted()
        data = self._training_data(X, y, sample_weight, reset=False)
        unknown = np.setdiff1d(data.classes, self.classes_)
        if len(unknown):
            raise DataError(must("y", "a label seen in training", unknown.tolist()[0]))
        statistics = self._own_statistics()
        indices = np.searchsorted(self.classes_, data.classes)
        gone = self._statistics(data).spread_over(indices, len(self.classes_))
        left = statistics.plus(gone, -1.0)
        slack = _rounding_of(statistics)
        self._require_rows_left(left.counts, slack)
        kept = left.counts > slack
        self._learn_from(self.classes_[kept], left.only(kept))
        return self

    @available_if(_available)
    def cross_val_posteriors(
        self,
        X: MatrixLike,
        y: VectorLike,
        cv: Splitting = None,
        *,
        sample_weight: VectorLike | None = None,
        groups: VectorLike | None = None,
    ) -> Floats:
        """Return the posteriors of each row from a model that has not seen it.

        They equal those of a model fitted anew on each training part, but the rows are summed once and
        each test part is taken away from the sums. Leave-one-out costs little more than one fit.

        Parameters
        ----------
        X : as in ``fit``
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        cv : int, "loo", splitter or iterable of (train, test), default=None
            As in scikit-learn: None is 5 stratified parts, an integer another number of them. "loo"
            leaves one row out at a time, as ``LeaveOneOut()`` does. Each row must be tested once, and
            learned whenever it is not tested.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts when it is learned.
        groups : array-like of shape (n_samples,), optional
            For splitters that keep groups together.

        Returns
        -------
        posteriors : ndarray of shape (n_samples, n_classes)
            One column per label of y, sorted; 0 for a class the training part does not have. This model
            itself is not changed.
        """
        model = clone(self)
        data = model._all_rows(X, y, sample_weight)
        test_parts = read_test_parts(cv, data.codes, groups)
        return _Refitter(model, data).posteriors(test_parts)

    def _joined(self, classes: NDArray[Any], statistics: S) -> tuple[NDArray[Any], S]:
        both = label_union(self.classes_, classes)
        mine = self._own_statistics().spread_over(np.searchsorted(both, self.classes_), len(both))
        theirs = statistics.spread_over(np.searchsorted(both, classes), len(both))
        return both, mine.plus(theirs)

    def _require_rows_left(self, left: Floats, slack: Floats) -> None:
        short = left < -slack
        if short.any():
            label = self.classes_[short].tolist()[0]
            raise DataError(f"Cannot forget more rows of class {label!r} than were learned.")
        if not (left > slack).any():
            raise DataError("forget must leave at least one row, got all of them.")

    def _identity(self) -> tuple[Any, ...]:
        settings = {k: repr(v) for k, v in self.get_params().items() if k != "n_jobs"}
        names = tuple(getattr(self, "feature_names_in_", ()))
        return type(self), settings, self.n_features_in_, names


class _Refitter(Generic[S]):
    """Models of all rows but a few, by taking the statistics of the few away."""

    def __init__(self, model: Mergeable[S], data: TrainingData) -> None:
        self.model = model
        self.data = data
        self.known = model._statistics(data)

    def posteriors(self, test_parts: Any) -> Floats:
        result = np.full((len(self.data.codes), len(self.data.classes)), np.nan)
        if test_parts is EACH_ROW:
            result = self._closed_form(result)
            test_parts = np.flatnonzero(np.isnan(result).any(axis=1))[:, None]
        for part in test_parts:
            rows = self.data.take(part)
            indices = self._learn_without(rows)
            result[part] = 0.0
            result[np.ix_(part, indices)] = self.model._posteriors(rows.X)
        return result

    def _closed_form(self, unknown: Floats) -> Floats:
        if not (self.known.counts > 0).all():
            return unknown
        self.model._learn_from(self.data.classes, self.known)
        closed_form = self.model._leave_one_out(self.data, self.known)
        return unknown if closed_form is None else closed_form

    def _learn_without(self, rows: TrainingData) -> NDArray[np.intp]:
        """Learn the other rows and return the places of their classes."""
        left = self.known.plus(self.model._statistics(rows), -1.0)
        indices = np.flatnonzero(left.counts > _rounding_of(self.known))
        if not len(indices):
            raise DataError("cv must leave rows for training, got a test fold with all of them.")
        kept = np.zeros(len(left.counts), dtype=bool)
        kept[indices] = True
        self.model._learn_from(self.data.classes[indices], left.only(kept))
        return indices
