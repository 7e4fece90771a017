r"""Binary classifiers that answer with a margin, not with a probability, for any number of classes.

A binary classifier scores its first side: positive scores speak for it. `binary_contests` says which
binary classifiers a number of classes needs, `class_margins` turns their scores into what
``decision_function`` returns:

* two classes: the score of the second one;
* one against all others: the score of each class against the rest;
* all against all: the number of contests won, ties told apart by the sum of the scores, squeezed into less
  than a third of a win.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows
from classica.estimators.base.contests import Contest, contests, wins_and_sums
from classica.estimators.base.estimator import Classifier
from classica.native import Floats
from classica.params import OneOf, Rule

#: How more than two classes are handled: a binary classifier per class, or per pair of classes.
MULTI_CLASS: Rule = OneOf("one-vs-all", "all-vs-all")


class MarginClassifier(Classifier):
    """A classifier made of binary ones, which decides by the highest margin they give a class."""

    _one_vs_all: bool  # as learned, whatever the parameter says by now

    @abstractmethod
    def _binary_scores(self, X: Rows) -> Floats:
        """Return the score of each binary classifier for checked rows, in the order of `binary_contests`."""

    @property
    def tells_pairs_apart(self) -> bool:
        """Whether each binary classifier tells two classes apart, not one from all others."""
        return not self._one_vs_all

    def binary_scores(self, X: MatrixLike) -> Floats:
        """Return the score of each binary classifier for each row: of each class, or of each pair of classes.

        A positive score speaks for the class, or for the first class of the pair; pairs come in the order
        (0, 1), (0, 2), …, (1, 2), …. For two classes there is one score, which speaks for the second.
        """
        return self._binary_scores(self._query(X))

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return a margin per class; for two classes one number, positive for the second class."""
        return class_margins(self._binary_scores(self._query(X)), len(self.classes_), self._one_vs_all)

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the label of the class with the highest margin for each row; ties go to the first."""
        margins = self.decision_function(X)
        if margins.ndim == 1:
            return self.classes_[(margins > 0).astype(np.intp)]
        return self.classes_[native.highest_scores(margins, self._threads_of(margins))]


def binary_contests(classes: int, one_vs_all: bool) -> list[Contest]:
    """Return the contests of the binary classifiers; the one of two classes speaks for the second."""
    if classes == 2:
        first, second = np.eye(2, dtype=bool)
        return [Contest(second, first)]
    return contests(classes, one_vs_all)


def class_margins(scores: Floats, classes: int, one_vs_all: bool) -> Floats:
    """Return what ``decision_function`` says, from one column of scores per binary classifier."""
    if classes == 1:
        return np.zeros((len(scores), 1))
    if classes == 2:
        return scores[:, 0]
    if one_vs_all:
        return scores
    wins, squeezed = wins_and_sums(scores, classes)
    margins: Floats = wins + squeezed
    return margins
