"""Categorical columns of a frame: detection, levels and codes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.errors import DataError

#: Dtypes that are categorical by default; an all-missing column has no type.
_CATEGORIES = (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Object, nw.Unknown)

#: Types of the cells of a categorical column.
_LEVELS = (str, bytes, int, float, np.generic, Decimal, date, time, timedelta)

#: Column name → its levels; a cell's code is the index of its level.
Levels = dict[str, list[Any]]


def category_columns(frame: nw.DataFrame[Any], wanted: object) -> NDArray[np.bool_]:
    """Return a mask of the categorical columns: all that are not numeric, or those that are named."""
    schema = frame.schema  # read once: a frame computes it on every access
    from_dtype = np.array([not dtype.is_numeric() for dtype in schema.values()])
    for name, dtype in schema.items():
        if dtype.is_nested() or (
            isinstance(wanted, str) and not (dtype.is_numeric() or dtype in _CATEGORIES)
        ):
            rule = "a number, text, a category or a Boolean"
            raise DataError(f"The column {name!r} must be {rule}, got {shown_type(dtype)}.")
    if isinstance(wanted, str):
        return from_dtype
    mask = named_columns(wanted, list(frame.columns), len(from_dtype))
    for (name, dtype), is_text, named in zip(schema.items(), from_dtype, mask, strict=True):
        if is_text and not named:
            raise DataError(f"The column {name!r} must be numeric or a category, got {shown_type(dtype)}.")
    return mask


def named_columns(wanted: Any, names: list[str] | None, count: int) -> NDArray[np.bool_]:
    """Return a mask of the columns given by name, index or mask; none for None or "from_dtype"."""
    mask = np.zeros(count, dtype=bool)
    if wanted is None or isinstance(wanted, str) or len(wanted) == 0:
        return mask
    chosen = np.asarray(wanted)
    if chosen.dtype.kind == "b":
        indices = np.flatnonzero(chosen) if len(chosen) == count else np.array([count])
    elif chosen.dtype.kind in "iu":
        indices = chosen
    else:
        indices = np.array([names.index(n) if names and n in names else count for n in chosen], dtype=int)
    if not ((indices >= -count) & (indices < count)).all():
        raise DataError(f"categorical_features must name columns of X ({count} of them), got {wanted!r}.")
    mask[indices] = True
    return mask


def grown_levels(levels: Levels, frame: nw.DataFrame[Any], mask: NDArray[np.bool_]) -> Levels:
    """Return the levels, extended by those of the frame."""
    grown = dict(levels)
    for name, is_category in zip(frame.columns, mask, strict=True):
        if is_category:
            column = frame.get_column(name)
            levels_so_far = grown.get(name, [])
            declared = declared_levels(column)
            levels_so_far = levels_so_far + [level for level in declared if level not in set(levels_so_far)]
            # A column whose dtype declares its levels has no others.
            new = set() if declared else _distinct(column) - set(levels_so_far)
            grown[name] = levels_so_far + sorted(new, key=lambda value: (str(type(value)), value))
    return grown


def declared_levels(column: nw.Series[Any]) -> list[Any]:
    """Return the levels that a column's dtype declares, used or not, in their order.

    A polars Enum and a pandas categorical dtype declare levels; other text columns do not.
    """
    if column.implementation.is_pandas_like() and column.dtype in (nw.Categorical, nw.Enum):
        levels: list[Any] = column.to_native().dtype.categories.tolist()
        return levels
    return list(column.dtype.categories) if isinstance(column.dtype, nw.Enum) else []


def code_columns(frame: nw.DataFrame[Any], levels: Levels) -> NDArray[np.float64]:
    """Return all columns as numbers: -1 for an unknown level, NaN for a missing value."""
    if frame.implementation.is_polars() and (matrix := _coded_at_once(frame, levels)) is not None:
        return matrix
    return np.column_stack([_coded(frame.get_column(name), levels.get(name)) for name in frame.columns])


def _coded_at_once(frame: nw.DataFrame[Any], levels: Levels) -> NDArray[np.float64] | None:
    """Encode a polars frame of numbers and Enums by one query; None if it has columns of other types.

    An Enum whose levels are in the order of the codes is cast without reading its cells. Otherwise sixty
    columns take sixty queries, and a comparison reads every fold many times.
    """
    import polars as pl

    queries = []
    for name, dtype in frame.schema.items():
        learned = levels.get(name)
        if learned is None and dtype.is_numeric():
            queries.append(pl.col(name).cast(pl.Float64))
        elif learned is not None and isinstance(dtype, nw.Enum) and list(dtype.categories) == learned:
            queries.append(pl.col(name).to_physical().cast(pl.Float64))
        else:
            return None
    coded: NDArray[np.float64] = frame.to_native().select(queries).to_numpy(order="c")
    return coded


def code_values(matrix: MatrixLike, mask: NDArray[np.bool_], levels: Levels) -> Any:
    """Encode an array whose categorical levels were learned from a frame."""
    coded = np.array(matrix, dtype=np.float64)
    for index, (name, column_levels) in zip(np.flatnonzero(mask), levels.items(), strict=True):
        if any(isinstance(level, str) for level in column_levels):
            rule = "text or a category, as in training"
            raise DataError(f"The column {name!r} must be {rule}, got an array of numbers.")
        values = np.array(column_levels, dtype=np.float64)
        order = np.argsort(values)
        cells = coded[:, index]
        if not column_levels:
            codes = np.full(len(cells), -1.0)
        else:
            nearest = order[np.minimum(np.searchsorted(values[order], cells), len(column_levels) - 1)]
            codes = np.where(values[nearest] == cells, nearest, -1.0)
        coded[:, index] = np.where(np.isnan(cells), np.nan, codes)
    return coded


def _coded(column: nw.Series[Any], levels: list[Any] | None) -> NDArray[np.float64]:
    if levels is None:
        if not column.dtype.is_numeric():
            rule = "numeric, as in training"
            raise DataError(f"The column {column.name!r} must be {rule}, got {shown_type(column.dtype)}.")
        return number_cells(column)
    are_text = all(isinstance(level, str) for level in levels)
    if are_text and _is_polars_enum(column):
        return enum_codes(column.to_native(), levels, -1.0, np.nan).astype(np.float64)
    text = _as_text(column)
    return _text_codes(text, levels) if text is not None and are_text else _value_codes(column, levels)


def number_cells(column: nw.Series[Any]) -> NDArray[np.float64]:
    """Return a column of numbers as float64; raise `DataError` for integers that are not exact in float64."""
    try:
        return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
    except ValueError:
        rule = "exactly representable in double precision (integers up to 2**53 are)"
        raise DataError(f"The column {column.name!r} must be {rule}, got larger ones.") from None


def _value_codes(column: nw.Series[Any], levels: list[Any]) -> NDArray[np.float64]:
    cells = _plain_cells(column)
    texts = {isinstance(cell, str) for cell in set(cells) if not is_missing(cell)}
    if texts and levels and texts.isdisjoint(isinstance(level, str) for level in levels):
        rule = "of numbers or Booleans" if True in texts else "text or a category"
        got = shown_type(column.dtype)
        raise DataError(f"The column {column.name!r} must be {rule}, as in training, got {got}.")
    code = {level: float(index) for index, level in enumerate(levels)}
    codes = np.fromiter((code.get(cell, -1.0) for cell in cells), dtype=np.float64, count=len(cells))
    for position in np.flatnonzero(codes < 0):  # only cells that are not levels can be missing
        if is_missing(cells[position]):
            codes[position] = np.nan
    return codes


def _distinct(column: nw.Series[Any]) -> set[Any]:
    if _is_polars_enum(column):
        column = column.unique()  # by the few distinct codes
    text = _as_text(column)
    if text is not None:
        return set(text.unique().drop_nulls().to_list())
    return {value for value in set(_plain_cells(column)) if not is_missing(value)}


def _plain_cells(column: nw.Series[Any]) -> list[Any]:
    """Return cells that can be levels: sortable and immutable values."""
    cells: list[Any] = column.to_list()
    odd = [kind for kind in {type(cell) for cell in cells} if not _is_level(kind)]
    if odd:
        rule = "a number, text, a category or a Boolean"
        raise DataError(f"The column {column.name!r} must be {rule}, got {odd[0].__name__} in its cells.")
    return cells


def _is_level(kind: type) -> bool:
    missing = kind.__name__ in ("NAType", "NaTType", "NoneType")
    return missing or (issubclass(kind, _LEVELS) and not issubclass(kind, complex | np.complexfloating))


def _as_text(column: nw.Series[Any]) -> Any:
    """Return a text column as polars strings, or None if it has other values."""
    if column.dtype not in (nw.String, nw.Categorical, nw.Enum, nw.Object):
        return None
    import polars as pl  # imported here because it takes longer than reading most tables

    native = column.to_native()
    if column.implementation.is_polars():
        return None if column.dtype == nw.Object else native.cast(pl.String)
    if column.implementation.is_pandas_like():
        native = native.astype(object).where(native.notna(), None).tolist()
    elif column.implementation.is_pyarrow():
        native = native.to_pylist()
    try:
        return pl.Series(native, dtype=pl.String, strict=True)
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        return None


def _text_codes(text: Any, levels: list[str]) -> NDArray[np.float64]:
    import polars as pl

    codes = text.cast(pl.Enum(levels), strict=False).to_physical().cast(pl.Float64)
    unknown = codes.is_null() & text.is_not_null()
    coded: NDArray[np.float64] = codes.to_numpy().copy()
    coded[unknown.to_numpy()] = -1.0
    return coded


def enum_codes(cells: Any, levels: Sequence[Any], unknown: Any = -1, missing: Any = -2) -> NDArray[Any]:
    """Return the index of each cell of an Enum in a list of levels; text is compared once per level.

    Parameters
    ----------
    cells : polars Series
        A column of an Enum type.
    levels : sequence
        Distinct levels, in any order.
    unknown, missing : int or float
        The codes of a level that is not in the list, and of a missing value.
    """
    import polars as pl

    index = {level: code for code, level in enumerate(levels)}
    codes = np.array([*(index.get(level, unknown) for level in cells.dtype.categories), missing])
    physical = cells.to_physical()
    if physical.null_count():
        physical = physical.cast(pl.UInt32).fill_null(len(codes) - 1)
    result: NDArray[Any] = codes[physical.to_numpy()]
    return result


def _is_polars_enum(column: nw.Series[Any]) -> bool:
    return isinstance(column.dtype, nw.Enum) and column.implementation.is_polars()


def shown_type(dtype: object) -> str:
    """Return the name of a dtype, without its levels."""
    text = str(dtype)
    return text if len(text) <= 60 else f"{text[:57]}..."


def is_missing(cell: object) -> bool:
    """Return whether a cell is None, NaN, NaT or pandas' NA (which cannot be compared)."""
    if cell is None or type(cell).__name__ == "NAType":
        return True
    try:
        return bool(cell != cell)
    except ValueError:  # an array in a cell, which is not missing as a whole
        return False
