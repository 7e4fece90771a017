"""Learners that are functions of sums over rows: add rows, join two models, take rows away.

A subclass says how to get the statistics of some rows (`_statistics`), what it holds now
(`_known`) and how to become the model of given statistics (`_learn_from`). In return it has
``partial_fit``, ``merge`` and ``forget``, each with the result of a fresh fit. Where a setting makes
the model more than a function of those sums, `_is_mergeable` says no and the methods are absent.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from classica.errors import DataError, ParameterError, must
from classica.estimators._base import Classifier, TrainingData
from classica.native import Floats
from classica.targets import label_union


class Statistics(Protocol):
    """Sums over the rows of each class."""

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each class."""

    def plus(self, other: Self, sign: float = 1.0) -> Self:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""

    def spread_over(self, places: NDArray[np.intp], groups: int) -> Self:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""

    def only(self, kept: NDArray[np.bool_]) -> Self:
        """Return the statistics of the chosen classes."""


S = TypeVar("S", bound=Statistics)


def _available(model: Any) -> bool:
    return bool(model._is_mergeable())


class Mergeable(Classifier, Generic[S]):
    """A classifier that is a function of per-class sums."""

    @abstractmethod
    def _statistics(self, data: TrainingData) -> S:
        """Return the statistics of some rows."""

    @abstractmethod
    def _known(self) -> S:
        """Return the statistics learned so far."""

    @abstractmethod
    def _learn_from(self, classes: NDArray[Any], statistics: S) -> None:
        """Become the model of these statistics."""

    def _is_mergeable(self) -> bool:
        return True

    @available_if(_available)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows: the result equals a fresh fit on all rows so far.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
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
        known = "classes_" in self.__dict__
        data = self._training_data(X, y, sample_weight, reset=not known)
        labels, statistics = data.classes, self._statistics(data)
        if classes is not None:
            announced = label_union(labels, np.asarray(classes))
            statistics = statistics.spread_over(np.searchsorted(announced, labels), len(announced))
            labels = announced
        if known:
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
        self._learn_from(*self._joined(other.classes_, other._known()))
        return self

    @available_if(_available)
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Remove rows learned before: the result equals a fresh fit on the rows that are left.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows the model has learned.
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
            raise DataError(must("y", "a label learned before", unknown.tolist()[0]))
        known = self._known()
        places = np.searchsorted(self.classes_, data.classes)
        gone = self._statistics(data).spread_over(places, len(self.classes_))
        left = known.plus(gone, -1.0)
        # Fractional weights may leave a rounding error of a row; counts of whole rows are exact.
        slack = 1e-25 * known.counts
        self._require_rows_left(left.counts, slack)
        kept = left.counts > slack
        self._learn_from(self.classes_[kept], left.only(kept))
        return self

    def _joined(self, classes: NDArray[Any], statistics: S) -> tuple[NDArray[Any], S]:
        both = label_union(self.classes_, classes)
        mine = self._known().spread_over(np.searchsorted(both, self.classes_), len(both))
        theirs = statistics.spread_over(np.searchsorted(both, classes), len(both))
        return both, mine.plus(theirs)

    def _require_rows_left(self, left: Floats, slack: Floats) -> None:
        short = left < -slack
        if short.any():
            label = self.classes_[short].tolist()[0]
            raise DataError(f"y must hold rows learned before, got more of class {label!r} than were.")
        if not (left > slack).any():
            raise DataError("forget must leave at least one row, got all of them.")

    def _identity(self) -> tuple[Any, ...]:
        settings = {k: repr(v) for k, v in self.get_params().items() if k != "n_jobs"}
        names = tuple(getattr(self, "feature_names_in_", ()))
        return type(self), settings, self.n_features_in_, names
