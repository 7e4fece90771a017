"""Types of columns of Python values, as from JSON or a database."""

from __future__ import annotations

import datetime
import decimal
import json
from typing import Any

import polars as pl

from classica.tables.reading.raw_table import Doubt

_EXACT = 2**53

#: Python type → tag.
_TAGS = {
    type(None): "nothing",
    bool: "Boolean",
    float: "number",
    str: "text",
    datetime.datetime: "time stamp",
    datetime.date: "date",
    datetime.time: "time",
}

_TYPES: dict[frozenset[str], Any] = {
    frozenset(): pl.String,
    frozenset({"Boolean"}): pl.Boolean,
    frozenset({"integer"}): pl.Int64,
    frozenset({"integer", "large integer"}): pl.Int64,
    frozenset({"large integer"}): pl.Int64,
    frozenset({"number"}): pl.Float64,
    frozenset({"integer", "number"}): pl.Float64,
    frozenset({"text"}): pl.String,
    frozenset({"time stamp"}): pl.Datetime,
    frozenset({"date"}): pl.Date,
    frozenset({"time"}): pl.Time,
}


def tag_of(value: object) -> str | None:
    """Return the tag of a value; None if it cannot be a cell."""
    tag = _TAGS.get(type(value))
    if tag is not None:
        return tag
    if isinstance(value, int):
        if abs(value) <= _EXACT:
            return "integer"
        return "large integer" if -(2**63) <= value < 2**63 else "huge integer"
    if isinstance(value, decimal.Decimal):
        kept = value.is_finite() and decimal.Decimal(repr(float(value))) == value
        return "number" if kept else "decimal"
    return None


def type_of(tags: set[str]) -> tuple[Any, Doubt | None]:
    """Return the type that keeps all values with these tags, and a doubt if numbers become text."""
    kinds = frozenset(tags - {"nothing"})
    if kinds in _TYPES:
        return _TYPES[kinds], None
    if kinds <= {"integer", "large integer", "huge integer", "number", "decimal"}:
        return pl.String, Doubt(
            "many digits", "has numbers beyond the range of 64-bit integers and double precision"
        )
    return pl.String, Doubt("several types", f"has values of several types: {', '.join(sorted(kinds))}")


def column_of(name: str, values: list[Any], dtype: Any) -> pl.Series:
    """Return a column of values in a type that keeps them."""
    if dtype == pl.String:
        values = [value if value is None or isinstance(value, str) else _written(value) for value in values]
    elif dtype == pl.Float64:
        values = [None if value is None else float(value) for value in values]
    return pl.Series(name, values, dtype=dtype, strict=True)


def _written(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool | float) else str(value)
