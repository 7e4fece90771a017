"""A classifier that has answered already: what a scorer asks when the answers are known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from classica.native import Floats


class KnownMargins(ClassifierMixin, BaseEstimator):
    """Answers with given margins, whatever the rows: those of the one table it is asked about."""

    def __init__(self, classes: NDArray[Any], margins: Floats) -> None:
        self.classes = classes
        self.margins = margins

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels."""
        return self.classes

    def decision_function(self, X: Any) -> Floats:
        """Return the margins."""
        return self.margins

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the highest margin; for two classes the second where it is positive."""
        two = self.margins.ndim == 1
        winners = (self.margins > 0).astype(np.intp) if two else self.margins.argmax(axis=1)
        labels: NDArray[Any] = self.classes[winners]
        return labels
