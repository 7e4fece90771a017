"""Declarative validators for values read from files, shared by model files and run folders.

A description names the kind of each attribute of a model, or of each field of a JSON object. Sizes are
symbols: ``Array("f8", "c", "d")`` is a matrix with one row per class and one column per feature. The first
occurrence of a symbol binds it to the actual size.
"""

from __future__ import annotations

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import ClassicaError, ModelFileError, must

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: A number, a symbol such as "n" or "n+1", or a function of the sizes bound so far.
Size = int | str | Callable[[Mapping[str, int]], int]


#: Types that error messages show by value.
_SHOWN = (bool, int, float, str, bytes, np.generic, np.dtype, np.ndarray, list, tuple, dict, set, frozenset)


@dataclass(frozen=True)
class Scope:
    """The path to the value being checked, and the sizes bound so far."""

    where: str
    sizes: dict[str, int] = field(default_factory=dict)
    #: The estimators checked so far, by id.
    seen: set[int] = field(default_factory=set)
    #: All estimators and records checked so far.
    parts: set[int] = field(default_factory=set)
    #: The exception type for this file.
    error: type[ClassicaError] = ModelFileError

    def part(self, name: str) -> Scope:
        """Return the scope of a part of the value."""
        return replace(self, where=f"{self.where}{name}")

    def of(self, estimator: BaseEstimator) -> Scope:
        """Return the scope of an estimator, with its own sizes."""
        return replace(self, where=type(estimator).__name__, sizes={})

    def own(self) -> Scope:
        """Return the scope of a record: it shares the sizes of columns and classes only."""
        shared = {symbol: size for symbol, size in self.sizes.items() if symbol in ("d", "c")}
        return replace(self, sizes=shared)

    def require(self, holds: object, rule: str, got: object = "something else") -> None:
        """Raise unless the condition holds."""
        if not holds:
            # The repr of a damaged object may fail.
            plain = got is None or isinstance(got, _SHOWN)
            raise self.error(must(self.where, rule, got if plain else f"a {type(got).__name__}"))

    def size(self, wanted: Size) -> int:
        """Return a bound size."""
        if isinstance(wanted, int):
            return wanted
        if callable(wanted):
            return wanted(self.sizes)
        symbol, _, more = wanted.partition("+")
        return self.sizes[symbol] + int(more or 0)

    def fits(self, size: int, wanted: Size) -> bool:
        """Return whether a size matches; a new symbol is bound to it, and a star matches any."""
        if wanted == "*":
            return True
        if isinstance(wanted, str):
            symbol, _, more = wanted.partition("+")
            self.sizes.setdefault(symbol, size - int(more or 0))
        return size == self.size(wanted) and size >= 0


class Kind(ABC):
    """The base class of validators."""

    @abstractmethod
    def check(self, value: Any, scope: Scope) -> None:
        """Raise the scope's error if the value is invalid."""


@dataclass(frozen=True)
class Flag(Kind):
    """True or False."""

    def check(self, value: Any, scope: Scope) -> None:
        """Raise if the value is invalid."""
        scope.require(isinstance(value, bool | np.bool_), "True or False", value)


@dataclass(frozen=True)
class Whole(Kind):
    """An integer from ``low`` to below ``below``."""

    low: Size = 0
    below: Size = 2**62

    def check(self, value: Any, scope: Scope) -> None:
        """Raise if the value is invalid."""
        low, below = scope.size(self.low), scope.size(self.below)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        scope.require(whole and low <= value < below, f"an integer from {low} to below {below}", value)


@dataclass(frozen=True)
class Number(Kind):
    """A finite number within bounds; ``most`` bounds its magnitude.

    ``special`` also allows infinities and NaN; only for values that predictions do not use.
    """

    low: float = -math.inf
    above: float = -math.inf
    most: float = float(np.finfo(np.float64).max)
    special: bool = False

    def check(self, value: Any, scope: Scope) -> None:
        """Raise if the value is invalid."""
        number = isinstance(value, float | np.floating | int | np.integer) and not isinstance(value, bool)
        if number and self.special and not math.isfinite(value):
            return
        scope.require(number and abs(value) <= self.most, f"a number of at most {self.most:g}", value)
        scope.require(value >= self.low, f"at least {self.low:g}", value)
        scope.require(value > self.above or self.above == -math.inf, f"above {self.above:g}", value)


