"""The rows that a boosted classifier hands on to its members, as the user gave them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts, read_columns
from classica.errors import DataError, must
from classica.estimators.base.estimator import Estimator
from classica.metadata import Metadata
from classica.native import Codes, Floats
from classica.row_taking import as_table, take_rows
from classica.targets import encode_labels, encode_target, row_weights


@dataclass(frozen=True)
class BoostRows:
    """Rows as they came, those without weight left out, with codes of their classes."""

    X: Any
    #: What is in the rows, as numbers; None where only the members can tell.
    content: Any
    classes: Any
    codes: Codes
    weights: Floats
    #: What members request beside rows, labels and weights.
    metadata: Metadata

    @classmethod
    def of(
        cls,
        X: MatrixLike,
        y: VectorLike,
        sample_weight: VectorLike | None,
        base: BaseEstimator,
        threads: int,
        wanted: Mapping[str, Any],
    ) -> BoostRows:
        """Check the target and the weights, and the rows where the base classifier is one of ours."""
        X = as_table(X)
        rows = _count(X)
        content = _content(X, base, threads)
        classes, codes = encode_target(y, rows, type(base).__name__)
        weights, metadata = row_weights(sample_weight, rows), Metadata.of(wanted, rows)
        if weights is None:
            return cls(X, content, classes, codes, np.ones(rows), metadata)
        kept = np.flatnonzero(weights)
        if len(kept) < rows:
            X, content = take_rows(X, kept), None if content is None else content[kept]
            classes, codes = encode_labels(classes[codes[kept]])
        return cls(X, content, classes, codes, weights[kept], metadata.take(kept))


def _count(X: Rows) -> int:
    shape = getattr(X, "shape", None) or (len(X) if isinstance(X, list) else None,)
    if shape[0] is None:
        raise DataError(must("X", "a table with rows", X))
    return int(shape[0])


def _content(X: Rows, base: BaseEstimator, threads: int) -> Any:
    is_ours = isinstance(base, Estimator)
    accepts = base.accepts if is_ours else Accepts(missing=True, categorical=True)
    named = getattr(base, "categorical_features", "from_dtype") if is_ours else "from_dtype"
    try:
        return read_columns(BaseEstimator(), X, accepts, threads, named, reset=True).matrix
    except (TypeError, ValueError):
        if is_ours:
            raise
        return None
