"""Type aliases: arrays before and after validation, and what is passed along with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from typing import IO

    from narwhals.typing import IntoDataFrame
    from sklearn.base import BaseEstimator
    from sklearn.model_selection import BaseCrossValidator

#: Unvalidated rows: an array, a list of lists, a sparse matrix, or a frame of any library.
MatrixLike: TypeAlias = "ArrayLike | sp.sparray | sp.spmatrix"
#: One unvalidated value per row, such as labels or weights.
VectorLike: TypeAlias = "ArrayLike"
#: Validated rows: a float matrix, and one that may also be sparse (CSR).
Dense: TypeAlias = "NDArray[np.float64] | NDArray[np.float32]"
Rows: TypeAlias = "Dense | sp.csr_array"
#: One validated value per row.
Vector: TypeAlias = "NDArray[Any]"
#: A class label.
Label: TypeAlias = "str | int | float | bool | np.generic"
#: Costs: a matrix (rows: predicted, columns: true), a dict by label, a frame, or a CSV file.
CostsLike: TypeAlias = "ArrayLike | Mapping[Any, Mapping[Any, float]] | IntoDataFrame | Path"
#: A source that a table can be read from.
TableSource: TypeAlias = "str | Path | bytes | IO[bytes] | IntoDataFrame"
#: How rows are split: a number of folds, a splitter, or pairs of training and test rows.
Splitter: TypeAlias = "int | BaseCrossValidator | Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]]"
#: A metric, as scikit-learn's ``scoring``.
Scoring: TypeAlias = "str | Callable[[BaseEstimator, Any, Any], float]"

#: Arrays of numbers, as the kernels take and return them.
Floats = NDArray[np.float64]
#: Codes of classes or categories, and numbers of nodes or columns.
Codes = NDArray[np.int32]
