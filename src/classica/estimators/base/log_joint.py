"""Classifiers by Bayes' rule: each class has a score, the logarithm of likelihood times prior.

A subclass writes `_log_joint`; the decision, the posterior and the margins follow. Those of this package also
show ``predict`` and ``predict_proba`` in their own files.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from classica import native
from classica.arrays import MatrixLike, Rows
from classica.estimators.base.estimator import Classifier
from classica.native import Floats


class LogJoint(Classifier):
    """A classifier that scores every class by log p(x, class), up to a number that all classes share."""

    @abstractmethod
    def _log_joint(self, X: Rows) -> Floats:
        """Return the scores of checked rows; minus infinity for an impossible class."""

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the label of the class with the highest score for each row."""
        scores = self._log_joint(self._query(X))
        return self.classes_[native.highest_scores(scores, self._threads_of(scores))]

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the posterior probability of each class for each row."""
        return self._posteriors(self._query(X))

    def predict_log_proba(self, X: MatrixLike) -> Floats:
        """Return the logarithm of the posterior probabilities, also where these round to zero."""
        scores = self._log_joint(self._query(X))
        logs: Floats = scores - logsumexp(scores, axis=1, keepdims=True)
        return logs

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return a score per class; for two classes one number, positive for the second class.

        An impossible class has the lowest finite score.
        """
        scores = self._log_joint(self._query(X))
        if scores.shape[1] == 2:
            with np.errstate(invalid="ignore"):  # a class announced but never seen has no score
                scores = scores[:, 1] - scores[:, 0]
        finite: Floats = np.nan_to_num(scores)
        return finite

    def _posteriors(self, X: Rows) -> Floats:
        return native.scores_to_posteriors(self._log_joint(X), self._threads_of(X))
