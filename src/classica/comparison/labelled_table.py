"""The table to compare on: with types, and with classes to tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from classica.data import RawTable, Table, decide_types, read_table
from classica.errors import DataError

#: A target of whole numbers with more values than this, most of them rare, is a quantity.
_MOST_CLASSES = 50


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
    if column.kind == "numeric" or (classes > _MOST_CLASSES and 5 * classes > len(table)):
        raise DataError(
            f"The target {name!r} of {table.source} must be classes to tell apart, got a quantity of"
            f" {classes:,} different values: regression is not compared."
        )
    if classes < 2:
        raise DataError(f"The target {name!r} of {table.source} must have at least 2 classes, got {classes}.")
    if not table.schema.names("feature"):
        raise DataError(f"{table.source} must have a column to learn from, got none besides the target.")
