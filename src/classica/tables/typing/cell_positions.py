"""Where in a table a cell is that a model cannot use."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import polars as pl

from classica.errors import CellError, TableError


@contextlib.contextmanager
def cells_named(
    source: str,
    frame: pl.DataFrame,
    row_of: Callable[[int], int],
    where: Callable[[int], str] = lambda row: f"row {row + 1:,}",
    line_of: Callable[[int], int] | None = None,
) -> Iterator[None]:
    """Tell of a cell that a model cannot use as one finds it in the table: by source, column and row.

    A model knows the rows it was given, from 0, and cells as they were encoded.

    Parameters
    ----------
    source : str
        The name of the table.
    frame : polars DataFrame
        Its cells.
    row_of : callable
        From a row of the model to one of the frame, both from 0.
    where : callable
        From a row of the frame to how to find it.
    line_of : callable or None
        From a row of the frame to its line, if it has one.
    """
    try:
        yield
    except CellError as error:
        row, name = row_of(error.row), str(error.column)
        cells = dict(zip(frame.columns, frame.get_columns(), strict=True)).get(name)
        # As it is in the table, before it was brought to a common scale.
        got = error.got if cells is None or not cells.dtype.is_numeric() else f"{cells[row]:g}"
        raise TableError(
            f"The column {name!r} of {source} must be {error.rule}, got {got} in {where(row)}.",
            source=source,
            kind="bad value",
            line=None if line_of is None else line_of(row),
            column=name,
        ) from error
