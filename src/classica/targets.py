"""Validate the target and the row weights, and encode labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from classica.arrays import VectorLike
from classica.categories import is_missing
from classica.errors import DataError, must
from classica.native import Codes, Floats


def encode_target(y: VectorLike | None, rows: int, owner: str) -> tuple[NDArray[Any], Codes]:
    """Return the sorted classes and the class code of each row.

    Parameters
    ----------
    y : array-like
        One label per row: integers, text, Booleans or whole numbers.
    rows : int
        Number of rows of X.
    owner : str
        The estimator's name, for the error about a missing target.
    """
    if y is None:
        raise DataError(f"Cannot fit: {owner} requires y to be passed, but the target y is None.")
    labels = column_or_1d(_kept_apart(y), warn=True)
    if len(labels) != rows:
        raise DataError(must(f"y for {rows} rows of X", f"{rows} labels long", len(labels)))
    if labels.dtype.kind in "iu" and rows:
        quick = _encode_integers(labels)
        if quick is not None:
            return quick
    checked = _checked_labels(labels)
    # A list is returned as NumPy would convert it, which loses nothing at this point.
    return encode_labels(np.array(checked.tolist()) if isinstance(y, list | tuple) else checked)


def numeric_target(y: VectorLike | None, rows: int, owner: str) -> Floats:
    """Return the target of a regression as float64, one finite number per row."""
    if y is None:
        raise DataError(f"Cannot fit: {owner} requires y to be passed, but the target y is None.")
    try:
        values: Floats = column_or_1d(y, warn=True).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"y must hold one number per row, got {error}.") from None
    if len(values) != rows:
        raise DataError(must(f"y for {rows} rows of X", f"{rows} numbers long", len(values)))
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise DataError(f"y must be finite, got {values[row]} in row {row}.")
    return values


def encode_labels(labels: NDArray[Any]) -> tuple[NDArray[Any], Codes]:
    """Return the sorted distinct labels and the code of each."""
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)


def label_union(labels: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    """Return the sorted union of labels; text and numbers must not be mixed."""
    if (labels.dtype.kind in "biuf") != (new.dtype.kind in "biuf"):
        kind = f"labels of the same type as before ({labels.dtype})"
        raise DataError(f"y must hold {kind}, got {new.tolist()[0]!r}.")
    return np.union1d(labels, new)


def row_weights(sample_weight: VectorLike | None, rows: int) -> Floats | None:
    """Return the weights as float64, or None if all weights are equal."""
    if sample_weight is None:
        return None
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(must("sample_weight", "numbers", sample_weight)) from None
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.shape != (rows,):
        raise DataError(must("sample_weight", f"of shape ({rows},)", weights.shape))
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        raise DataError(must("sample_weight", "finite and non-negative", float(weights[bad][0])))
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not total < np.inf:
        raise DataError("sample_weight must have a finite sum, got one that overflows.")
    if not weights.any():
        raise DataError("sample_weight must be positive for at least one row, got only zeros.")
    return weights


def _encode_integers(labels: NDArray[Any]) -> tuple[NDArray[Any], Codes] | None:
    """Encode integers of a small range by counting instead of sorting."""
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * len(labels) + 1000 or high > np.iinfo(np.int64).max:
        return None
    offsets = labels.astype(np.int64, copy=False) - low
    present = np.bincount(offsets) > 0
    lookup = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return (np.flatnonzero(present) + low).astype(labels.dtype), lookup[offsets]


def _kept_apart(y: VectorLike) -> Any:
    """Keep a list with text as objects: NumPy would convert numbers and missing values to text."""
    if isinstance(y, list | tuple) and any(isinstance(label, str) for label in y):
        return np.array(y, dtype=object)
    return y


def _checked_labels(labels: NDArray[Any]) -> NDArray[Any]:
    unusable = _missing(labels)
    if unusable.any():
        row = int(unusable.argmax())
        raise DataError(f"y must have a label in every row, got {labels[row]} in row {row}.")
    if labels.dtype.kind == "c":
        raise DataError("y must hold labels, got complex numbers (Complex data not supported).")
    if labels.dtype.kind == "O":
        labels = _of_one_kind(labels)
    if labels.dtype.kind == "f" and (labels != np.round(labels)).any():
        example = labels[labels != np.round(labels)][0]
        got = f"continuous values such as {example} (Unknown label type: continuous)"
        raise DataError(f"y must hold class labels, got {got}.")
    return labels


def _of_one_kind(labels: NDArray[Any]) -> NDArray[Any]:
    """Return objects as text, numbers or Booleans, whichever they all are."""
    if all(isinstance(label, str) for label in labels):
        return labels
    plain = np.array(labels.tolist())
    if plain.dtype.kind not in "biufmM" or plain.ndim != 1:
        kinds = " and ".join(sorted({type(label).__name__ for label in labels}))
        raise DataError(f"y must hold labels of one kind, got {kinds}.")
    return plain


def _missing(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark NaN, infinity, None and the missing values of pandas."""
    if labels.dtype.kind == "f":
        unusable: NDArray[np.bool_] = ~np.isfinite(labels)
        return unusable
    if labels.dtype.kind in "mM":
        not_a_time: NDArray[np.bool_] = np.isnat(labels)
        return not_a_time
    if labels.dtype.kind != "O":
        return np.zeros(len(labels), dtype=bool)
    return np.array([is_missing(label) for label in labels], dtype=bool)
