"""How rows are passed to a kernel: dense ones as they are, sparse ones as their arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.arrays import Rows


def row_arguments(X: Rows) -> tuple[Any, ...]:
    """Return the arrays of rows in the order in which `define_for_rows` of the binding takes them."""
    return (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr, X.shape[1])
