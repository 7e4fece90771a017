"""What is passed around, by name: arrays as people give them and once checked, and what goes along."""

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

#: Rows as people have them: an array, a list of lists, a sparse matrix, or a frame of any library.
MatrixLike: TypeAlias = "ArrayLike | sp.sparray | sp.spmatrix"
#: One value per row as people have it, such as labels or weights.
VectorLike: TypeAlias = "ArrayLike"
#: Rows that were checked: a float matrix, and one that may also be sparse, in compressed rows.
Dense: TypeAlias = "NDArray[np.float64] | NDArray[np.float32]"
Rows: TypeAlias = "Dense | sp.csr_array"
#: One value per row, checked.
Vector: TypeAlias = "NDArray[Any]"
#: A class as people name it.
Label: TypeAlias = "str | int | float | bool | np.generic"
#: Costs as people have them: a matrix (rows: predicted, columns: true), by label, a frame, or a CSV file.
CostsLike: TypeAlias = "ArrayLike | Mapping[Any, Mapping[Any, float]] | IntoDataFrame | Path"
#: What a table can be read from.
TableSource: TypeAlias = "str | Path | bytes | IO[bytes] | IntoDataFrame"
#: How rows are split: a number of folds, a splitter, or pairs of training and test rows.
Splitter: TypeAlias = "int | BaseCrossValidator | Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]]"
#: What predictions are judged by, as scikit-learn takes it.
Scoring: TypeAlias = "str | Callable[[BaseEstimator, Any, Any], float]"

#: Numbers as the kernels give and take them.
Floats = NDArray[np.float64]
#: Codes of classes or categories, and numbers of nodes or columns.
Codes = NDArray[np.int32]
