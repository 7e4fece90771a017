"""The target and the row weights: from what the user passes to class codes and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from classica.errors import DataError, must
from classica.native import Codes, Floats


def encode_target(y: Any, rows: int, owner: str) -> tuple[NDArray[Any], Codes]:
    """Return the sorted classes and the code of each row's class.

    Parameters
    ----------
    y : array-like
        One label per row: integers, text, Booleans or whole numbers.
    rows : int
        How many rows X has.
    owner : str
        The estimator's name, for the error when there is no target.
    """
    if y is None:
        raise DataError(f"y must be given: {owner} requires y to be passed, but the target y is None.")
    labels = column_or_1d(y, warn=True)
    if len(labels) != rows:
        raise DataError(must(f"y for {rows} rows of X", f"{rows} labels long", len(labels)))
    if labels.dtype.kind in "iu" and rows:
        quick = _encode_integers(labels)
        if quick is not None:
            return quick
    _require_labels(labels)
    return encode_labels(labels)


def encode_labels(labels: NDArray[Any]) -> tuple[NDArray[Any], Codes]:
    """Return the sorted distinct labels and the code of each."""
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        raise DataError(f"y must hold labels of one kind, got {' and '.join(kinds)}.") from None
    return classes, codes.astype(np.int32)


def row_weights(sample_weight: Any, rows: int) -> Floats | None:
    """Return the weights as float64, or None when all rows count alike."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.shape != (rows,):
        raise DataError(must("sample_weight", f"of shape ({rows},)", weights.shape))
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        raise DataError(must("sample_weight", "finite and not negative", float(weights[bad][0])))
    if not weights.any():
        raise DataError("sample_weight must be positive for at least one row, got only zeros.")
    return weights


def _encode_integers(labels: NDArray[Any]) -> tuple[NDArray[Any], Codes] | None:
    """Count instead of sorting, when the labels lie close together."""
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * len(labels) + 1000 or high > np.iinfo(np.int64).max:
        return None
    offsets = labels.astype(np.int64, copy=False) - low
    present = np.bincount(offsets) > 0
    lookup = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return (np.flatnonzero(present) + low).astype(labels.dtype), lookup[offsets]


def _require_labels(labels: NDArray[Any]) -> None:
    unusable = _missing(labels)
    if unusable.any():
        row = int(unusable.argmax())
        raise DataError(f"y must have a label in every row, got {labels[row]} in row {row}.")
    if labels.dtype.kind == "c":
        raise DataError("y must hold labels, got complex numbers (Complex data not supported).")
    kind = type_of_target(labels, input_name="y") if labels.dtype.kind in "fO" else "binary"
    if kind not in ("binary", "multiclass"):
        raise DataError(
            f"y must hold class labels, got {kind} values such as {labels[0]} (Unknown label type: {kind})."
        )


def _missing(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark NaN, infinity, None and the missing values of pandas."""
    if labels.dtype.kind == "f":
        unusable: NDArray[np.bool_] = ~np.isfinite(labels)
        return unusable
    if labels.dtype.kind != "O":
        return np.zeros(len(labels), dtype=bool)
    # NaN and NaT differ from themselves; pandas' NA answers no comparison and is known by its name.
    return np.array([v is None or type(v).__name__ == "NAType" or bool(v != v) for v in labels], dtype=bool)
