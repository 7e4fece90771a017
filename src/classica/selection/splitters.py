"""Splitters for numbers of parts: by class, by group, or in the order of time."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import StratifiedGroupKFold, TimeSeriesSplit, check_cv

from classica.arrays import MatrixLike, VectorLike
from classica.errors import DataError, must
from classica.params import Integer

Splits = list[tuple[Any, Any]]


def splits_of(estimator: Any, X: MatrixLike, y: VectorLike, cv: Any, groups: Any = None) -> Splits:
    """Return the parts of some rows, as places.

    ``cv`` is what scikit-learn takes. A number of parts means: of each class the same share in all parts;
    where there are groups, each of them in one part only.
    """
    if groups is not None and Integer(at_least=2).accepts(cv):
        cv = StratifiedGroupKFold(cv)
    splits = list(check_cv(cv, y, classifier=is_classifier(estimator)).split(X, y, groups))
    if not splits:
        raise DataError(must("cv", "a splitter or an iterable of splits", cv))
    return splits


def like(outer: Any, inner: Any) -> Any:
    """Return the inner splitter: a number of parts keeps to the order of time where the outer one does."""
    is_number = Integer(at_least=2).accepts(inner)
    return TimeSeriesSplit(inner) if is_number and isinstance(outer, TimeSeriesSplit) else inner


def groups_of(groups: Any, rows: Any) -> Any:
    """Return the groups of some rows; None if there are none."""
    return None if groups is None else np.asarray(groups)[rows]
