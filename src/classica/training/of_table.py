"""Any fitted classifier as one that answers for tables: what it knows of its columns is the schema."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from sklearn.base import is_classifier

from classica.errors import ParameterError, must
from classica.table_classifier import TableClassifier
from classica.tables import ColumnSchema, Schema, TableEncoder


def of_table(model: Any) -> TableClassifier:
    """Return a model that answers for tables: itself, or a classifier with a schema of what it has seen.

    A classifier that learned from a frame knows the names of its columns and the levels of categories. Its
    columns are taken by name, as they are: nothing is encoded, filled or scaled.
    """
    if isinstance(model, TableClassifier):
        return model
    if isinstance(model, type) or not is_classifier(model) or not hasattr(model, "classes_"):
        raise ParameterError(must("model", "a fitted classifier", type(model).__name__))
    schema = schema_of(model)
    if schema is None:
        raise ParameterError(
            "model must know the names of its columns to answer for a table, got a"
            f" {type(model).__name__} that learned from an array: let it learn from a frame."
        )
    answering = TableClassifier(model, schema)
    answering.estimator_ = model
    nothing = pl.DataFrame({name: [] for name in schema.feature_names()})
    answering.encoder_ = TableEncoder(schema, encode=False, fill=False).fit(nothing)
    return answering


def schema_of(model: Any) -> Schema | None:
    """Return what a fitted model knows about its columns; None if it does not know their names."""
    if isinstance(model, TableClassifier):
        return model.schema
    from classica.explain.opened import Opened  # brings every estimator, which most models do not need

    opened = Opened.of(model)
    if getattr(opened.estimator, "feature_names_in_", None) is None:
        return None
    return Schema(tuple(_column(column.name, column.levels) for column in opened.columns))


def with_target(model: TableClassifier, target: str) -> Schema:
    """Return the schema of a model whose labels are to be compared with this column."""
    features = [column for column in model.schema.columns if column.role == "feature"]
    if target in [column.name for column in features]:
        raise ParameterError(must("target", "another column than those the model answers by", target))
    labels = ColumnSchema(target, "categorical", "target", levels=tuple(model.classes_.tolist()))
    return Schema((*features, labels), model.schema.missing)


def _column(name: str, levels: tuple[Any, ...] | None) -> ColumnSchema:
    if levels is None:
        return ColumnSchema(name, "numeric")
    kinds = {type(level.item() if isinstance(level, np.generic) else level) for level in levels}
    if kinds == {bool}:
        return ColumnSchema(name, "boolean")
    # Levels that are numbers are found by their value.
    return ColumnSchema(name, *(("categorical", "feature", levels) if kinds == {str} else ("numeric",)))
