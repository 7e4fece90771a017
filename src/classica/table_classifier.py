"""A classifier with the schema and the encoder of its table: from raw cells to labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from classica.arrays import MatrixLike, VectorLike
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.sklearn_names import KeywordHints
from classica.tables import Schema, Table, TableEncoder, read_table


def _answers(method: str) -> Callable[[Any], bool]:
    """Return whether the (fitted) classifier inside has a method."""
    return lambda model: hasattr(getattr(model, "estimator_", model.estimator), method)


class TableClassifier(KeywordHints, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Classify the rows of a raw table, with names, categories, dates and missing values.

    The schema types the columns, an encoder converts them to what the classifier supports (categories and
    missing values are kept if it handles them), and the classifier is fitted and predicts. ``classica train``
    writes such a model to a file, so that nothing else is needed to predict another table.

    Parameters
    ----------
    estimator : classifier
        Any classifier, including a `BayesDecisionClassifier`. ``fit`` clones it and fits the clone.
    schema : Schema
        The schema of the table; its features are used.

    Attributes
    ----------
    encoder_ : TableEncoder
        The fitted encoder.
    estimator_ : classifier
        The fitted classifier.
    classes_ : ndarray
        The class labels, sorted.
    n_features_in_, feature_names_in_ : int, ndarray
        The features, with dates expanded into their parts.

    Notes
    -----
    Columns are matched by name, in any order. A missing feature, or cells that do not fit their kind, raise
    an error that names the column; other columns are ignored. Everything that is learned, including the
    imputed values and the scales of the columns, is learned from the rows passed to ``fit``.

    Examples
    --------
    >>> from classica import LogisticClassifier, TableClassifier
    >>> from classica.tables import load_table
    >>> golf = load_table("golf")
    >>> model = TableClassifier(LogisticClassifier(), golf.schema).fit(golf, golf.y)
    >>> model.predict(golf.frame.head(3)).tolist()
    [0, 0, 1]
    """

    encoder_: TableEncoder
    estimator_: Any

    def __init__(self, estimator: BaseEstimator, schema: Schema) -> None:
        self.estimator = estimator
        self.schema = schema

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> TableClassifier:
        """Fit the encoder and the classifier.

        Parameters
        ----------
        X : Table or what `classica.tables.read_table` takes
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            The weights, for classifiers that support them.
        """
        if not isinstance(self.schema, Schema):
            raise ParameterError(must("schema", "a Schema", self.schema))
        if isinstance(self.estimator, type) or not is_classifier(self.estimator):
            raise ParameterError(must("estimator", "a classifier", self.estimator))
        features = self.features(X)
        encoder = TableEncoder.for_estimator(self.estimator, self.schema).fit(features)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = clone(self.estimator).fit(encoder.transform(features), y, **weights)
        self.encoder_ = encoder
        return self

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, sorted."""
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    @property
    def n_features_in_(self) -> int:
        """The number of features."""
        return self.encoder_.n_features_in_

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the features."""
        names: NDArray[Any] = self.encoder_.feature_names_in_
        return names

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Predict the label of each row."""
        labels: NDArray[Any] = self._inside().predict(self.encoded(X))
        return labels

    @available_if(_answers("predict_proba"))
    def predict_proba(self, X: MatrixLike) -> Floats:
        """Predict the probability of each class for each row."""
        probabilities: Floats = self._inside().predict_proba(self.encoded(X))
        return probabilities

    @available_if(_answers("decision_function"))
    def decision_function(self, X: MatrixLike) -> Floats:
        """Return the scores behind the decision for each row."""
        scores: Floats = self._inside().decision_function(self.encoded(X))
        return scores

    @available_if(_answers("rejects"))
    def rejects(self, X: MatrixLike) -> NDArray[Any]:
        """Return which rows are rejected."""
        rejected: NDArray[Any] = self._inside().rejects(self.encoded(X))
        return rejected

    def features(self, X: MatrixLike) -> pl.DataFrame:
        """Return the features of rows, typed by the schema."""
        return (X if isinstance(X, Table) else self.schema.only("feature").apply(read_table(X))).X

    def encoded(self, X: MatrixLike) -> pl.DataFrame:
        """Return the rows as encoded for the classifier."""
        check_is_fitted(self)
        return self.encoder_.transform(self.features(X))

    def _inside(self) -> Any:
        check_is_fitted(self)
        return self.estimator_

    def __sklearn_is_fitted__(self) -> bool:
        return "estimator_" in vars(self)
