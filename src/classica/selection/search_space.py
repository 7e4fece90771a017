"""The axes of a parameter grid, and the splits of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.model_selection import StratifiedGroupKFold, TimeSeriesSplit, check_cv

from classica.arrays import MatrixLike, Splitter, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.params import Integer

Splits = list[tuple[Any, Any]]


def splits_of(
    estimator: BaseEstimator, X: MatrixLike, y: VectorLike, cv: Splitter, groups: VectorLike | None = None
) -> Splits:
    """Return the splits of some rows as row indices.

    ``cv`` is as in scikit-learn. An integer means stratified folds, or with groups, folds that keep groups
    together.
    """
    if groups is not None and Integer(at_least=2).accepts(cv):
        cv = StratifiedGroupKFold(cv)
    splits = list(check_cv(cv, y, classifier=is_classifier(estimator)).split(X, y, groups))
    if not splits:
        raise DataError(must("cv", "a splitter or an iterable of splits", cv))
    return splits


def like(outer: Splitter, inner: Splitter) -> Any:
    """Return the inner splitter; an integer becomes a time series split if the outer one is."""
    is_number = Integer(at_least=2).accepts(inner)
    return TimeSeriesSplit(inner) if is_number and isinstance(outer, TimeSeriesSplit) else inner


def groups_of(groups: Any, rows: Any) -> Any:
    """Return the groups of some rows; None without groups."""
    return None if groups is None else np.asarray(groups)[rows]


#: Steps on each side of the best value in a refining round, at half the previous spacing.
_CLOSER = (-2, -1, 0, 1, 2)


@dataclass(frozen=True)
class Axis:
    """The values of one parameter.

    Positive numbers are refined on a logarithmic scale (such as C and γ), other numbers on a linear scale;
    integers stay integers, unless the estimator's current value is a float; anything else, such as the name
    of a kernel, is not refined.
    """

    name: str
    values: tuple[Any, ...]

    @classmethod
    def of(cls, name: str, values: object, own: object = None) -> Axis:
        """Return the axis of the given values; ``own`` is the estimator's current value."""
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
        """Whether values in between can be tried."""
        return len(self.values) > 1 and all(_is_number(value) for value in self.values)

    @property
    def is_geometric(self) -> bool:
        """Whether the scale is logarithmic."""
        return self.is_numeric and min(self.values) > 0

    @property
    def is_whole(self) -> bool:
        """Whether only integers are allowed."""
        return all(isinstance(value, int) for value in self.values)

    def closer(self, best: object, depth: int) -> Axis:
        """Return the values around the best one, up to one step of the previous round away.

        Values on a logarithmic scale may leave the given range, because the optimum may lie beyond its end;
        others may not.
        """
        if not self.is_numeric:
            return Axis(self.name, (best,))
        center = self._positions([best])[0]
        step = float(np.median(np.diff(self._positions(self.values)))) / 2**depth
        positions = center + step * np.array(_CLOSER)
        if not self.is_geometric:
            positions = np.clip(positions, min(self.values), max(self.values))
        values = np.exp(positions) if self.is_geometric else positions
        # Rounding must not produce two nearly equal values.
        listed = [
            best if step_number == 0 else self._plain(value)
            for step_number, value in zip(_CLOSER, values, strict=True)
        ]
        return Axis(self.name, tuple(sorted(set(listed))))

    def _positions(self, values: Sequence[Any]) -> np.ndarray[Any, Any]:
        numbers = np.array(values, dtype=np.float64)
        return np.log(numbers) if self.is_geometric else numbers

    def _plain(self, value: float) -> int | float:
        if self.is_whole:
            return max(round(value), 1) if self.is_geometric else round(value)
        return float(f"{value:.12g}")


def listed_values(name: str, values: object) -> list[Any]:
    """Return the given values of a parameter as plain Python values."""
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray) or len(values) == 0:
        raise ParameterError(must(f"grid[{name!r}]", "a list of at least one value", values))
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
