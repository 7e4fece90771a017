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

#: One entry of `KINDS` per column, by place.
Kinds = NDArray[np.int8]


def column_kinds(numeric: Any, categorical: NDArray[np.bool_], names: Any) -> Kinds:
    """Return the kind of each column: categories where they are, what `numeric` says elsewhere."""
    default = "gaussian" if isinstance(numeric, Mapping) else numeric
    kinds = np.full(len(categorical), KINDS.index(default), dtype=np.int8)
    if isinstance(numeric, Mapping):
        for column, word in numeric.items():
            place = column_place(column, names, len(kinds))
            if place is None or categorical[place]:
                raise ParameterError(must("numeric", "keyed by numeric columns of X", column))
            kinds[place] = KINDS.index(word)
    kinds[categorical] = KINDS.index("category")
    return kinds


def column_place(column: Any, names: Any, count: int) -> int | None:
    """Return the place of a column given by name or number, or None."""
    if isinstance(column, str):
        listed = [] if names is None else list(names)
        return listed.index(column) if column in listed else None
    if not Integer(at_least=-count, at_most=count - 1).accepts(column):
        return None
    return int(column) % count


def places_of(kinds: Kinds, *wanted: str) -> Codes:
    """Return the places of the columns of some kinds."""
    return np.flatnonzero(np.isin(kinds, [KINDS.index(kind) for kind in wanted])).astype(np.int32)
