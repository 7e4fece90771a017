"""What arrays are called where they are passed around: as people give them, and once they are checked."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

#: Rows as people have them: an array, a list of lists, a sparse matrix, or a frame of any library.
MatrixLike: TypeAlias = "ArrayLike | sp.sparray | sp.spmatrix"
#: One value per row as people have it, such as labels or weights.
VectorLike: TypeAlias = "ArrayLike"
#: Rows that were checked: a float matrix, or a sparse one in compressed rows.
Rows: TypeAlias = "NDArray[np.float64] | NDArray[np.float32] | sp.csr_array"
#: One value per row, checked.
Vector: TypeAlias = "NDArray[Any]"
