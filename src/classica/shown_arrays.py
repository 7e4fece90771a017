"""Arrays that a fitted model shows: nobody can write to them, for its decisions rest on the same arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def is_shown(name: str, value: object) -> bool:
    """Return whether an attribute is an array that people see."""
    return name.endswith("_") and isinstance(value, np.ndarray) and not name.startswith("_")


def protect_arrays(model: BaseEstimator) -> None:
    """Make the arrays that a model shows read-only, after it was made of arrays that are its own.

    No views of them: an array that is in a model twice stays one.
    """
    for name, value in vars(model).items():
        if is_shown(name, value):
            value.flags.writeable = False


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
