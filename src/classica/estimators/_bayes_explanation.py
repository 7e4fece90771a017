"""Why naive Bayes decides as it does for one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import DataError, must
from classica.native import Floats


@dataclass(frozen=True)
class BayesExplanation:
    """What the prior and each column add to the score of each class.

    Attributes
    ----------
    label : object
        The class decided for.
    classes : ndarray of shape (n_classes,)
        The class labels.
    log_prior : ndarray of shape (n_classes,)
        The logarithm of the priors.
    log_likelihoods : ndarray of shape (n_features, n_classes)
        log p(cell | class) of each column; zero for a missing cell and a column left out.
    posterior : ndarray of shape (n_classes,)
        The posterior probabilities.
    """

    label: Any
    classes: NDArray[Any]
    log_prior: Floats
    log_likelihoods: Floats
    posterior: Floats

    def log_odds(self, label: Any, against: Any) -> Floats:
        """Return how much each column speaks for one class against another."""
        one, other = (self._place(name) for name in (label, against))
        first, second = self.log_likelihoods[:, one], self.log_likelihoods[:, other]
        with np.errstate(invalid="ignore"):  # impossible in both classes: it speaks for neither
            odds: Floats = np.where(first == second, 0.0, first - second)
        return odds

    def _place(self, label: Any) -> int:
        found = np.flatnonzero(self.classes == label)
        if not len(found):
            raise DataError(must("label", "one of the classes", label))
        return int(found[0])
