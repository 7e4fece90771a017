"""From a fitted model to plain JSON and a list of arrays.

None, Booleans, numbers and text are themselves, lists are lists; everything else is an object with one key
that says what it is:

==============  ==================================================
``float``       a number JSON does not know: its eight bytes
``tuple``       a list of values
``dict``        a list of pairs, in their order (``bunch``: scikit-learn's dict with attributes)
``set``         a frozenset, sorted
``bytes``       in hexadecimal
``scalar``      a NumPy scalar: type and bytes
``array``       the number of a block
``texts``       an array of Python text: shape and values
``csr``         a sparse matrix: kind, shape, data, indices, starts
``splitter``    how rows are divided into parts: name and settings
``object``      the number of an estimator or record in the list ``objects``
==============  ==================================================

An object comes behind those it is made of, so there are no cycles; one that is used twice is there once.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import Bunch

from classica.errors import ModelFileError, must
from classica.persist.container import canonical
from classica.persist.description import described_records, plain_state
from classica.persist.names import MOST_NESTED, estimators, is_key, name_among
from classica.persist.splitter_records import is_splitter, splitter_settings

_PLAIN = "a number, text, an array, or a list, dict, record or estimator of classica to be saved"
#: Longer integers cannot be read back as text.
_MOST_BITS = 4096
_MOST_DEPTH = 100
_ARRAY_KINDS = "biufUSmM"


class Encoder:
    """Collects the objects and arrays of one model."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self.arrays: list[Any] = []
        self._estimators, self._records = estimators(), described_records()
        self._references: dict[int, dict[str, int]] = {}
        self._holders: list[tuple[int, str]] = []
        self._depth = 0
        self._open: set[int] = set()
        self._kept: list[Any] = []  # an id belongs to an object only as long as that lives

    def value(self, value: object, where: str) -> Any:
        """Return the JSON of any value; ``where`` names it in errors."""
        if value is None or type(value) in (bool, str):
            return value
        if type(value) is int and value.bit_length() <= _MOST_BITS:
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": struct.pack(">d", value).hex()}
        if isinstance(value, np.ndarray | np.generic) or sp.issparse(value):
            return self._numpy(value, where)
        if id(value) in self._references:
            return self._references[id(value)]
        return self._nested(value, where)

    def require_checked(self, checked: set[int]) -> None:
        """Refuse objects in places where none is looked for, and none would be checked."""
        for identity, where in self._holders:
            if identity not in checked:
                raise ModelFileError(f"{where} must be plain to be saved, got an estimator or record.")

    def _nested(self, value: object, where: str) -> Any:
        if id(value) in self._open or len(self._open) > _MOST_DEPTH:
            raise ModelFileError(
                f"{where} must not contain itself to be saved, got a {type(value).__name__}."
            )
        self._open.add(id(value))
        try:
            encoded = self._collection(value, where)
            return encoded if encoded is not None else self._object(value, where)
        finally:
            self._open.discard(id(value))

    def _collection(self, value: Any, where: str) -> Any:
        if type(value) in (list, tuple):
            items = [self.value(item, f"{where}[{index}]") for index, item in enumerate(value)]
            return items if type(value) is list else {"tuple": items}
        if type(value) in (dict, Bunch):
            pairs = [[self._key(k, where), self.value(v, f"{where}[{k!r}]")] for k, v in value.items()]
            return {"dict" if type(value) is dict else "bunch": pairs}
        if type(value) is frozenset:
            return {"set": sorted((self._key(item, where) for item in value), key=canonical)}
        return {"bytes": value.hex()} if type(value) is bytes else None

    def _key(self, key: object, where: str) -> Any:
        if not is_key(key):
            raise ModelFileError(must(f"A key of {where}", "of 64 bits at most to be saved", key))
        return self.value(key, f"A key of {where}")

    def _numpy(self, value: Any, where: str) -> Any:
        if isinstance(value, np.generic):
            if value.dtype.kind not in _ARRAY_KINDS:
                raise ModelFileError(must(where, _PLAIN, value))
            stored = value.dtype.newbyteorder("<")
            return {"scalar": [stored.str, np.asarray(value, dtype=stored).tobytes().hex()]}
        if sp.issparse(value):
            return self._sparse(value, where)
        if id(value) in self._references:
            return self._references[id(value)]
        if value.dtype.kind == "O":
            return self._texts(value, where)
        if value.dtype.kind not in _ARRAY_KINDS or value.dtype.itemsize > 8 * (
            value.dtype.kind not in "US" or 10**6
        ):
            raise ModelFileError(must(where, "an array of plain numbers or text to be saved", value.dtype))
        self.arrays.append(value)
        return self._remember(value, {"array": len(self.arrays) - 1})

    def _texts(self, value: Any, where: str) -> Any:
        flat = value.ravel().tolist()
        if not all(type(item) is str for item in flat):
            odd = next(item for item in flat if type(item) is not str)
            raise ModelFileError(must(f"Every item of {where}", "text to be saved", odd))
        return {"texts": [list(value.shape), flat]}

    def _sparse(self, value: Any, where: str) -> Any:
        if value.format != "csr":
            raise ModelFileError(must(where, "in CSR format to be saved", value.format))
        kind = "array" if isinstance(value, sp.sparray) else "matrix"
        parts = [self._numpy(part, where) for part in (value.data, value.indices, value.indptr)]
        return {"csr": [kind, list(value.shape), *parts]}

    def _object(self, value: object, where: str) -> Any:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise ModelFileError(
                must(where, f"nested {MOST_NESTED} times at most to be saved", type(value).__name__)
            )
        record = self._record(value, where)
        self._depth -= 1
        if record is None:
            return self._splitter(value, where)
        self.objects.append(record)
        self._holders.append((id(value), where))
        return self._remember(value, {"object": len(self.objects) - 1})

    def _record(self, value: Any, where: str) -> dict[str, Any] | None:
        """Return the name and state of an estimator or record; None for anything else."""
        if (name := name_among(self._estimators, value)) is not None:
            state = plain_state(value)
            parts = {key: self.value(state[key], f"{key} of {type(value).__name__}") for key in sorted(state)}
            return {"estimator": name, "state": parts}
        if (name := name_among(self._records, value)) is not None:
            fields = [field.name for field in dataclasses.fields(value)]
            parts = {key: self.value(getattr(value, key), f"{where}.{key}") for key in fields}
            return {"record": name, "state": parts}
        return None

    def _splitter(self, value: object, where: str) -> Any:
        if not is_splitter(value) or isinstance(value, type):
            raise ModelFileError(must(where, _PLAIN, value))
        kind, settings = splitter_settings(value, where)
        return {"splitter": [kind, self._collection(settings, where)]}

    def _remember(self, value: object, encoded: dict[str, int]) -> dict[str, int]:
        self._references[id(value)] = encoded
        self._kept.append(value)
        return encoded