class Word(Kind):
    """One of the given strings; any string if none are given."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, value: Any, scope: Scope) -> None:
        """Raise if the value is invalid."""
        is_permitted = isinstance(value, str) and (not self.words or value in self.words)
        scope.require(is_permitted, f"one of {', '.join(self.words)}" if self.words else "text", value)


@dataclass(frozen=True)
class Maybe(Kind):
    """None, or a value of another kind."""

    kind: Kind

    def check(self, value: Any, scope: Scope) -> None:
        """Check the value unless it is None."""
        if value is not None:
            self.kind.check(value, scope)


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of values of one kind."""

    kind: Kind
    size: Size | None = None
    made: type = list

    def check(self, value: Any, scope: Scope) -> None:
        """Check length and items."""
        scope.require(type(value) is self.made, f"a {self.made.__name__}", value)
        if self.size is not None:
            scope.require(scope.fits(len(value), self.size), f"{self.size} items long", len(value))
        for index, item in enumerate(value):
            self.kind.check(item, scope.part(f"[{index}]"))


class TupleOf(Kind):
    """A tuple of given kinds."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds

    def check(self, value: Any, scope: Scope) -> None:
        """Check each item."""
        whole = type(value) is tuple and len(value) == len(self.kinds)
        scope.require(whole, f"a tuple of {len(self.kinds)}", value)
        for index, (kind, item) in enumerate(zip(self.kinds, value, strict=True)):
            kind.check(item, scope.part(f"[{index}]"))


@dataclass(frozen=True)
class DictOf(Kind):
    """A dict with keys of one kind and values of another."""

    key: Kind
    item: Kind

    def check(self, value: Any, scope: Scope) -> None:
        """Check keys and values."""
        scope.require(isinstance(value, dict), "a dict", value)
        for key, item in value.items():
            self.key.check(key, scope.part(" (a key)"))
            self.item.check(item, scope.part(f"[{key!r}]"))


@dataclass(frozen=True)
class Fields(Kind):
    """A JSON object with known fields: those of ``needed``, perhaps those of ``optional``, and no other.

    With ``open_ended``, other fields are ignored.
    """

    needed: Mapping[str, Kind]
    optional: Mapping[str, Kind] = field(default_factory=dict)
    open_ended: bool = False

    def check(self, value: Any, scope: Scope) -> None:
        """Check the presence and the value of each field."""
        scope.require(type(value) is dict, "an object", value)
        missing = self.needed.keys() - value.keys()
        scope.require(not missing, f"an object with {', '.join(sorted(missing))}", sorted(value))
        kinds = {**self.needed, **self.optional}
        unknown = set() if self.open_ended else value.keys() - kinds.keys()
        scope.require(not unknown, f"an object of {', '.join(kinds)}", sorted(unknown))
        for name in kinds.keys() & value.keys():
            kinds[name].check(value[name], scope.part(f".{name}"))


@dataclass(frozen=True)
class Plain(Kind):
    """Any JSON value with finite numbers and bounded nesting."""

    depth: int = 50

    def check(self, value: Any, scope: Scope) -> None:
        """Check nested values up to the permitted depth."""
        scope.require(self.depth, "nested less deeply")
        if type(value) in (list, dict):
            inside = Plain(self.depth - 1)
            for item in value.values() if type(value) is dict else value:
                inside.check(item, scope)
        elif type(value) is float:
            scope.require(math.isfinite(value), "made of finite numbers", value)
        else:
            scope.require(value is None or type(value) in (bool, int, str), "made of plain values", value)


class Derived(Kind):
    """A value derived from the rest of an object: it is recomputed and must be bit-identical."""

    def __init__(self, expected: Callable[[Any], Any]) -> None:
        self.expected = expected

    def check(self, value: Any, scope: Scope) -> None:
        """Postpone the check until the rest of the object has been validated."""

    def compare(self, owner: object, value: object, scope: Scope) -> None:
        """Raise unless the value equals the one recomputed from its validated owner."""
        scope.require(_is_same(value, self.expected(owner)), "what follows from the rest of the model")


def _is_same(value: Any, expected: Any) -> bool:
    """Return whether two values are bit-identical."""
    if type(value) is not type(expected):
        return False
    if isinstance(expected, np.ndarray):
        alike = value.dtype == expected.dtype and value.shape == expected.shape
        alike = alike and (value.flags.c_contiguous or not expected.flags.c_contiguous)
        # Bit by bit, because splits on categories contain NaN.
        return bool(alike and (value.dtype.kind == "O" or value.tobytes() == expected.tobytes())) and bool(
            value.dtype.kind != "O" or (value == expected).all()
        )
    if isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(map(_is_same, value, expected))
    if is_dataclass(expected):
        return all(_is_same(getattr(value, f.name), getattr(expected, f.name)) for f in fields(expected))
    return bool(value == expected)


class AnyOf(Kind):
    """A value of one of several kinds."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds

    def check(self, value: Any, scope: Scope) -> None:
        """Check one kind after the other; sizes are bound by the first that accepts."""
        *others, last = self.kinds
        for kind in others:
            own = replace(scope, sizes=dict(scope.sizes))
            try:
                kind.check(value, own)
            except ClassicaError:
                continue
            scope.sizes.update(own.sizes)
            return
        last.check(value, scope)


