"""Frames of pandas, polars and Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.arrays import TableSource
from classica.categories import declared_levels, is_missing
from classica.errors import TableError
from classica.tables.reading.column_names import different_names
from classica.tables.reading.raw_table import Declared, RawTable, require_flat, slices
from classica.tables.reading.table_format import TableFormat
from classica.tables.reading.values import column_of, tag_of, type_of


def read(source: Any, options: dict[str, Any]) -> RawTable:
    """Read a frame, keeping its types."""
    eager = source.collect() if isinstance(source, pl.LazyFrame) else source
    try:
        given = nw.from_native(eager, eager_only=True)
    except nw.exceptions.DuplicateError:
        listed = eager.column_names if hasattr(eager, "column_names") else list(eager.columns)
        twice = next(name for name in listed if listed.count(name) > 1)
        sentence = "columns must have different names, got one twice"
        raise TableError.at("frame", "duplicate name", sentence, column=str(twice)) from None
    name = f"{given.implementation.name.lower()} frame"
    # In pandas, 1 and "1" are different columns.
    names, notes = different_names([str(column) for column in given.columns])
    named = dict(zip(names, (given.get_column(column) for column in given.columns), strict=True))
    levels = {column: declared_levels(cells) for column, cells in named.items()}
    declared = {
        column: Declared("category", tuple(str(level) for level in column_levels))
        for column, column_levels in levels.items()
        if column_levels
    }
    frame = pl.DataFrame([_column(cells, column, name) for column, cells in named.items()])
    require_flat(frame, name)
    return RawTable(frame, name, "frame", notes=list(notes), declared=declared)


def batches(source: TableSource, options: dict[str, Any], rows: int) -> Iterator[RawTable]:
    """Read a frame in batches."""
    yield from slices(read(source, options), rows)


def _column(column: nw.Series[Any], name: str, source: str) -> pl.Series:
    native = column.to_native()
    if column.implementation.is_polars():
        return native.alias(name)  # type: ignore[no-any-return]
    if column.implementation.is_pyarrow():
        return pl.Series(name, pl.from_arrow(native))
    dtype = column.dtype
    whole = dtype.is_numeric() or dtype in (nw.Boolean, nw.Datetime, nw.Duration)
    if whole and not isinstance(native.dtype, np.dtype):
        whole = False  # nullable columns of pandas store missing values separately
    if whole:
        return pl.Series(name, _in_microseconds(native.to_numpy()))
    values = [None if is_missing(value) else _plain(value) for value in native.tolist()]
    tags = {_tag(value, name, source) for value in values}
    kind, doubt = type_of(tags)
    if doubt is not None:
        sentence = f"a column must have values of one type, got {doubt.text.removeprefix('has ')}"
        raise TableError.at(source, doubt.kind, sentence, column=name)
    if isinstance(dtype, nw.Enum | nw.Categorical) and kind == pl.String:
        levels = [str(level) for level in declared_levels(column)]
        return (
            column_of(name, values, kind).cast(pl.Enum(levels)) if levels else column_of(name, values, kind)
        )
    return column_of(name, values, kind)


def _in_microseconds(values: NDArray[Any]) -> NDArray[Any]:
    """Convert times to microseconds, which polars supports; return other values unchanged."""
    if values.dtype.kind not in "mM" or np.datetime_data(values.dtype)[0] in ("D", "ms", "us", "ns"):
        return values
    return values.astype(f"{values.dtype.kind}8[us]")


def _plain(value: object) -> Any:
    """Return a NumPy scalar or pandas timestamp as a Python value."""
    if hasattr(value, "to_pydatetime"):
        return value.to_pydatetime()
    return value.item() if isinstance(value, np.generic) else value


def _tag(value: object, name: str, source: str) -> str:
    tag = tag_of(value)
    if tag is None:
        sentence = f"a cell must be a number, text, a Boolean or a time, got {type(value).__name__}"
        raise TableError.at(source, "nested value", sentence, column=name)
    return tag


def _is_frame(source: object) -> bool:
    return isinstance(source, pl.LazyFrame) or nw.dependencies.is_into_dataframe(source)


FORMAT = TableFormat("frame", "frame", read, batches, options={}, takes=_is_frame, priority=0)
