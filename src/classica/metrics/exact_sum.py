"""A sum that comes in parts."""

from __future__ import annotations

import math
from collections.abc import Iterable


class ExactSum:
    """A sum of finite numbers that is rounded once, at its end: it does not matter in which parts they come.

    Examples
    --------
    >>> total = ExactSum()
    >>> total.add([1e16, 1.0])
    >>> total.add([1.0, -1e16])
    >>> total.value
    2.0
    """

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, numbers: Iterable[float]) -> None:
        """Add some numbers."""
        rest, parts = [*self._parts, *numbers], list[float]()
        # The sum as one number, what that lacks as another, and so on until nothing is lacking.
        while (part := math.fsum(rest)) != 0.0:
            parts.append(part)
            rest.append(-part)
        self._parts = parts

    @property
    def value(self) -> float:
        """The sum so far, as the nearest number there is."""
        return math.fsum(self._parts)
