"""Raw tables for tests, made by hand."""

from __future__ import annotations

import polars as pl

from classica.tables import RawTable, decide_types


def raw(source="table.csv", **columns):
    """Return a raw table of the given columns."""
    return raw_of(pl.DataFrame(columns), source)


def raw_of(frame, source="table.csv", **found):
    """Return the raw table of a frame."""
    return RawTable(frame, source, "frame", **found)


def typed(target=None, schema=None, **columns):
    """Return the typed table of the given columns."""
    return decide_types(raw(**columns), target=target, schema=schema)


def codes(table, column=None):
    """Return the codes of what was told, of one column or of all."""
    return [finding.code for finding in table.decisions if column in (None, finding.column)]


#: A table with every kind of column, as text where a CSV would have text.
ROWS = 60
EVERYTHING = {
    "key": list(range(1, ROWS + 1)),
    "code": [f"{i:06d}" for i in range(ROWS)],
    "zip": ["00651", "01234", "99999"] * 20,
    "huge": [2**60 + i for i in range(ROWS)],
    "length": [i / 4 for i in range(ROWS)],
    "gaps": ["NA" if i % 7 == 0 else str(i / 2) for i in range(ROWS)],
    "colour": ["red", "green", "?", "blue"] * 15,
    "wet": ["True", "FALSE", "true"] * 20,
    "when": ["2024-02-29", "2025-12-24", "2024-02-29"] * 20,
    "same": ["x"] * ROWS,
    "empty": [None] * ROWS,
    "story": [f"Once upon a time there were {i} cats." for i in range(ROWS)],
    "name": [f"n{i}x" for i in range(ROWS)],
    "y": ["yes", "no", "no"] * 20,
}
