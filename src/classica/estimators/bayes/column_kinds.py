"""How naive Bayes models each column: as categories, or numbers in one of four ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import ParameterError, must
from classica.native import Codes
from classica.params import Integer

#: What the parameter `numeric` may say of a column.
NUMERIC = ("gaussian", "bernoulli", "kernel", "discretized")
KINDS = (*NUMERIC, "category")

#: One entry of `KINDS` per column, by index.
Kinds = NDArray[np.int8]


def column_kinds(
    numeric: str | Mapping[Any, str], categorical: NDArray[np.bool_], names: NDArray[Any] | None
) -> Kinds:
    """Return the kind of each column: categories where they are, what `numeric` says elsewhere."""
    default = "gaussian" if isinstance(numeric, Mapping) else numeric
    kinds = np.full(len(categorical), KINDS.index(default), dtype=np.int8)
    if isinstance(numeric, Mapping):
        for column, word in numeric.items():
            index = column_index(column, names, len(kinds))
            if index is None or categorical[index]:
                raise ParameterError(must("numeric", "keyed by numeric columns of X", column))
            kinds[index] = KINDS.index(word)
    kinds[categorical] = KINDS.index("category")
    return kinds


def column_index(column: Any, names: NDArray[Any] | None, count: int) -> int | None:
    """Return the index of a column given by name or number, or None."""
    if isinstance(column, str):
        listed = [] if names is None else list(names)
        return listed.index(column) if column in listed else None
    if not Integer(at_least=-count, at_most=count - 1).accepts(column):
        return None
    return int(column) % count


def indices_of(kinds: Kinds, *wanted: str) -> Codes:
    """Return the places of the columns of some kinds."""
    return np.flatnonzero(np.isin(kinds, [KINDS.index(kind) for kind in wanted])).astype(np.int32)