@dataclass(frozen=True)
class SetOf(Kind):
    """A frozenset of values of one kind."""

    kind: Kind

    def check(self, value: Any, scope: Scope) -> None:
        """Check the items."""
        scope.require(type(value) is frozenset, "a set", value)
        for item in value:
            self.kind.check(item, scope.part(" (an item)"))


class Array(Kind):
    """An array of given type and shape.

    Parameters
    ----------
    dtypes : str
        The permitted dtypes, such as ``"f4 f8"``.
    *shape : Size
        The sizes.
    low, high : float; below : Size
        Bounds of the elements; ``below`` is an exclusive upper bound for indices.
    most : float
        The largest permitted magnitude of an element.
    nan : bool
        Whether NaN is permitted.
    inf : {"", "-", "+", "-+"}
        The signs of permitted infinities.
    any_order : bool
        Whether other memory orders than C are permitted.
    """

    def __init__(
        self,
        dtypes: str,
        *shape: Size,
        low: object = None,
        high: float | None = None,
        below: Size | None = None,
        most: float | None = None,
        nan: bool = False,
        inf: str = "",
        any_order: bool = False,
    ) -> None:
        self.dtypes, self.shape = dtypes.split(), shape
        self.low, self.high, self.below, self.most = low, high, below, most
        self.nan, self.inf, self.any_order = nan, inf, any_order

    def check(self, value: Any, scope: Scope) -> None:
        """Check type, shape, layout and elements."""
        scope.require(type(value) is np.ndarray, "an array", value)
        scope.require(
            value.dtype.str[1:] in self.dtypes, f"an array of {' or '.join(self.dtypes)}", value.dtype
        )
        scope.require(value.ndim == len(self.shape), f"of {len(self.shape)} dimensions", value.ndim)
        for size, wanted in zip(value.shape, self.shape, strict=True):
            rule = wanted if isinstance(wanted, str) else "another size"
            scope.require(
                scope.fits(size, wanted), f"of the shape that goes with the rest ({rule})", value.shape
            )
        ordered = value.flags.c_contiguous or self.any_order
        scope.require(ordered and value.flags.aligned, "in memory row by row")
        if value.size:
            self._check_elements(value, scope)

    def _check_elements(self, value: NDArray[Any], scope: Scope) -> None:
        if value.dtype.kind == "f":
            scope.require(self.nan or not np.isnan(value).any(), "free of NaN", "NaN")
            scope.require("-" in self.inf or not np.isneginf(value).any(), "above minus infinity", "-inf")
            scope.require("+" in self.inf or not np.isposinf(value).any(), "below infinity", "inf")
        if self.low is not None:
            least = scope.size(self.low) if isinstance(self.low, str) else self.low
            scope.require(not (value < least).any(), f"at least {least}", value.min())
        if self.high is not None:
            scope.require(not (value > self.high).any(), f"at most {self.high:g}", value.max())
        if self.below is not None:
            bound = scope.size(self.below)
            scope.require(not (value >= bound).any(), f"below {bound}", value.max())
        if self.most is not None:
            scope.require(
                not (np.abs(value) > self.most).any(), f"at most {self.most:g}", np.abs(value).max()
            )


class Matching(Word):
    """A string that matches a pattern; ``words`` describe it in errors."""

    def __init__(self, pattern: str, words: str) -> None:
        super().__init__()
        self.pattern, self.meaning = re.compile(pattern), words

    def check(self, value: Any, scope: Scope) -> None:
        """Raise if the value is invalid."""
        super().check(value, scope)
        scope.require(self.pattern.fullmatch(value), self.meaning, value)


def read_json(path: Path, kind: Kind, what: str, error: type[ClassicaError]) -> Any:
    """Read and validate a JSON file; raise ``error`` if it is invalid."""
    try:
        content = json.loads(path.read_bytes())
    except OSError as reason:
        raise error(f"Cannot read {what}: {reason.strerror or reason}.") from None
    except (ValueError, RecursionError) as reason:
        raise error(f"Cannot read {what}: it is not valid JSON ({reason}).") from None
    kind.check(content, Scope(what, error=error))
    return content
