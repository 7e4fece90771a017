"""Values as Python source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from classica.trees.showing.source_words import writable


def literal(value: Any) -> str:
    """Return a label, a number, or a nested sequence of them as a constant of Python."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return f"({''.join(literal(item) + ', ' for item in value).rstrip()})"
    if value is None:
        return "None"
    value = writable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return repr(value)


def table_text(name: str, rows: Sequence[str]) -> str:
    """Return a tuple with a line per row."""
    return "\n".join([f"{name} = (", *(f"    {row}," for row in rows), ")"])
