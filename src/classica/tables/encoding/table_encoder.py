"""Encode tables for estimators: one-hot encoding, imputation and scaling, learned from training rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from classica.arrays import Rows, VectorLike
from classica.errors import CellError, DataError
from classica.registry import registered
from classica.sklearn_names import KeywordHints
from classica.tables.column_schema import ColumnSchema
from classica.tables.encoding.encoded_column import EncodedColumn, learned
from classica.tables.schema import Schema
from classica.tables.typing.date_parts import part_names
from classica.wording import listed

#: Families whose predictions depend on the scale of columns; a neural network standardises internally.
_SCALED_FAMILIES = ("neighbours", "linear", "kernel")

#: Rows that are encoded together: for 100 to 400 columns, 8,192 to 16,384 were fastest.
_BLOCK = 8192


class TableEncoder(KeywordHints, TransformerMixin, BaseEstimator):
    """Encode the columns of a table for an estimator.

    Categories are one-hot encoded by the levels of the schema (all 0 for an unknown level), ordinal levels
    become their rank, Booleans 0 or 1; dates are already numbers (`Table.X`). Missing numbers are imputed by
    the mean, missing categories by the most frequent level of the training rows. `describe` reports the
    encoding of each column. An estimator that supports categories and missing values gets the table as it is.

    Parameters
    ----------
    schema : Schema
        The schema of the table.
    encode : bool, default=True
        Whether to encode categories, ordinal levels and Booleans as numbers.
    fill : bool, default=True
        Whether to impute missing values.
    standardise : bool, default=False
        Whether to scale numbers and ranks to mean 0 and variance 1 (indicator columns are not scaled).

    Attributes
    ----------
    columns_ : tuple of EncodedColumn
        The learned encoding of each column; empty if the table is passed through.
    feature_names_in_, n_features_in_ : ndarray, int
        The input columns.

    Examples
    --------
    >>> from classica import LogisticClassifier
    >>> from classica.tables import TableEncoder, load_table
    >>> golf = load_table("golf")
    >>> encoder = TableEncoder.for_estimator(LogisticClassifier(), golf.schema).fit(golf.X)
    >>> list(encoder.get_feature_names_out())[:4]
    ['outlook=cloudy', 'outlook=rain', 'outlook=sun', 'temperature=cold']
    >>> print(encoder.describe()[0])
    outlook is one-hot encoded in 3 columns; missing values are imputed with 'rain'.
    """

    columns_: tuple[EncodedColumn, ...]

    def __init__(
        self, schema: Schema, *, encode: bool = True, fill: bool = True, standardise: bool = False
    ) -> None:
        self.schema = schema
        self.encode = encode
        self.fill = fill
        self.standardise = standardise

    @classmethod
    def for_estimator(
        cls, estimator: BaseEstimator, schema: Schema, *, standardise: bool | None = None
    ) -> TableEncoder:
        """Return the encoder that an estimator needs, according to its tags.

        Parameters
        ----------
        estimator : estimator
            Any estimator that follows scikit-learn's interface.
        schema : Schema
            The schema of the table.
        standardise : bool, optional
            None standardises for our nearest-neighbour, linear and kernel methods (and ensembles of them)
            that take numbers only.
        """
        takes = get_tags(estimator).input_tags
        if standardise is None:
            standardise = not takes.categorical and _depends_on_scale(estimator)
        return cls(schema, encode=not takes.categorical, fill=not takes.allow_nan, standardise=standardise)

    @property
    def passes_on(self) -> bool:
        """Whether the table is passed through unchanged."""
        return not (self.encode or self.fill or self.standardise)

    def fit(self, X: pl.DataFrame, y: VectorLike | None = None) -> TableEncoder:
        """Learn means, most frequent levels and scales from training rows."""
        wanted = self.schema.feature_names()
        self._require_columns(X, wanted)
        self.feature_names_in_ = np.array(wanted, dtype=object)
        self.n_features_in_ = len(wanted)
        planned = [] if self.passes_on else list(self.planned())
        for column in planned:
            _require_finite(X[column.name])
        self.columns_ = tuple(
            learned(X[column.name], column, fill=self.fill, standardise=self.standardise)
            for column in planned
        )
        self.require_different_names()
        return self

    def transform(self, X: pl.DataFrame) -> pl.DataFrame:
        """Return the encoded columns, named by `get_feature_names_out`."""
        check_is_fitted(self)
        self._require_columns(X, list(self.feature_names_in_))
        if self.passes_on:
            return pl.DataFrame({name: X[name] for name in self.feature_names_in_})
        # From a dict, because polars would rename columns without a name.
        cells: dict[str, Any] = {}
        for column in self.columns_:
            if column.form in ("one-hot", "rank", "flag") and not self.encode:
                cells[column.name] = self._filled(X[column.name], column)
            else:
                cells |= zip(column.names_out, column.values(X[column.name]), strict=True)
        return pl.DataFrame(cells)

    @property
    def gives_numbers(self) -> bool:
        """Whether all output columns are numeric, so that `matrix` can be used."""
        return self.encode or all(column.form == "number" for column in self.planned())

    def matrix(self, X: pl.DataFrame) -> NDArray[np.float64]:
        """Return the encoded rows as one array in C order; missing values are NaN.

        Rows are encoded in blocks, which takes half the memory of encoding a frame and converting it.
        """
        check_is_fitted(self)
        self._require_columns(X, list(self.feature_names_in_))
        if not self.gives_numbers:
            raise DataError("Cannot return an array: some columns are categorical. Set encode=True.")
        columns = self.columns_ or tuple(self.planned())
        widths = [len(column.names_out) for column in columns]
        array = np.empty((len(X), sum(widths)))
        cells = [X[column.name] for column in columns]
        for begin in range(0, len(X), _BLOCK):
            rows = array[begin : begin + _BLOCK]
            values = (
                part
                for column, whole in zip(columns, cells, strict=True)
                for part in column.values(whole.slice(begin, _BLOCK))
            )
            for offset, part in enumerate(values):
                rows[:, offset] = part
        return array

    def get_feature_names_out(self, input_features: object = None) -> Any:
        """Return the names of the output columns."""
        check_is_fitted(self)
        if self.passes_on or not self.encode:
            return self.feature_names_in_
        return np.array([name for column in self.columns_ for name in column.names_out], dtype=object)

    def column_groups(self) -> dict[str, list[int]]:
        """Return the indices of the columns that come out of each feature of the table, dates as a whole."""
        check_is_fitted(self)
        widths = {
            column.name: len(column.names_out) if self.encode else 1
            for column in self.columns_ or tuple(self.planned())
        }
        groups: dict[str, list[int]] = {}
        begin = 0
        for name in self.schema.names("feature"):
            size = sum(widths[part] for part in part_names(self.schema[name]))
            groups[name] = [*range(begin, begin + size)]
            begin += size
        return groups

    def describe(self) -> list[str]:
        """Return one sentence about the encoding of each column."""
        check_is_fitted(self)
        return [column.describe() for column in self.columns_]

    def planned(self) -> Iterator[EncodedColumn]:
        """Yield the planned encoding of each input column, before fitting."""
        forms = {"boolean": "flag", "ordinal": "rank", "categorical": "one-hot"}
        for name in self.schema.names("feature"):
            column: ColumnSchema = self.schema[name]
            levels = tuple(str(level) for level in column.levels or ()) if column.has_levels else ()
            for part in part_names(column):
                yield EncodedColumn(part, forms.get(column.kind, "number"), levels)

    @staticmethod
    def _filled(cells: pl.Series, column: EncodedColumn) -> pl.Series:
        """Return columns that stay categorical, with missing values imputed."""
        if column.fill is None or not cells.null_count():
            return cells
        value = bool(column.fill) if column.form == "flag" else column.levels[int(column.fill)]
        return cells.fill_null(value)

    @staticmethod
    def _require_columns(X: Rows, wanted: list[str]) -> None:
        if not isinstance(X, pl.DataFrame):
            raise DataError(f"X must be a polars frame with the features, got {type(X).__name__}.")
        names = set(X.columns)
        absent = [name for name in wanted if name not in names]
        if absent:
            raise DataError(f"Cannot encode X: the features {listed(absent)} are missing.")

    def require_different_names(self) -> None:
        """Raise `DataError` if two encoded columns have the same name."""
        names = list(self.get_feature_names_out())
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"Cannot encode: two columns would be named {twice!r}. Rename a column.")


def _depends_on_scale(estimator: BaseEstimator) -> bool:
    """Return whether an estimator is, or contains, one of our scale-dependent models."""
    families = {card.estimator: card.family for card in registered()}
    if families.get(type(estimator)) in _SCALED_FAMILIES:
        return True
    parameters = estimator.get_params(deep=True).values() if hasattr(estimator, "get_params") else ()
    return any(families.get(type(value)) in _SCALED_FAMILIES for value in parameters)


def _require_finite(cells: pl.Series) -> None:
    """Raise for infinite numbers, for which no mean or scale exists."""
    if not cells.dtype.is_float():
        return
    infinite = cells.is_infinite().fill_null(False)
    if infinite.any():
        row = int(infinite.arg_max() or 0)
        raise CellError(row, cells.name, "finite", f"{cells[row]:g}")
