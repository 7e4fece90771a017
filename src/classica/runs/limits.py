"""How much a unit and a run may take."""

from __future__ import annotations

import math
from dataclasses import dataclass

from classica.errors import ParameterError, must


@dataclass(frozen=True)
class Limits:
    """How much a unit and a run may take; None is without limit.

    Attributes
    ----------
    seconds : float or None
        The longest time of a unit.
    memory : int or None
        The most bytes a unit may hold, together with processes it starts, above what its process held before.
        Pages of files that are mapped do not count: the system can take them back.
    budget : float or None
        The seconds of the whole run, over all its continuations.
    """

    seconds: float | None = None
    memory: int | None = None
    budget: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "memory", "budget"):
            check_limit(name, getattr(self, name))


def check_limit(name: str, value: float | None) -> None:
    """Raise a `ParameterError` unless a limit is None or a positive finite number."""
    if value is None:
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and value > 0):
        raise ParameterError(must(name, "None or a positive number", value))
