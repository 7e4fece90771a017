"""The table to compare on: with types, and with classes to tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from classica.data import RawTable, Table, decide_types, read_table
from classica.data.thresholds import MANY_CLASSES, ROWS_PER_CLASS
from classica.errors import DataError


def labelled_table(source: Any, target: str | None, schema: Any, aside: Iterable[str | None] = ()) -> Table:
    """Return the table of a source, every row with a label; a quantity to predict is refused.

    Columns in ``aside`` say which rows belong together, and are not learned from.
    """
    table = _typed(source, target, schema)
    known = [table.schema[name] for name in aside if name is not None and name in table.schema]
    features = [replace(column, role="ignored") for column in known if column.role == "feature"]
    if features:
        table = replace(table, schema=table.schema.changed(features))
    _require_classes(table)
    return table.labelled()


def _typed(source: Any, target: str | None, schema: Any) -> Table:
    if not isinstance(source, Table):
        raw = source if isinstance(source, RawTable) else read_table(source)
        return decide_types(raw, target=target, schema=schema)
    if schema is None and target in (None, source.schema.target):
        return source
    raw = RawTable(source.frame, source.source, "frame")
    return decide_types(raw, target=target, schema=source.schema if schema is None else schema)


def _require_classes(table: Table) -> None:
    name = table.schema.target
    if name is None:
        raise DataError(f"{table.source} must have a target: name the column to predict.")
    table = table.labelled()
    column = table.schema[name]
    classes = len(np.unique(table.y))
    if column.kind == "numeric" or classes > max(MANY_CLASSES, len(table) // ROWS_PER_CLASS):
        named = f"The target {name!r} of {table.source} must be classes to tell apart"
        if table.y.dtype.kind not in "iuf":
            raise DataError(f"{named}, got {classes:,} different values in {len(table):,} rows.")
        raise DataError(
            f"{named} (numbers that are classes should be written as words), got a quantity of {classes:,}"
            f" different values: regression is not compared."
        )
    if classes < 2:
        raise DataError(f"The target {name!r} of {table.source} must have at least 2 classes, got {classes}.")
    if not table.schema.names("feature"):
        raise DataError(f"{table.source} must have a column to learn from, got none besides the target.")
