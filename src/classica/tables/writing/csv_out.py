"""Write a table that may be opened in a spreadsheet: no cell of text is run as a formula."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from classica.errors import DataError
from classica.tables.typing.cells import is_text, unnamed
from classica.whole_file import whole_file

#: What a formula begins with; East Asian spreadsheets take the wide signs, too.
_STARTS = r"^[=+\-@\t\r\n＝＋－＠]"

#: Numbers as they are written, and a lone sign: a spreadsheet has nothing to run in them.
_HARMLESS = r"^(?:[+-]?[0-9]+(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?|[+-])$"


def write_csv(frame: pl.DataFrame, path: str | Path, *, neutralise: bool = True) -> None:
    """Write a frame as CSV in UTF-8, as a whole or not at all.

    Parameters
    ----------
    frame : polars DataFrame
        Missing cells become empty ones.
    path : path
        The file to write or replace.
    neutralise : bool, default=True
        Put an apostrophe before text, and before names of columns, that a spreadsheet would run as a formula
        (beginning with =, +, -, @, a tab or a line break). Numbers are not touched, nor is text that is a
        number or a lone sign. False: write text as it is.
    """
    with whole_file(path, DataError) as file:
        (neutralised(frame) if neutralise else frame).write_csv(file)


def neutralised(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with an apostrophe before text that a spreadsheet would run."""
    names = _harmless(pl.Series("names", frame.columns, dtype=pl.String)).to_list()
    cells = [_harmless(cells) if is_text(cells) else cells for cells in frame.get_columns()]
    return pl.DataFrame(dict(zip(names, cells, strict=True)))


def _harmless(cells: pl.Series) -> pl.Series:
    text = unnamed(cells.cast(pl.String))
    runs = text.str.contains(_STARTS) & ~text.str.contains(_HARMLESS)
    return ("'" + text).zip_with(runs.fill_null(False), text)
