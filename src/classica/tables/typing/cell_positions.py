"""Positions of invalid cells in a table."""

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
    """Convert `CellError` of a model to `TableError` with source, column and row of the table.

    A model only knows row indices and encoded cells.

    Parameters
    ----------
    source : str
        The name of the table.
    frame : polars DataFrame
        Its cells.
    row_of : callable
        Maps a row index of the model to one of the frame.
    where : callable
        Maps a row index of the frame to a description of its position.
    line_of : callable or None
        Maps a row index of the frame to its line, if it has one.
    """
    try:
        yield
    except CellError as error:
        row, name = row_of(error.row), str(error.column)
        cells = dict(zip(frame.columns, frame.get_columns(), strict=True)).get(name)
        # The value in the table, before scaling.
        got = error.got if cells is None or not cells.dtype.is_numeric() else f"{cells[row]:g}"
        raise TableError(
            f"The column {name!r} of {source} must be {error.rule}, got {got} in {where(row)}.",
            source=source,
            kind="bad value",
            line=None if line_of is None else line_of(row),
            column=name,
        ) from error
