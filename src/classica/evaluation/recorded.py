"""Results as plain values, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


class Recorded:
    """What every result has: its fields as plain values."""

    def record(self) -> dict[str, Any]:
        """Return all fields as plain values, for JSON; a number that is not finite is None."""
        if not is_dataclass(self):
            raise TypeError(f"{type(self).__name__} must be a dataclass.")
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}


def plain(value: Any) -> Any:
    """Return a value as JSON knows it: arrays as lists, results as dicts, None for what is not finite.

    Examples
    --------
    >>> plain({"a": np.array([1.0, np.nan]), 2: (np.int64(3), None)})
    {'a': [1.0, None], '2': [3, None]}
    """
    if isinstance(value, Recorded):
        return value.record()
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
