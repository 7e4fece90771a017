"""Values that come back from JSON as they went in."""

from __future__ import annotations

import json
import math
from typing import Any


def encode(value: Any) -> bytes:
    """Return plain values as one line of JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def not_plain(value: Any, where: str) -> str | None:
    """Return what in a value is not plain, and where; None if all of it is.

    Plain are None, truth values, whole numbers, finite numbers, text, and lists and dicts (keyed by text) of
    these.

    Examples
    --------
    >>> not_plain({"errors": [0.5, float("nan")]}, "result")
    "result['errors'][1] is nan"
    """
    if value is None or isinstance(value, (str, int)):
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{where} is {float(value)}"
    if isinstance(value, (list, tuple)):
        return _first_problem(enumerate(value), where)
    if isinstance(value, dict):
        wrong = [key for key in value if not isinstance(key, str)]
        return f"{where} has the key {wrong[0]!r:.40}" if wrong else _first_problem(value.items(), where)
    kind = type(value)
    return f"{where} is of type {kind.__module__}.{kind.__qualname__}"


def _first_problem(items: Any, where: str) -> str | None:
    problems = (not_plain(value, f"{where}[{place!r:.40}]") for place, value in items)
    return next((problem for problem in problems if problem), None)
