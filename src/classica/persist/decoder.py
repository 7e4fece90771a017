"""From JSON and arrays back to a model: the mirror of `encoder.py`.

Nothing is imported, called by name or evaluated: a file can choose among the classes that are known already,
and only say what is in their objects.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import Bunch

from classica.errors import ClassicaError, ModelFileError
from classica.persist.container import Block, damaged
from classica.persist.description import constructor_parameters, described_records
from classica.persist.names import MOST_NESTED, estimator_class, estimators, is_key, record_class
from classica.persist.splitter_records import made_splitter
from classica.registry import registered
from classica.shown_arrays import protect_arrays

_MOST_DEPTH = 200
#: An object may be used several times, but not in a way that makes a small file a model of endless work.
_MOST_USES = 100


class Decoder:
    """Builds the objects of one file, each from those before it."""

    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None:
        self._arrays = [_checked(array) for array in arrays]
        self.objects: list[Any] = []
        self._nested: list[int] = []
        self._work: list[int] = []
        self._used: set[int] = set()
        self._references = 0
        self._depth = 0
        self._here = self._below = 0
        self._estimators, self._records = estimators(), described_records()
        self._kinds: dict[str, Callable[[Any], Any]] = {
            "float": _special_float,
            "tuple": lambda items: tuple(self._items(items)),
            "dict": self._dict,
            "bunch": self._bunch,
            "set": lambda items: frozenset(_hashable(self._items(items))),
            "bytes": _from_hex,
            "scalar": _scalar,
            "array": lambda number: self._arrays[_index(number, self._arrays)],
            "texts": _texts,
            "csr": self._sparse,
            "splitter": self._splitter,
            "object": self._earlier_object,
        }

    def model(self, records: object) -> Any:
        """Return the last object, which all others are part of."""
        if not isinstance(records, list) or not records:
            raise damaged("a list of objects")
        for record in records:
            self._here, self._below = 1, 0
            self.objects.append(self._object(record))
            self._work.append(self._here)
            self._nested.append(self._below + 1)
            if self._below >= MOST_NESTED:
                raise damaged("objects that are not nested endlessly")
            if self._here > _MOST_USES * (1 + self._references):
                raise damaged("objects that are used a few times only")
        if self._used != set(range(len(records) - 1)):
            raise damaged("objects that are parts of the model")
        return self.objects[-1]

    def value(self, node: Any) -> Any:
        """Return the value of any JSON."""
        if node is None or isinstance(node, bool | int | float | str):
            return node
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise damaged("values that are not nested endlessly")
        try:
            if isinstance(node, list):
                return self._items(node)
            if len(node) != 1 or next(iter(node)) not in self._kinds:
                raise damaged("values of a known kind")
            [(kind, content)] = node.items()
            return self._kinds[kind](content)
        finally:
            self._depth -= 1

    def _items(self, nodes: object) -> list[Any]:
        if not isinstance(nodes, list):
            raise damaged("lists where lists belong")
        return [self.value(node) for node in nodes]

    def _dict(self, pairs: object) -> dict[Any, Any]:
        items = [self._items(pair) for pair in self._pairs(pairs)]
        _hashable([key for key, _ in items])
        made = dict(items)
        if len(made) != len(items):
            raise damaged("dicts with different keys")
        return made

    def _bunch(self, pairs: object) -> Bunch:
        items, made = self._dict(pairs), Bunch()
        if not all(isinstance(key, str) for key in items):
            raise damaged("names that are text")
        made.update(items)  # as arguments they could name those of the constructor
        return made

    @staticmethod
    def _pairs(pairs: object) -> list[Any]:
        if not isinstance(pairs, list) or not all(
            isinstance(pair, list) and len(pair) == 2 for pair in pairs
        ):
            raise damaged("pairs of keys and values")
        return pairs

    def _splitter(self, content: object) -> Any:
        if not isinstance(content, list) or len(content) != 2:
            raise damaged("splitters with name and settings")
        settings = self.value(content[1])
        if type(settings) is not dict:
            raise damaged("splitters with settings")
        return made_splitter(content[0], settings)

    def _earlier_object(self, number: object) -> Any:
        index = _index(number, self.objects)
        self._used.add(index)
        self._references += 1
        self._here += self._work[index]
        self._below = max(self._below, self._nested[index])
        return self.objects[index]

    def _object(self, record: object) -> Any:
        if not isinstance(record, dict) or not isinstance(record.get("state"), dict) or len(record) != 2:
            raise damaged("objects with a state")
        state = {name: self.value(node) for name, node in record["state"].items()}
        if "estimator" in record:
            return _estimator(estimator_class(record["estimator"], self._estimators), state)
        return _record(record.get("record"), record_class(record.get("record"), self._records), state)

    def _sparse(self, content: object) -> Any:
        if not isinstance(content, list) or len(content) != 5 or content[0] not in ("array", "matrix"):
            raise damaged("sparse matrices of a known kind")
        parts = tuple(self.value(node) for node in content[2:])
        if not all(isinstance(part, np.ndarray) and part.ndim == 1 for part in parts):
            raise damaged("sparse matrices made of arrays")
        shape = _shape(content[1], 2)
        _check_sparse(parts, shape)
        made = sp.csr_array if content[0] == "array" else sp.csr_matrix
        return made(parts, shape=shape)


def _estimator(cls: type[Any], state: dict[str, Any]) -> Any:
    """Return an estimator with this state; parameters a file does not know have their defaults."""
    made = object.__new__(cls)
    made.__dict__.update(_defaults(cls) | state)
    if any(card.estimator is cls for card in registered()):
        protect_arrays(made)
    return made


def _defaults(cls: type[Any]) -> dict[str, Any]:
    parameters = constructor_parameters(cls)
    return {key: p.default for key, p in parameters.items() if p.default is not inspect.Parameter.empty}


def _record(name: object, cls: type[Any], state: dict[str, Any]) -> Any:
    fields = dataclasses.fields(cls)
    names = {field.name for field in fields}
    needed = {f.name for f in fields if f.default is f.default_factory is dataclasses.MISSING}
    if not needed <= state.keys() <= names:
        raise damaged(f"the fields of {name}")
    try:
        return cls(**state)  # some look at their fields at once
    except (ClassicaError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise damaged(f"the fields of {name} as they may be") from None


def _checked(array: NDArray[Any]) -> NDArray[Any]:
    """Refuse bytes that are no values of their type: Booleans beyond 1, letters beyond Unicode."""
    flat = array.ravel(order="A")
    if array.dtype.kind == "b" and array.size and flat.view(np.uint8).max() > 1:
        raise damaged("Booleans that are true or false")
    if array.dtype.kind == "U" and array.nbytes and flat.view(np.uint32).max() > 0x10FFFF:
        raise damaged("text made of letters")
    return array


def _check_sparse(parts: tuple[Any, ...], shape: tuple[int, ...]) -> None:
    (data, indices, starts), (rows, columns) = parts, shape
    fits = len(starts) == rows + 1 and len(data) == len(indices)
    typed = data.dtype.kind == "f" and indices.dtype == starts.dtype and indices.dtype.kind == "i"
    if not fits or not typed or starts[0] != 0 or starts[-1] != len(data) or (np.diff(starts) < 0).any():
        raise damaged("sparse matrices whose parts fit")
    if len(indices) and (indices.min() < 0 or indices.max() >= columns):
        raise damaged("sparse matrices whose columns exist")
    within = np.diff(indices) > 0
    ends = starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < len(data))] - 1
    within[ends] = True
    if not within.all():
        raise damaged("sparse matrices with ascending columns")


def _shape(content: object, dimensions: int | None = None) -> tuple[int, ...]:
    sizes = content if isinstance(content, list) else [-1]
    if not all(type(size) is int and 0 <= size < 2**53 for size in sizes) or len(sizes) > 8:
        raise damaged("possible shapes")
    if dimensions is not None and len(sizes) != dimensions:
        raise damaged("possible shapes")
    if math.prod(max(size, 1) for size in sizes) >= 2**53 and dimensions is None:
        raise damaged("possible shapes")
    return tuple(sizes)


def _texts(content: object) -> NDArray[Any]:
    if not isinstance(content, list) or len(content) != 2 or not isinstance(content[1], list):
        raise damaged("arrays of text")
    shape, texts = _shape(content[0]), content[1]
    if math.prod(shape) != len(texts) or not all(isinstance(text, str) for text in texts):
        raise damaged("arrays of text that fit their shape")
    made = np.empty(len(texts), dtype=object)
    made[:] = texts
    return made.reshape(shape)


def _scalar(content: object) -> Any:
    if not isinstance(content, list) or len(content) != 2:
        raise damaged("scalars with type and bytes")
    block, data = Block.read([content[0], [1], "C"]), _from_hex(content[1])
    if len(data) != block.size:
        raise damaged("scalars of their size")
    return _checked(block.view(memoryview(data)))[0]


def _special_float(content: object) -> float:
    data = _from_hex(content)
    if len(data) != 8 or math.isfinite(value := struct.unpack(">d", data)[0]):
        raise damaged("numbers JSON does not know")
    return float(value)


def _from_hex(content: Any) -> bytes:
    try:
        return bytes.fromhex(content)
    except (TypeError, ValueError):
        raise damaged("bytes in hexadecimal") from None


def _index(number: object, among: Sequence[Any]) -> int:
    if type(number) is not int or not 0 <= number < len(among):
        raise damaged("references to what came before")
    return number


def _hashable(items: list[Any]) -> list[Any]:
    try:
        if not all(map(is_key, items)):
            raise damaged("keys of a possible size")
        set(items)
    except TypeError:
        raise ModelFileError("The keys of a model file must be plain values, got lists or arrays.") from None
    return items
