"""Base classes of all estimators: validation of input and parameters, and tags.

A subclass declares `parameter_rules` and `accepts`, and implements ``fit`` and ``predict_proba`` (or
``decision_function``) with `_training_data` and `_query`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from classica.arrays import Rows, VectorLike
from classica.columns import Accepts, read_matrix
from classica.native import Codes, Floats
from classica.params import Rule, check_parameters
from classica.shown_arrays import is_shown, protect_arrays, read_only
from classica.sklearn_names import check_keywords, unknown_parameter
from classica.targets import encode_labels, encode_target, row_weights
from classica.threads import threads_for

#: Up to this number of rows, one thread is faster than waking others.
_FEW_ROWS = 16


@dataclass(frozen=True)
class TrainingData:
    """Validated rows with their class codes."""

    X: Any
    classes: NDArray[Any]
    codes: Codes
    weights: Floats | None

    def take(self, rows: NDArray[Any] | slice) -> TrainingData:
        """Return a subset of the rows, with the same classes."""
        weights = None if self.weights is None else self.weights[rows]
        return TrainingData(self.X[rows], self.classes, self.codes[rows], weights)

    def without_weightless_rows(self) -> TrainingData:
        """Return the rows of positive weight, with the classes that occur in them."""
        if self.weights is None or self.weights.all():
            return self
        kept = self.take(self.weights > 0)
        classes, codes = encode_labels(self.classes[kept.codes])
        return TrainingData(kept.X, classes, codes, kept.weights)


class Estimator(BaseEstimator):
    """A scikit-learn estimator with declared parameters and inputs."""

    parameter_rules: ClassVar[Mapping[str, Rule]] = {}
    accepts: Accepts = Accepts()
    n_jobs: int | None = None

    def __new__(cls, *args: Any, **keywords: Any) -> Self:
        """Return an unconfigured object; refuse keywords that the constructor does not have, with a hint."""
        check_keywords(cls, keywords)
        return object.__new__(cls)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.accepts.sparse
        tags.input_tags.allow_nan = self.accepts.missing
        tags.input_tags.categorical = self.accepts.categorical
        return tags

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with ``deep``, also those of nested estimators."""
        kind: Any = type(self)
        own = {name: getattr(self, name) for name in _parameter_names(kind)}
        if deep and any(hasattr(value, "get_params") for value in own.values()):
            own = super().get_params(deep=True)
        return own

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; those of nested estimators as ``name__parameter``."""
        try:
            super().set_params(**params)
        except ValueError:
            own = self.get_params(deep=False)
            unknown = [name for name in params if name.partition("__")[0] not in own]
            if not unknown:
                raise  # by a nested estimator
            raise unknown_parameter(type(self).__name__, unknown[0], own) from None
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        # Public arrays of a fitted model are read-only, because predictions use the same arrays.
        super().__setattr__(name, read_only(value) if is_shown(name, value) else value)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        protect_arrays(self)  # arrays are writable after unpickling

    @property
    def _threads(self) -> int:
        return threads_for(self.n_jobs)

    def _threads_of(self, X: Rows) -> int:
        """Return the number of threads for a prediction; one for few rows."""
        return 1 if type(X) is np.ndarray and X.shape[0] <= _FEW_ROWS else self._threads

    def _training_rows(self, X: Rows, *, reset: bool = True) -> Any:
        """Check parameters and rows; ``reset=False`` when adding rows to a fitted model."""
        check_parameters(self)
        return read_matrix(self, X, self.accepts, self._threads, reset=reset)

    def _query(self, X: Rows) -> Any:
        """Check the rows of a prediction against the training data."""
        self._require_fitted()
        return read_matrix(self, X, self.accepts, self._threads_of(X), reset=False)

    def _is_fitted(self) -> bool:
        return "n_features_in_" in self.__dict__

    def _require_fitted(self) -> None:
        if not self._is_fitted():
            name = type(self).__name__
            raise NotFittedError(f"This {name} is not fitted yet; call fit() first.")


class Classifier(ClassifierMixin, Estimator):
    """Base class of all classifiers."""

    classes_: NDArray[Any]

    def _training_data(
        self, X: Rows, y: VectorLike, sample_weight: VectorLike | None = None, *, reset: bool = True
    ) -> TrainingData:
        """Check parameters, rows, target and weights; ``reset=False`` when adding rows to a fitted model."""
        return self._all_rows(X, y, sample_weight, reset=reset).without_weightless_rows()

    def _all_rows(
        self, X: Rows, y: VectorLike, sample_weight: VectorLike | None = None, *, reset: bool = True
    ) -> TrainingData:
        """Like `_training_data`, but keep rows of zero weight."""
        X = self._training_rows(X, reset=reset)
        classes, codes = encode_target(y, X.shape[0], type(self).__name__)
        return TrainingData(X, classes, codes, row_weights(sample_weight, X.shape[0]))

    def _is_fitted(self) -> bool:
        return "classes_" in self.__dict__


@functools.cache
def _parameter_names(estimator: type[Any]) -> list[str]:
    """Return the sorted parameter names; cached, because a search needs them thousands of times."""
    if estimator.__init__ is object.__init__:
        return []
    return sorted({*inspect.signature(estimator.__init__).parameters} - {"self"})
