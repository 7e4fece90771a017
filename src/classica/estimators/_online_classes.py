"""The classes of learners that are told of all of them at their first rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import DataError
from classica.estimators._base import TrainingData
from classica.targets import label_union


def announced_classes(data: TrainingData, classes: Any) -> NDArray[Any]:
    """Return the classes of the first rows and those announced beside them."""
    return data.classes if classes is None else label_union(data.classes, np.asarray(classes))


def coded_by(classes: NDArray[Any], data: TrainingData) -> TrainingData:
    """Return the rows with the codes of classes known since the first ones; others are refused."""
    places = np.searchsorted(classes, data.classes).clip(max=len(classes) - 1)
    unknown = classes[places] != data.classes
    if unknown.any():
        label = data.classes[unknown].tolist()[0]
        raise DataError(f"y must hold labels announced at the first call, got {label!r}.")
    return TrainingData(data.X, classes, places.astype(np.int32)[data.codes], data.weights)
