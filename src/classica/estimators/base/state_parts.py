"""Attributes that fitted estimators share, and how they fit together."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.kinds import Array, DictOf, Flag, Kind, ListOf, Scope, TupleOf, Whole
from classica.persist.label_kinds import COLUMNS, Labels, LevelsByColumn

CLASSES: dict[str, Kind] = {**COLUMNS, "classes_": Labels()}
SEED = Whole(0, 2**63)

#: Estimators that read categories themselves.
LEVELS: dict[str, Kind] = {"category_levels_": LevelsByColumn(), "declared_levels_": LevelsByColumn()}
CODED: dict[str, Kind] = {
    **LEVELS,
    "_categorical": Array("b1", "d"),
    "_level_places": ListOf(Whole(0, "d")),
    "_has_numbers_only": Flag(),
    "_numbers": DictOf(Whole(0, "d"), Array("f8", "*")),
}


class Sparse(Kind):
    """A sparse matrix of finite numbers; the decoder has checked its structure."""

    def __init__(self, *shape: str) -> None:
        self.shape = shape

    def check(self, value: Any, scope: Scope) -> None:
        """Check kind, shape and numbers."""
        scope.require(sp.issparse(value), "a sparse matrix", value)
        alike = all(map(scope.fits, value.shape, self.shape))
        scope.require(alike, "of the shape that goes with the rest", value.shape)
        scope.require(np.isfinite(value.data).all(), "finite")


class LinearModel(TupleOf):
    """Center, rows of weights and offsets, whose score of the origin and of the center is finite."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check each, and that what they are multiplied to does not overflow."""
        super().check(value, scope)
        center, weights, offsets = value
        largest = (np.abs(weights) * np.abs(center)).sum(axis=1)
        largest = largest + np.where(np.isinf(offsets), 0.0, np.abs(offsets))
        scope.require((largest < _LARGEST_SCORE).all(), f"made with scores below {_LARGEST_SCORE:g}")


#: So far from what overflows that moderate rows do not get there either.
_LARGEST_SCORE = 1e300


def linear_model(rows: int | str, offsets: Kind | None = None) -> LinearModel:
    """Return the kind of a linear model with so many rows of weights."""
    return LinearModel(Array("f8", "d"), Array("f8", rows, "d"), offsets or Array("f8", rows))


def classifier_count(one_vs_all: bool, classes: int) -> int:
    """Return how many binary classifiers tell so many classes apart."""
    if classes <= 2:
        return classes - 1
    return classes if one_vs_all else classes * (classes - 1) // 2


def check_classifier_count(model: Any, scope: Scope) -> None:
    """Check that there are as many binary classifiers as the classes need."""
    needed = classifier_count(bool(model._one_vs_all), scope.size("c"))
    scope.require(scope.size("m") == needed, f"made of {needed} binary classifiers", scope.size("m"))


def check_levels(model: Any, scope: Scope) -> None:
    """Check that categories are those of columns there are."""
    names = getattr(model, "feature_names_in_", None)
    levels, declared = model.category_levels_, model.declared_levels_
    columns = set(levels) if names is None else set(names.tolist())
    scope.require(set(levels) <= columns, "made with categories of its columns", sorted(levels))
    scope.require(len(levels) <= scope.size("d"), "made with categories of its columns", len(levels))
    scope.require(set(declared) <= set(levels), "made with categories of its columns", sorted(declared))


def check_coded(model: Any, scope: Scope) -> None:
    """Check columns of numbers and categories against each other."""
    check_levels(model, scope)
    numbers, indices = model._numbers, model._level_places
    scope.require(
        len(set(indices)) == len(indices), "made with different indices of categorical columns", indices
    )
    plain = not indices and not numbers and not model.category_levels_
    scope.require(bool(model._has_numbers_only) <= plain, "made with categories where it says so")
    for values in numbers.values():
        scope.require((values[1:] > values[:-1]).all(), "made with ascending indices of categories")


def ascending(starts: NDArray[Any], last: int) -> bool:
    """Return whether places where lists start begin at 0, never fall and end at the last."""
    return bool(len(starts) and starts[0] == 0 and starts[-1] == last and (np.diff(starts) >= 0).all())
