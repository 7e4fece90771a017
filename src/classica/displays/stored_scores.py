"""Labels and scores of rows as a comparison stores them: which class is which column, which fold is whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import Label, VectorLike
from classica.decision.class_labels import known_codes
from classica.decision.rows import one_per_row
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.targets import encode_target


@dataclass(frozen=True)
class StoredScores:
    """Scores of rows, one column for each class; repeated rows of several rounds may follow each other.

    Attributes
    ----------
    classes : ndarray
        The class labels in the order of the columns.
    codes : ndarray of shape (n_rows,)
        The class of each row.
    scores : ndarray of shape (n_rows, n_classes)
        The scores.
    folds : ndarray of shape (n_rows,)
        The number of the fold in which each row was asked about.
    """

    classes: NDArray[Any]
    codes: NDArray[np.intp]
    scores: Floats
    folds: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        y_true: VectorLike,
        scores: VectorLike,
        folds: object = None,
        classes: Sequence[Any] | None = None,
    ) -> StoredScores:
        """Check what belongs together; one column of scores speaks for the second of two classes."""
        rows = len(one_per_row(y_true, "y_true"))
        labels = encode_target(y_true, rows, cls.__name__)[0] if classes is None else np.asarray(classes)
        table = _numbers(scores)
        if table.ndim == 1 and len(labels) == 2:
            table = np.column_stack([-table, table])
        if table.shape != (rows, len(labels)):
            rule = f"of {rows} rows and {len(labels)} columns, one for each class"
            raise DataError(must("scores", rule, table.shape))
        if len(labels) < 2:
            raise DataError(must("y_true", "of two classes at least", labels.tolist()))
        parts = np.zeros(rows, dtype=np.intp)
        if folds is not None:
            parts = np.unique(one_per_row(folds, "folds"), return_inverse=True)[1].reshape(-1)
        if len(parts) != rows:
            raise DataError(must("folds", f"{rows} numbers long, one for each row", len(parts)))
        return cls(labels, known_codes(y_true, labels, rows), table, parts)

    def chosen(self, positive: Label | None) -> list[int]:
        """Return the classes that are set against all others: one, the second of two, or all."""
        labels = self.classes.tolist()
        if positive is None:
            return [1] if len(labels) == 2 else list(range(len(labels)))
        if positive not in labels:
            raise ParameterError(must("positive", f"one of the classes {labels}", positive))
        return [labels.index(positive)]


def _numbers(scores: VectorLike) -> Floats:
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(must("scores", "numbers", scores)) from None
    if not np.isfinite(table).all():
        raise DataError(must("scores", "finite", table[~np.isfinite(table)][0]))
    return table
