"""Validate sparse matrices; every one that a user passes goes through this module.

SciPy checks little when a matrix is created and nothing when its arrays are modified later, and its compiled
routines read and write wherever an index points. Therefore no SciPy routine is called before the indices
have been checked.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica import native
from classica.errors import DataError

_Array = NDArray[Any]
_COMPRESSED = ("csr", "csc", "bsr")


def sound_rows(X: Any) -> Any:
    """Return a sparse matrix as CSR with sorted column indices and no duplicates.

    A matrix that already has this form is returned as it is; others are converted, not modified.

    Parameters
    ----------
    X : sparse matrix or array of any format

    Raises
    ------
    DataError
        If an index lies outside the matrix, or its arrays do not fit together.
    """
    if X.ndim != 2:
        raise DataError(f"X must be 2-dimensional, got {X.ndim} dimensions.")
    if X.format not in _COMPRESSED:
        return _sound_csr(_coordinates(X).tocsr())
    return _sound_csr(X) if X.format == "csr" else _sound_csr(_sound_compressed(X).tocsr())


def _sound_csr(X: Any) -> Any:
    data, columns, starts = _numbers(X.data, "values"), *_indices(X.indices, X.indptr)
    ordered = _require_form(columns, starts, len(data), X.shape)
    entries = int(starts[-1])
    if ordered and X.data is data and X.indices is columns and X.indptr is starts and len(data) == entries:
        # SciPy's cached flags may be outdated.
        X.has_canonical_format = True
        return X
    kept = (data[:entries], columns[:entries], starts)
    rows = sp.csr_matrix(kept, shape=X.shape, copy=not ordered)
    if not ordered:
        rows.sum_duplicates()
    return rows


def _sound_compressed(X: Any) -> Any:
    """Return a CSC or BSR matrix, after checking its structure."""
    columns, starts = _indices(X.indices, X.indptr)
    if X.format == "csc":
        data, shape = _numbers(X.data, "values"), X.shape[::-1]
        _require_form(columns, starts, len(data), shape)
        return sp.csc_matrix((data, columns, starts), shape=X.shape)
    data = _numbers(X.data, "values", dimensions=3)
    blocks = data.shape[1:]
    if 0 in blocks or X.shape[0] % blocks[0] or X.shape[1] % blocks[1]:
        raise _malformed(f"blocks of {blocks[0]} × {blocks[1]} in a matrix of {_size(X.shape)}")
    _require_form(columns, starts, len(data), (X.shape[0] // blocks[0], X.shape[1] // blocks[1]))
    return sp.bsr_matrix((data, columns, starts), shape=X.shape)


def _coordinates(X: Any) -> Any:
    """Return any other matrix in COO form, with checked coordinates."""
    data, indices = _READERS[X.format](X)
    if len(indices) != 2:
        raise _malformed(f"coordinates of {len(indices)} dimensions")
    checked = [_within(index, data, size) for index, size in zip(indices, X.shape, strict=True)]
    return sp.coo_matrix((data, checked), shape=X.shape)


def _pairs(X: Any) -> tuple[_Array, Any]:
    """Return values and coordinates of a COO or DOK matrix."""
    try:
        coordinates = X.tocoo()
        indices = tuple(coordinates.coords)
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise _malformed(f"one of format {X.format!r} that cannot be read: {error}") from None
    return _numbers(coordinates.data, "values"), indices


def _diagonals(X: Any) -> tuple[_Array, Any]:
    """Return values and coordinates of a DIA matrix, whose diagonals may exceed it."""
    data = _numbers(X.data, "values", dimensions=2)
    offsets, _ = _indices(X.offsets, np.empty(0, dtype=np.int64))
    if len(offsets) != len(data) or len(np.unique(offsets)) != len(offsets):
        raise _malformed(f"the offsets {offsets.tolist()} of {len(data)} diagonals")
    columns = np.broadcast_to(np.arange(data.shape[1]), data.shape)
    rows = columns - offsets[:, None]
    inside = (rows >= 0) & (rows < X.shape[0]) & (columns < X.shape[1]) & (data != 0)
    return data[inside], (rows[inside], columns[inside])


def _lists(X: Any) -> tuple[_Array, tuple[_Array, _Array]]:
    """Return values and coordinates of a LIL matrix."""
    columns, values = list(X.rows), list(X.data)
    if not len(columns) == len(values) == X.shape[0] or [*map(len, columns)] != [*map(len, values)]:
        raise _malformed("lists of different lengths")
    try:
        data = np.array(list(itertools.chain.from_iterable(values)), dtype=X.dtype)
        indices = np.array(list(itertools.chain.from_iterable(columns)) or np.empty(0, np.int64))
    except (TypeError, ValueError, OverflowError) as error:
        raise _malformed(f"lists that hold no numbers: {error}") from None
    return _numbers(data, "values"), (np.repeat(np.arange(len(columns)), [*map(len, columns)]), indices)


_READERS = {"coo": _pairs, "dok": _pairs, "dia": _diagonals, "lil": _lists}


def _within(indices: object, data: _Array, size: int) -> _Array:
    """Return one checked coordinate of each value."""
    whole, everything = _indices(indices, np.array([0, len(data)]))
    if len(whole) != len(data):
        raise _malformed(f"{len(whole)} indices for {len(data)} values")
    _require_form(whole, everything, len(data), (1, size))
    return whole


def _numbers(values: object, what: str, dimensions: int = 1) -> _Array:
    """Return an array of a matrix, checked to be numeric, in the layout that the kernels use."""
    if not isinstance(values, np.ndarray) or values.ndim != dimensions:
        shape = getattr(values, "shape", type(values).__name__)
        raise _malformed(f"{what} of the shape {shape}")
    if values.dtype.kind not in "buifc":
        raise DataError(f"X must be numeric, got {values.dtype}.")
    native_order = values.dtype.newbyteorder("=")
    return np.require(values, native_order, ["C", "A"])


def _indices(columns: object, starts: object) -> tuple[_Array, _Array]:
    """Return both index arrays in the dtype that the kernels use."""
    arrays = [_numbers(columns, "indices"), _numbers(starts, "row starts")]
    for array in arrays:
        if array.dtype.kind not in "ui":
            raise _malformed(f"indices of the type {array.dtype}")
        if array.dtype.itemsize == 8 and array.dtype.kind == "u" and len(array) and array.max() > 2**63 - 1:
            raise _malformed(f"the index {array.max()}")
    kind = np.int32 if all(array.dtype == np.int32 for array in arrays) else np.int64
    return arrays[0].astype(kind, copy=False), arrays[1].astype(kind, copy=False)


def _require_form(columns: _Array, starts: _Array, values: int, shape: tuple[int, int]) -> bool:
    """Return whether all column indices are sorted; raise if an index lies outside the matrix."""
    if len(columns) != values:
        raise _malformed(f"{len(columns)} indices for {values} values")
    form, position = native.sparse_form(columns, starts, *shape)
    if form == "bad_length":
        raise _malformed(f"{len(starts)} row starts for {shape[0]} rows")
    if form == "bad_start":
        around = starts[position : position + 2].tolist()
        raise _malformed(f"the row starts {around} at row {position}, with {values} values")
    if form == "bad_column":
        raise _malformed(f"the index {columns[position]} at entry {position} of a matrix of {_size(shape)}")
    return form == "canonical"


def _malformed(what: str) -> DataError:
    return DataError(f"X must be a well-formed sparse matrix, got {what}.")


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} × {shape[1]}"
