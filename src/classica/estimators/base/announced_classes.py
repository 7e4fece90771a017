"""The classes of learners that are told of all of them at their first rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.errors import DataError, must
from classica.estimators.base.estimator import TrainingData
from classica.targets import label_union


def announced_classes(data: TrainingData, classes: VectorLike | None) -> NDArray[Any]:
    """Return the classes of the first rows and those announced beside them."""
    return data.classes if classes is None else label_union(data.classes, _labels(classes))


def require_announced(classes: NDArray[Any], announced: VectorLike | None) -> None:
    """Refuse labels announced to a learner that was told at its first rows of all there will be."""
    if announced is not None and len(label_union(classes, _labels(announced))) > len(classes):
        raise DataError(must("classes", f"among those of the first call ({classes.tolist()})", announced))


def _labels(announced: VectorLike | None) -> NDArray[Any]:
    labels = np.asarray(announced)
    if labels.ndim != 1 or (labels.dtype.kind == "f" and not np.isfinite(labels).all()):
        raise DataError(must("classes", "a list of labels", announced))
    return labels


def coded_by(classes: NDArray[Any], data: TrainingData) -> TrainingData:
    """Return the rows with the codes of classes known since the first ones; others are refused."""
    indices = np.searchsorted(classes, data.classes).clip(max=len(classes) - 1)
    unknown = classes[indices] != data.classes
    if unknown.any():
        label = data.classes[unknown].tolist()[0]
        raise DataError(f"y must hold labels passed as `classes` to the first call, got {label!r}.")
    return TrainingData(data.X, classes, indices.astype(np.int32)[data.codes], data.weights)
