"""A table that is in memory, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from classica.tables.reading.raw_table import RawTable


def slices(table: RawTable, rows: int) -> Iterator[RawTable]:
    """Yield the rows of a table in their order; one batch without rows if it has none."""
    for begin in range(0, max(table.frame.height, 1), rows):
        yield replace(table, frame=table.frame.slice(begin, rows))
