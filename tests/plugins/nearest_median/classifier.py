"""The class whose median is nearest."""

from typing import ClassVar

import numpy as np

from classica.estimators.base.log_joint import LogJoint
from classica.params import N_JOBS
from classica.registry import register


@register(
    slug="nearest-median",
    family="plug-in",
    rule=r"\hat y(x) = \arg\min_c \lVert x - m_c \rVert^2",
    plain_rule="the class whose median is nearest",
    source="nowhere",
    fit_cost="O(n log n)",
    predict_cost="O(d) per class and row",
)
class NearestMedianClassifier(LogJoint):
    r"""Predict the class whose median is nearest.

    .. math:: \hat y(x) = \arg\min_c \lVert x - m_c \rVert^2

    Parameters
    ----------
    n_jobs : int or None, default=None
        Threads; None means every available core.

    Attributes
    ----------
    classes_ : ndarray
        The labels.
    medians_ : ndarray of shape (n_classes, n_features)
        The median of each column in each class.
    """

    parameter_rules: ClassVar = {"n_jobs": N_JOBS}

    def __init__(self, *, n_jobs=None):
        self.n_jobs = n_jobs

    def fit(self, X, y):
        data = self._training_data(X, y)
        self.classes_ = data.classes
        rows = [data.X[data.codes == code] for code in range(len(data.classes))]
        self.medians_ = np.array([np.median(own, axis=0) for own in rows])
        return self

    def _log_joint(self, X):
        return X @ self.medians_.T - 0.5 * np.square(self.medians_).sum(axis=1)
