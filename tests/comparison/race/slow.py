"""Classifiers that take their time; children import them by name."""

import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Slow(ClassifierMixin, BaseEstimator):
    """A classifier that sleeps for some milliseconds per row, and then predicts the first class."""

    milliseconds = 1.0

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        time.sleep(self.milliseconds * len(y) / 1000)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


class Stuck(Slow):
    """One that does not come to the end of its first fold."""

    milliseconds = 1000.0
