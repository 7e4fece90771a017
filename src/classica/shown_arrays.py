"""Public arrays of fitted models are read-only, because predictions use the same arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def is_shown(name: str, value: object) -> bool:
    """Return whether an attribute is a public array."""
    return name.endswith("_") and isinstance(value, np.ndarray) and not name.startswith("_")


def protect_arrays(model: BaseEstimator) -> None:
    """Make the public arrays of a model read-only, after loading or unpickling.

    The flag is set in place instead of creating views, so that an array that occurs twice stays shared.
    """
    for name, value in vars(model).items():
        if is_shown(name, value):
            value.flags.writeable = False


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array."""
    view = array.view()
    view.flags.writeable = False
    return view
