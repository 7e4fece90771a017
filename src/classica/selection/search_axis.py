"""One parameter of a search: the values to try first, and closer ones around the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.errors import ParameterError, must

#: Steps on each side of the best value in a closer look, at half the distance each time.
_CLOSER = (-2, -1, 0, 1, 2)


@dataclass(frozen=True)
class Axis:
    """The values of one parameter.

    Numbers above zero are tried in steps of equal ratios (C and γ are found that way), other numbers in equal
    steps; whole numbers stay whole, unless the estimator's own value is a float; anything else, such as the
    name of a kernel, is tried as it is.
    """

    name: str
    values: tuple[Any, ...]

    @classmethod
    def of(cls, name: str, values: Any, own: Any = None) -> Axis:
        """Return the axis of the values a user has given; ``own`` is the one the estimator has."""
        listed = listed_values(name, values)
        if not all(_is_number(value) for value in listed):
            return cls(name, tuple(listed))
        if not np.isfinite(listed).all():
            raise ParameterError(must(f"grid[{name!r}]", "finite where it holds numbers", listed))
        if isinstance(own, float):
            listed = [float(value) for value in listed]
        return cls(name, tuple(sorted(set(listed))))

    @property
    def is_numeric(self) -> bool:
        """Whether there can be values between those given."""
        return len(self.values) > 1 and all(_is_number(value) for value in self.values)

    @property
    def is_geometric(self) -> bool:
        """Whether steps are ratios."""
        return self.is_numeric and min(self.values) > 0

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers make sense."""
        return all(isinstance(value, int) for value in self.values)

    def closer(self, best: Any, depth: int) -> Axis:
        """Return the values around the best one: up to one step of the round before away from it.

        Values in steps of ratios may leave the range that was given, for what is best at its end may be
        better beyond; others may not.
        """
        if not self.is_numeric:
            return Axis(self.name, (best,))
        place = self._places([best])[0]
        step = float(np.median(np.diff(self._places(self.values)))) / 2**depth
        places = place + step * np.array(_CLOSER)
        if not self.is_geometric:
            places = np.clip(places, min(self.values), max(self.values))
        found = np.exp(places) if self.is_geometric else places
        # Neither rounding nor two ways to one place may make two values of one.
        listed = [
            best if step_number == 0 else self._plain(value)
            for step_number, value in zip(_CLOSER, found, strict=True)
        ]
        return Axis(self.name, tuple(sorted(set(listed))))

    def _places(self, values: Sequence[Any]) -> np.ndarray[Any, Any]:
        numbers = np.array(values, dtype=np.float64)
        return np.log(numbers) if self.is_geometric else numbers

    def _plain(self, value: float) -> int | float:
        if self.is_whole:
            return max(round(value), 1) if self.is_geometric else round(value)
        return float(f"{value:.12g}")


def listed_values(name: str, values: Any) -> list[Any]:
    """Return the values a user has given for a parameter, as plain Python values."""
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray) or len(values) == 0:
        raise ParameterError(must(f"grid[{name!r}]", "a list of at least one value", values))
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
