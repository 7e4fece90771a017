"""Tables to take along: CSV within the page, behind a link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import polars as pl

from classica.tables.writing.batches_out import neutralised

#: Letters that a URI within an attribute may hold as they are; all others are encoded.
_SAFE = ",.:;()/+'"


def csv_link(table: Sequence[Sequence[Any]]) -> str:
    """Return the address of a table, headings first: a file in itself, which no other has to be loaded for.

    Text that a spreadsheet would run as a formula gets an apostrophe, as in all tables that are written.

    Examples
    --------
    >>> csv_link([["column", "drop"], ["=age", 0.25]])
    "data:text/csv;charset=utf-8,column,drop%0A'%3Dage,0.25%0A"
    """
    headings, rows = table[0], table[1:]
    names = _once([str(heading) for heading in headings])
    columns = [pl.Series(name, _cells([row[place] for row in rows])) for place, name in enumerate(names)]
    return f"data:text/csv;charset=utf-8,{quote(neutralised(pl.DataFrame(columns)).write_csv(), safe=_SAFE)}"


def _cells(cells: list[Any]) -> list[Any]:
    """Return numbers as they are; a column that has anything else is text."""
    if all(isinstance(cell, int | float) or cell is None for cell in cells):
        return [None if cell is None else float(cell) for cell in cells]
    return [None if cell is None else str(cell) for cell in cells]


def _once(names: list[str]) -> list[str]:
    """Return names of which each occurs once, as a table needs them."""
    return [f"{name} {place + 1}" if name in names[:place] else name for place, name in enumerate(names)]
