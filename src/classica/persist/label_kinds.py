"""Kinds of values that estimators share: labels, column counts and names, probabilities, category levels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.kinds import Array, DictOf, Kind, ListOf, Scope, Whole, Word


@dataclass(frozen=True)
class SizeOf(Kind):
    """An integer that a symbol stands for from then on."""

    symbol: str

    def check(self, value: Any, scope: Scope) -> None:
        """Check it, and remember it."""
        Whole(1).check(value, scope)
        scope.require(scope.fits(int(value), self.symbol), f"the same as {self.symbol}", value)


@dataclass(frozen=True)
class Labels(Kind):
    """The classes: different labels of one kind, ascending."""

    symbol: str = "c"

    def check(self, value: Any, scope: Scope) -> None:
        """Check kind and order, and remember how many there are."""
        scope.require(type(value) is np.ndarray and value.ndim == 1, "an array of labels", value)
        scope.require(value.dtype.kind in "biufUSOmM", "an array of labels", value.dtype)
        scope.require(len(value) > 0 and scope.fits(len(value), self.symbol), "labels", len(value))
        if value.dtype.kind == "f":
            scope.require(np.isfinite(value).all(), "finite")
        scope.require((value[1:] > value[:-1]).all(), "different labels in ascending order")


@dataclass(frozen=True)
class ColumnNames(Kind):
    """The names of the columns."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check that there is a name for each column, all different."""
        named = type(value) is np.ndarray and value.dtype.kind == "O" and value.ndim == 1
        scope.require(named and all(type(name) is str for name in value), "an array of names", value)
        scope.require(scope.fits(len(value), "d"), "as long as there are columns", len(value))
        scope.require(len(set(value.tolist())) == len(value), "made of different names")


class Shares(Array):
    """Rows of probabilities: not negative, each with the sum one."""

    def __init__(self, *shape: Any) -> None:
        super().__init__("f8", *shape, low=0.0)

    def check(self, value: Any, scope: Scope) -> None:
        """Check shape, sign and sums."""
        super().check(value, scope)
        far = np.abs(value.sum(axis=-1) - 1.0) > 1e-6
        scope.require(not far.any(), "shares that add up to one")


class LogPriors(Array):
    """Logarithms of probabilities: minus infinity for classes that are impossible, but not for all."""

    def __init__(self, *shape: Any) -> None:
        super().__init__("f8", *shape, inf="-")

    def check(self, value: Any, scope: Scope) -> None:
        """Check that some class is possible."""
        super().check(value, scope)
        scope.require(np.isfinite(value).any(axis=-1).all(), "finite for some class")


@dataclass(frozen=True)
class Level(Kind):
    """A category: text, a number or a Boolean, the same as itself."""

    def check(self, value: Any, scope: Scope) -> None:
        """Raise for anything else."""
        plain = isinstance(value, str | int | float | np.number | np.bool_)
        scope.require(plain and not (isinstance(value, float) and math.isnan(value)), "a category", value)


@dataclass(frozen=True)
class Levels(Kind):
    """Different categories."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check that none is there twice."""
        ListOf(Level()).check(value, scope)
        scope.require(len(set(value)) == len(value), "made of different categories")
        texts = [isinstance(level, str) for level in value]
        scope.require(all(texts) or not any(texts) or len(set(map(type, value))) > 1, "of one kind")


@dataclass(frozen=True)
class LevelsByColumn(Kind):
    """The categories of columns by name."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check the lists."""
        DictOf(Word(), Levels()).check(value, scope)


#: What every fitted estimator has, and those that learned from named columns.
COLUMNS: dict[str, Kind] = {"n_features_in_": SizeOf("d")}
NAMES: dict[str, Kind] = {"feature_names_in_": ColumnNames()}
