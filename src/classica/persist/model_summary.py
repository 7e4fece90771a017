"""What a file says about its model in plain words, for `inspect`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.persist.description import parameter_names, plain_state
from classica.persist.names import estimator_name
from classica.tables import Schema

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: Longer lists are told by their length.
_MOST_ITEMS = 1000


def model_summary(model: BaseEstimator, arrays: Sequence[NDArray[Any]]) -> dict[str, Any]:
    """Return kind, parameters, classes, columns and sizes as JSON knows them."""
    names = getattr(model, "feature_names_in_", None)
    inside = getattr(model, "estimator_", model)
    columns = getattr(model, "n_features_in_", None)
    return {
        **_made_of(model),
        "classes": _shown(getattr(model, "classes_", None)),
        "columns": None if columns is None else int(columns),
        "features": None if names is None else _shown(names),
        "model_parameters": _whole(getattr(model, "n_parameters_", getattr(inside, "n_parameters_", None))),
        "arrays": len(arrays),
        "array_bytes": sum(array.nbytes for array in arrays),
    }


def is_summary(record: dict[str, Any]) -> bool:
    """Return whether a file's summary has all that is shown."""
    needed = {"kind", "class", "parameters", "classes", "columns", "features", "model_parameters"}
    sizes = [record.get(name) for name in ("arrays", "array_bytes")]
    whole = all(isinstance(size, int) for size in sizes)
    return whole and needed <= record.keys() and isinstance(record["parameters"], dict)


def _made_of(model: BaseEstimator) -> dict[str, Any]:
    """Return kind, class and parameters of an estimator."""
    state = plain_state(model)
    return {
        "kind": estimator_name(model),
        "class": type(model).__name__,
        "parameters": {name: _shown(state[name]) for name in sorted(parameter_names(type(model)))},
    }


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int | np.integer) else None


def _shown(value: object) -> Any:
    """Return a value as JSON knows it: plain ones as they are, others as text."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, list | tuple):
        return [_shown(item) for item in value] if len(value) <= _MOST_ITEMS else f"{len(value)} values"
    if isinstance(value, dict):
        return {str(key): _shown(item) for key, item in value.items()}
    if isinstance(value, Schema):
        return value.record()
    if estimator_name(value) is not None:
        return _made_of(value)
    return " ".join(repr(value).split())
