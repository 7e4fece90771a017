"""Convert results to plain JSON values and back, checked against the types of the fields."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from classica.errors import DataError, must

T = TypeVar("T")
Reader = Callable[[Any, str], Any]


class Recorded:
    """A mixin of results that converts their fields to plain values."""

    def record(self) -> dict[str, Any]:
        """Return all fields as plain JSON values; numbers that are not finite become None."""
        if not is_dataclass(self):
            raise TypeError(f"{type(self).__name__} must be a dataclass.")
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}


def plain(value: object) -> Any:
    """Return a value in JSON form: arrays as lists, results as dicts, None for numbers that are not finite.

    Examples
    --------
    >>> plain({"a": np.array([1.0, np.nan]), 2: (np.int64(3), None)})
    {'a': [1.0, None], '2': [3, None]}
    """
    if is_dataclass(value) and hasattr(value, "record"):
        return plain(value.record())
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def from_record(kind: type[T], record: object, where: str = "") -> T:
    """Return the result described by plain values, the inverse of `Recorded.record`.

    Every field without a default must be present and have the right type. Where a number is expected, None is
    read as NaN. Entries that are not fields were derived and are ignored.

    Parameters
    ----------
    kind : type
        A dataclass.
    record : mapping
        Its fields as plain values.
    where : str, optional
        What the record is part of, for error messages.

    Raises
    ------
    DataError
        If a value is missing or has the wrong type.

    Examples
    --------
    >>> from classica.statistics.interval import Interval
    >>> ends = {"low": None, "high": None, "deviation": 0}
    >>> from_record(Interval, {"mean": 1, **ends, "folds": 1, "confidence": 0.95})
    Interval(mean=1.0, low=nan, high=nan, deviation=0.0, folds=1, confidence=0.95)
    """
    reader: Reader = _reader(cast(Any, kind))
    result: T = reader(record, where or kind.__name__)
    return result


@cache
def _reader(kind: object) -> Reader:
    """Return the reader of values of a type."""
    origin = get_origin(kind)
    if kind is Any:
        return lambda value, where: value
    if is_dataclass(kind):
        return _dataclass_reader(kind)
    if origin in (Union, types.UnionType):
        return _optional_reader(kind)
    if origin is np.ndarray:
        return _array_reader(get_args(kind))
    if origin in _CONTAINERS:
        return _CONTAINERS[origin](get_args(kind))
    if origin is Literal:
        return _checked(
            lambda value: value in get_args(kind), f"one of {', '.join(map(str, get_args(kind)))}"
        )
    return _PLAIN[kind]


def _checked(
    accepts: Callable[[Any], bool], rule: str, convert: Callable[[Any], Any] | None = None
) -> Reader:
    def read(value: Any, where: str) -> Any:
        if not accepts(value):
            raise DataError(must(where, rule, value))
        return value if convert is None else convert(value)

    return read


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_PLAIN: dict[Any, Reader] = {
    str: _checked(lambda value: isinstance(value, str), "text"),
    bool: _checked(lambda value: isinstance(value, bool), "true or false"),
    int: _checked(lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number"),
    float: _checked(
        lambda value: value is None or _is_number(value),
        "a number or null",
        lambda value: np.nan if value is None else float(value),
    ),
    types.NoneType: _checked(lambda value: value is None, "null"),
}


def _dataclass_reader(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    own_fields = [field for field in fields(kind) if field.init]

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, Mapping):
            raise DataError(must(where, "an object", value))
        given = {
            field.name: _reader(hints[field.name])(value[field.name], f"{where}.{field.name}")
            for field in own_fields
            if field.name in value
        }
        try:
            return kind(**given)
        except TypeError:
            lacking = [field.name for field in own_fields if field.name not in given]
            raise DataError(f"{where} must have {', '.join(lacking)}, got none.") from None

    return read


def _optional_reader(kind: object) -> Reader:
    """Return the reader of a value or None; other unions are ambiguous in plain form."""
    (inner,) = (each for each in get_args(kind) if each is not types.NoneType)
    return lambda value, where: None if value is None else _reader(inner)(value, where)


def _array_reader(arguments: Any) -> Reader:
    # NDArray[np.float64] is ndarray[shape, dtype[float64]]; of any type, the values decide.
    scalar = get_args(arguments[1])[0] if get_args(arguments[1]) else Any
    dtype = None if scalar is Any else scalar

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, list):
            raise DataError(must(where, "a list of numbers or labels", value))
        try:
            return np.asarray(value, dtype=dtype)
        except (TypeError, ValueError, OverflowError):
            raise DataError(must(where, f"a list of {getattr(dtype, '__name__', 'values')}", value)) from None

    return read


def _sequence_reader(make: Callable[[Any], Any]) -> Callable[[Any], Reader]:
    def of(arguments: Any) -> Reader:
        inner = [each for each in arguments if each is not Ellipsis]
        is_fixed = make is tuple and Ellipsis not in arguments

        def read(value: Any, where: str) -> Any:
            if not isinstance(value, list | tuple) or (is_fixed and len(value) != len(inner)):
                raise DataError(must(where, f"a list of {len(inner)}" if is_fixed else "a list", value))
            readers = map(_reader, inner if is_fixed else inner * len(value))
            parts = enumerate(zip(readers, value, strict=True))
            return make(reader(each, f"{where}[{index}]") for index, (reader, each) in parts)

        return read

    return of


def _mapping_reader(arguments: Any) -> Reader:
    _, inner = arguments

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, Mapping):
            raise DataError(must(where, "an object", value))
        return {str(key): _reader(inner)(each, f"{where}.{key}") for key, each in value.items()}

    return read


_CONTAINERS: dict[Any, Callable[[Any], Reader]] = {
    list: _sequence_reader(list),
    tuple: _sequence_reader(tuple),
    dict: _mapping_reader,
}
