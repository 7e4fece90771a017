"""Classifiers that do harm, each in its own way; children import them by name."""

import os
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

#: The variable that names a folder for marks.
MARKS = "CLASSICA_TEST_MARKS"


class Poison(ClassifierMixin, BaseEstimator):
    """A classifier that does something bad in its fit, and otherwise says the first class."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.harm()
        return self

    def harm(self):
        pass

    def is_first(self):
        """Return whether nobody of this class has come here before, in whatever process."""
        try:
            (Path(os.environ[MARKS]) / type(self).__name__).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


class Raises(Poison):
    def harm(self):
        raise ValueError("I do not like this table.")


class Exits(Poison):
    def harm(self):
        os._exit(7)


class Sleeps(Poison):
    def harm(self):
        if self.is_first():  # once takes as long as the limit is
            time.sleep(1000)


class Eats(Poison):
    def harm(self):
        eaten = []
        while True:
            eaten.append(np.ones(1 << 22))


class Prints(Poison):
    def harm(self):
        is_first = self.is_first()
        while is_first:
            print("more and more")


class SaysNothing(Poison):
    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), np.nan)


class SaysWhatIsNot(Poison):
    def predict(self, X):
        return np.repeat("no such class", len(X))
