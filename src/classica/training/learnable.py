"""Whether classes can be learned from a table, before anything is."""

from __future__ import annotations

import numpy as np

from classica.data import Table
from classica.data.wording import counted
from classica.errors import DataError

#: More classes than this are looked at closely.
_MANY = 20

#: With fewer rows for each, so many numbers are a quantity, and so much text is a name.
_ROWS_PER_NUMBER, _ROWS_PER_TEXT = 10, 2


def require_classes(table: Table, *, declared: bool) -> None:
    """Raise `DataError` unless the labels of a table are classes.

    Parameters
    ----------
    table : Table
        Rows with labels.
    declared : bool
        Whether a schema says that the target holds classes: then it is believed.
    """
    target = table.schema.target
    if target is None:
        raise DataError(f"{table.source} must have a target, got none: name the column to predict.")
    what = f"The target {target!r} of {table.source}"
    if table.schema[target].kind == "numeric":
        raise DataError(f"{what} must hold classes, got numbers with fractions.")
    if not table.X.width:
        raise DataError(f"{table.source} must have a column to learn from, got none besides {target!r}.")
    different = len(np.unique(table.y))
    if different < 2:
        got = repr(table.y[0].item() if hasattr(table.y[0], "item") else table.y[0]) if len(table) else "none"
        raise DataError(f"{what} must hold two classes at least, got {got} in all rows.")
    numbers = table.y.dtype.kind in "iuf"
    least = _ROWS_PER_NUMBER if numbers else _ROWS_PER_TEXT
    if not declared and different > _MANY and len(table) < least * different:
        got = f"{different:,} different {'numbers' if numbers else 'texts'} in {counted(len(table), 'row')}"
        raise DataError(f"{what} must hold classes that repeat (or be categorical in a schema), got {got}.")
