"""Convert the user's input to the matrix that an estimator learns from.

Frames (pandas, polars, Arrow), arrays and sparse matrices become a float32 or float64 array, in their memory
order, or a CSR matrix. scikit-learn's `validate_data` does the book-keeping (``n_features_in_``,
``feature_names_in_``); this module adds checks of the values, with errors that name the column and the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from classica import native
from classica.arrays import MatrixLike
from classica.categories import (
    category_columns,
    code_columns,
    code_values,
    declared_levels,
    grown_levels,
    named_columns,
    number_cells,
    shown_type,
)
from classica.errors import CellError, DataError, SparseError
from classica.sparse_rows import sound_rows


@dataclass(frozen=True)
class Accepts:
    """The values that an estimator accepts."""

    sparse: bool = False
    missing: bool = False
    categorical: bool = False
    #: Larger magnitudes would overflow in the estimator's arithmetic.
    largest: float = float(np.finfo(np.float64).max)


def read_matrix(
    estimator: BaseEstimator, X: MatrixLike, accepts: Accepts, threads: int, *, reset: bool
) -> Any:
    """Validate X and return it as a matrix.

    Parameters
    ----------
    estimator : estimator
        Its ``n_features_in_`` and ``feature_names_in_`` are set (``reset=True``) or compared with X.
    X : frame, array or sparse matrix
        The rows; not modified.
    accepts : Accepts
        The values that the estimator accepts.
    threads : int
        Number of threads for checking the values.
    reset : bool
        True in fitting, False in predicting.
    """
    if not reset and is_plain(estimator, X, accepts, threads):
        return X
    if nw.dependencies.is_into_dataframe(X):
        check_names(estimator, X, reset=reset)
        matrix = check_array(_frame_to_array(X), ensure_all_finite=False, estimator=estimator)
    else:
        matrix = _array_to_matrix(estimator, X, accepts, reset)
    if not sp.issparse(matrix) and not matrix.flags.aligned:
        matrix = np.array(matrix)
    _require_good_values(estimator, matrix, accepts, threads)
    return matrix


def check_names(estimator: BaseEstimator, X: MatrixLike, *, reset: bool) -> None:
    """Check the column names of X, if it has any, and store them or compare them with the fitted ones."""
    if nw.dependencies.is_into_dataframe(X):
        _require_columns(X)
    validate_data(estimator, X, reset=reset, skip_check_array=True)


@dataclass(frozen=True)
class Columns:
    """A matrix, and which of its columns are categorical."""

    matrix: Any
    categorical: NDArray[np.bool_]


def read_columns(
    estimator: Any,
    X: Any,
    accepts: Accepts,
    threads: int,
    categorical_features: Any,
    *,
    reset: bool,
    grow: bool = False,
) -> Columns:
    """Validate X and return it as a matrix in which categories are codes.

    In a frame, text, categorical and Boolean columns are categorical (``"from_dtype"``), or those that
    ``categorical_features`` names; in an array, the columns it names, whose values are the categories. In
    fitting, the levels of each column of a frame are stored in ``category_levels_``, those declared by its
    dtype first (also in ``declared_levels_``); rows added later (``grow=True``) may add levels. In
    predicting, unknown levels are coded -1 and missing values are NaN.
    """
    plain = not reset and is_plain(estimator, X, accepts, threads)
    if plain or not accepts.categorical or not nw.dependencies.is_into_dataframe(X):
        matrix = X if plain else read_matrix(estimator, X, accepts, threads, reset=reset)
        if reset and accepts.categorical:
            estimator.category_levels_, estimator.declared_levels_ = {}, {}
        wanted = categorical_features if accepts.categorical else None
        if not reset and getattr(estimator, "category_levels_", None):
            return _array_after_frame(estimator, matrix, wanted, grow)
        return Columns(matrix, named_columns(wanted, None, matrix.shape[1]))
    check_names(estimator, X, reset=reset)
    frame = nw.from_native(X, eager_only=True)
    mask = category_columns(frame, categorical_features)
    if reset:
        estimator.category_levels_, estimator.declared_levels_ = {}, {}
    if reset or grow:
        _learn_levels(estimator, frame, mask)
    coded = code_columns(frame, estimator.category_levels_)
    matrix = check_array(coded, ensure_all_finite=False, estimator=estimator)
    _require_good_values(estimator, matrix, accepts, threads)
    return Columns(matrix, mask)


def _array_after_frame(estimator: Any, matrix: Any, wanted: Any, grow: bool) -> Columns:
    """Encode an array for an estimator fitted to a frame: its numbers are levels, not codes."""
    if grow:
        raise DataError("X must be a data frame, as in training, got an array.")
    levels = estimator.category_levels_
    names = list(getattr(estimator, "feature_names_in_", ()))
    indices = [names.index(name) for name in levels] if names else wanted
    mask = named_columns(indices, None, matrix.shape[1])
    return Columns(code_values(matrix, mask, levels), mask)


def _learn_levels(estimator: BaseEstimator, frame: nw.DataFrame[Any], mask: NDArray[np.bool_]) -> None:
    estimator.category_levels_ = grown_levels(estimator.category_levels_, frame, mask)
    levels = estimator.declared_levels_
    names = [name for name, is_category in zip(frame.columns, mask, strict=True) if is_category]
    estimator.declared_levels_ = {
        name: list(dict.fromkeys([*levels.get(name, []), *declared_levels(frame.get_column(name))]))
        for name in names
    }


def is_plain(estimator: BaseEstimator, X: MatrixLike, accepts: Accepts, threads: int) -> bool:
    """Return whether X is a plain valid array; False means "unknown".

    This keeps single predictions within microseconds. Errors are raised by the ordinary path only, so they
    are the same with and without this shortcut.
    """
    state = estimator.__dict__
    return (
        type(X) is np.ndarray
        and X.dtype in _FLOATS
        and X.flags.aligned
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] == state.get("n_features_in_")
        and "feature_names_in_" not in state
        and native.first_bad(X, accepts.largest, accepts.missing, threads) < 0
    )


_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def _array_to_matrix(estimator: BaseEstimator, X: MatrixLike, accepts: Accepts, reset: bool) -> Any:
    if sp.issparse(X):
        _require_sparse(estimator, X, accepts)
        X = sound_rows(X)
    else:
        _require_table(X)
    try:
        matrix = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse="csr" if accepts.sparse else False,
            dtype=_FLOATS,
            ensure_all_finite=False,
        )
    except ValueError as error:
        if "could not convert string to float" not in str(error):
            raise
        text = str(error).partition(":")[2].strip().removeprefix("np.str_(").removesuffix(")")
        raise DataError(f"X must be numeric, got the text {text}.") from None
    return matrix


def _require_sparse(estimator: Any, X: Any, accepts: Accepts) -> None:
    if not accepts.sparse:
        rule = f"a dense array or a data frame for {type(estimator).__name__}"
        raise SparseError(f"X must be {rule}, got a sparse matrix. Use X.toarray().")
    if X.shape[-1] > _MOST_COLUMNS:
        raise DataError(f"X must have at most {_MOST_COLUMNS:,} columns, got {X.shape[-1]:,}.")


#: Weights take 8 bytes per column, however few rows there are: at this limit, 0.8 GB per class.
_MOST_COLUMNS = 10**8


def _frame_to_array(X: Any) -> Any:
    """Return float32 if every column is, otherwise float64; nulls become NaN."""
    frame = nw.from_native(X, eager_only=True)
    for name, dtype in frame.schema.items():
        if not (dtype.is_numeric() or dtype == nw.Boolean):
            raise DataError(f"The column {name!r} must be numeric, got {shown_type(dtype)}.")
    single = all(dtype == nw.Float32 for dtype in frame.schema.values())
    wanted = nw.Float32 if single else nw.Float64
    try:
        return frame.select(nw.all().cast(wanted)).to_numpy()
    except ValueError:
        # Arrow refuses to cast integers that it would have to round; casting by column finds which.
        return np.column_stack([number_cells(frame.get_column(name)) for name in frame.columns])


def _require_columns(X: Any) -> None:
    try:
        names: list[Any] = nw.from_native(X, eager_only=True).columns
    except nw.exceptions.DuplicateError:
        listed = X.column_names if hasattr(X, "column_names") else list(X.columns)
        name = next(name for name in listed if listed.count(name) > 1)
        raise DataError(f"X must have columns of different names, got {name!r} twice.") from None
    if not names:
        rule = "a minimum of 1 is required"
        raise DataError(f"X must have columns, got 0 feature(s) (shape=({len(X)}, 0)) while {rule}.")
    texts = [name for name in names if isinstance(name, str)]
    if texts and len(texts) < len(names):
        other = next(name for name in names if not isinstance(name, str))
        raise DataError(f"The names of columns must be text if one is, got {texts[0]!r} and {other!r}.")


def _require_table(X: Any) -> None:
    try:
        dimensions = X.ndim if hasattr(X, "ndim") else np.asarray(X).ndim
    except ValueError:
        raise DataError(
            "X must be a table with rows of equal length, got rows of different lengths."
        ) from None
    if getattr(getattr(X, "dtype", None), "kind", "f") in "mM":
        raise DataError(f"X must be numeric, got {X.dtype}.")
    if dimensions != 2:
        raise DataError(
            f"X must be a table of 2 dimensions, got {dimensions}: Reshape your data with "
            "X.reshape(1, -1) if it is one row or X.reshape(-1, 1) if it is one column."
        )


def _require_good_values(estimator: Any, X: Any, accepts: Accepts, threads: int) -> None:
    values = X.data.reshape(1, -1) if sp.issparse(X) else X
    index = native.first_bad(values, accepts.largest, accepts.missing, threads)
    if index < 0:
        return
    if sp.issparse(X):
        column = int(X.indices[index])
        row = int(np.searchsorted(X.indptr, index, side="right")) - 1
        value = X.data[index]
    else:
        row, column = divmod(index, X.shape[1])
        value = X[row, column]
    names = getattr(estimator, "feature_names_in_", None)
    raise _value_error(row, column if names is None else names[column], float(value), accepts)


def _value_error(row: int, column: Any, value: float, accepts: Accepts) -> CellError:
    if np.isnan(value):
        return CellError(row, column, "a number", "NaN (a missing value)")
    rule = "finite" if np.isinf(value) else f"at most {accepts.largest:g} in magnitude"
    return CellError(row, column, rule, f"{value:g}")
