"""Read a new table in batches, typed by the schema of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator, is_classifier

from classica.arrays import TableSource
from classica.errors import DataError, ParameterError, must
from classica.table_classifier import TableClassifier
from classica.tables import ColumnSchema, RawTable, Schema, Table, TableEncoder, scan_table
from classica.tables.typing.cell_positions import cells_named
from classica.wording import listed


def of_table(model: BaseEstimator) -> TableClassifier:
    """Return a model that predicts tables: itself, or the classifier with the schema of its training data.

    A classifier that was fitted to a frame has the names of its columns and the levels of categories. Columns
    are matched by name and used as they are, without encoding, imputation or scaling.
    """
    if isinstance(model, TableClassifier):
        return model
    if isinstance(model, type) or not is_classifier(model) or not hasattr(model, "classes_"):
        raise ParameterError(must("model", "a fitted classifier", type(model).__name__))
    schema = schema_of(model)
    if schema is None:
        raise ParameterError(
            "model must have column names to predict a table, got a"
            f" {type(model).__name__} that was trained on an array. Train it on a data frame."
        )
    answering = TableClassifier(model, schema)
    answering.estimator_ = model
    nothing = pl.DataFrame({name: [] for name in schema.feature_names()})
    answering.encoder_ = TableEncoder(schema, encode=False, fill=False).fit(nothing)
    return answering


def schema_of(model: BaseEstimator) -> Schema | None:
    """Return the schema of the features of a fitted model; None if it has no column names."""
    if isinstance(model, TableClassifier):
        return model.schema
    from classica.explain.model_layers import (
        ModelLayers,
    )  # imports every estimator, which most models do not need

    layers = ModelLayers.of(model)
    if getattr(layers.estimator, "feature_names_in_", None) is None:
        return None
    return Schema(tuple(_column(column.name, column.levels) for column in layers.columns))


def with_target(model: TableClassifier, target: str) -> Schema:
    """Return the schema of a model with this column as its target."""
    features = [column for column in model.schema.columns if column.role == "feature"]
    if target in [column.name for column in features]:
        raise ParameterError(must("target", "a column that is not a feature of the model", target))
    labels = ColumnSchema(target, "categorical", "target", levels=tuple(model.classes_.tolist()))
    return Schema((*features, labels), model.schema.missing)


def _column(name: str, levels: tuple[Any, ...] | None) -> ColumnSchema:
    if levels is None:
        return ColumnSchema(name, "numeric")
    kinds = {type(level.item() if isinstance(level, np.generic) else level) for level in levels}
    if kinds == {bool}:
        return ColumnSchema(name, "boolean")
    # Numeric levels are matched by value.
    return ColumnSchema(name, *(("categorical", "feature", levels) if kinds == {str} else ("numeric",)))


class TypedBatches:
    """Iterate once over a table: raw and typed cells.

    Parameters
    ----------
    schema : Schema
        The schema of the required columns, and the names of other known ones.
    roles : sequence of str
        The roles of the required columns.
    source : Table, or what `classica.tables.scan_table` takes
        The rows.
    batch_rows : int
        Number of rows per batch.
    reading : dict, optional
        Options of `classica.tables.scan_table`.

    Attributes
    ----------
    rows : int
        Number of rows so far.
    source : str
        The name of the table, after the first batch.
    notes : list of str
        Notes from reading the table.
    extra : list of str
        Columns that the schema does not list.
    unseen : dict
        Column → unknown level → number of cells.
    """

    def __init__(
        self,
        schema: Schema,
        roles: Sequence[str],
        source: TableSource,
        batch_rows: int,
        reading: dict[str, Any] | None = None,
    ) -> None:
        self.schema = schema
        self.needed = schema.only(*roles)
        self._from, self._batch_rows, self._reading = source, batch_rows, reading or {}
        self.rows = 0
        self.source = ""
        self.notes: list[str] = []
        self.extra: list[str] = []
        self.unseen: dict[str, Counter[str]] = {}

    def __iter__(self) -> Iterator[tuple[dict[str, pl.Series], Table]]:
        """Yield the raw columns by name, and the typed table of the required ones."""
        for raw in self._batches():
            if not self.source:
                self._look_at(raw)
            cells = dict(zip(raw.frame.columns, raw.frame.get_columns(), strict=True))
            wanted = {name: column for name, column in cells.items() if name in self.needed}
            table = self.needed.apply(replace(raw, frame=pl.DataFrame(wanted), first_row=self.rows + 1))
            self.rows += raw.frame.height
            self._raw = replace(raw, first_row=self.rows - raw.frame.height + 1)
            for name, levels in table.unseen.items():
                self.unseen.setdefault(name, Counter()).update(levels)
            yield cells, table

    def cells_named(self, rows: pl.Series | None = None) -> AbstractContextManager[None]:
        """Convert errors about cells of this batch to errors with source, row and line.

        Parameters
        ----------
        rows : polars Series, optional
            The rows of the batch that the model gets; None for all.
        """
        raw = self._raw
        return cells_named(
            raw.source, raw.frame, lambda row: row if rows is None else rows[row], raw.where, raw.line_of
        )

    def _batches(self) -> Iterator[RawTable]:
        if not isinstance(self._from, Table):
            yield from scan_table(self._from, batch_rows=self._batch_rows, **self._reading)
            return
        name = self._from.source
        for raw in scan_table(self._from.frame, batch_rows=self._batch_rows, **self._reading):
            yield replace(raw, source=name)

    def _look_at(self, raw: RawTable) -> None:
        self.source, self.notes = raw.source, [str(note) for note in raw.notes]
        self.extra = [name for name in raw.frame.columns if name not in self.schema]
        names = set(raw.frame.columns)
        absent = [column.name for column in self.needed.columns if column.name not in names]
        if absent:
            got = f"no column {absent[0]!r}" if len(absent) == 1 else f"none of {listed(absent)}"
            raise DataError(f"{raw.source} must have every column that the model needs, got {got}.")
