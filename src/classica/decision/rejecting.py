"""Which rows a model rejects, by whatever rule: a distance, or the expected cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike


def can_reject(model: Any) -> bool:
    """Return whether a classifier is set to reject rows at all.

    A rule of rejecting is a method ``rejects`` and a parameter ``reject_...`` that is not None, here or in
    the classifier inside.
    """
    if not hasattr(model, "rejects"):
        return False
    given = model.get_params().items()
    return any(name.rpartition("__")[2].startswith("reject_") and value is not None for name, value in given)


def rejected_rows(model: Any, X: MatrixLike) -> NDArray[np.bool_] | None:
    """Return which rows a fitted classifier rejects; None where it predicts every row.

    Parameters
    ----------
    model : classifier
        Fitted.
    X : whatever it takes
        The rows.
    """
    return np.asarray(model.rejects(X), dtype=bool) if can_reject(model) else None
