"""Binary classifiers that learn online: rows are presented one after the other, and mistakes update them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from classica.arrays import MatrixLike, VectorLike
from classica.errors import ParameterError
from classica.estimators.base.announced_classes import announced_classes, coded_by, require_announced
from classica.estimators.base.contests import ONE_FOR_EACH, warn_of_many_pairs
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import binary_contests
from classica.native.online_learners import Longs, Presentations, Progress
from classica.params import Boolean, Integer, OneOf, RandomState, Rule, Seed

#: The rules of what all of them take.
ONLINE_RULES: dict[str, Rule] = {
    "max_iter": Integer(at_least=1),
    "shuffle": Boolean(),
    "random_state": Seed(),
}

#: What a score of zero means when learning.
ZERO: Rule = OneOf("mistake", "first")


class OnlineBinaryClassifiers:
    """Mixed into a margin classifier whose binary classifiers learn from one presentation after the other.

    A subclass says how binary classifiers begin (`_begin`) and what presentations do to them (`_present`).
    """

    max_iter: int
    shuffle: bool
    random_state: RandomState
    multi_class: str

    classes_: NDArray[Any]

    #: Mistakes per epoch (row) and binary classifier (column).
    mistakes_: Longs
    #: Epochs so far.
    n_iter_: int
    #: Whether the last epoch was free of mistakes.
    converged_: bool

    _training_data: Callable[..., TrainingData]
    _is_fitted: Callable[[], bool]
    _seed: int
    _one_vs_all: bool  # as learned, whatever the parameter says by now

    @abstractmethod
    def _begin(self, n_binary: int, n_columns: int) -> None:
        """Start all binary classifiers from scratch."""

    @abstractmethod
    def _present(self, data: TrainingData, epochs: int) -> Progress:
        """Present the rows, whose codes are those of `classes_`, and keep the updated binary classifiers."""

    def partial_fit(self, X: MatrixLike, y: VectorLike, classes: VectorLike | None = None) -> Self:
        """Go on from what is known: present each of the rows once more.

        Parameters
        ----------
        X : as in ``fit``
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like, optional
            All labels there will be; needed at the first call unless its rows have them all.

        Returns
        -------
        self : estimator
        """
        if not self._is_fitted():
            with self._all_or_nothing():
                data = self._training_data(X, y)
                self._forget_all(announced_classes(data, classes), data.X.shape[1])
                self._note(self._present(coded_by(self.classes_, data), 1))
            return self
        data = self._training_data(X, y, reset=False)
        if self._one_vs_all != (self.multi_class == "one-vs-all"):
            rule = "the one of the first fit to continue training"
            raise ParameterError(f"multi_class must be {rule}, got {self.multi_class!r}.")
        require_announced(self.classes_, classes)
        self._note(self._present(coded_by(self.classes_, data), 1))
        return self

    @property
    def n_updates_(self) -> Longs:
        """The number of updates of each binary classifier, one per mistake."""
        updates: Longs = self.mistakes_.sum(axis=0)
        return updates

    def _sides(self) -> NDArray[np.int8]:
        """Return a row per binary classifier: 1 for the classes of its first side, -1 for its second."""
        classes = len(self.classes_)
        sides = [
            contest.first.astype(np.int8) - contest.second
            for contest in binary_contests(classes, self._one_vs_all)
        ]
        return np.array(sides, dtype=np.int8).reshape(-1, classes)

    def _presentations(self, *, replace: bool = False, zero: int = 0) -> Presentations:
        return bool(self.shuffle), replace, self._seed, self.n_iter_, zero

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Be what was before if learning from scratch is refused or interrupted."""
        before = self.__dict__.copy()
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _forget_all(self, classes: NDArray[Any], n_columns: int) -> None:
        self.classes_ = classes
        self._one_vs_all = self.multi_class == "one-vs-all"
        self._seed = int(check_random_state(self.random_state).randint(2**31))
        warn_of_many_pairs(len(classes), self._one_vs_all, ONE_FOR_EACH)
        count = len(binary_contests(len(classes), self._one_vs_all))
        self.mistakes_, self.n_iter_ = np.zeros((0, count), dtype=np.int64), 0
        self._begin(count, n_columns)

    def _note(self, progress: Progress) -> None:
        """Keep how it went."""
        mistakes, converged = progress
        taken = max(1, int((mistakes >= 0).any(axis=0).sum()))
        new = mistakes[:, :taken].T.clip(min=0)  # one that has converged makes no more of them
        self.mistakes_ = np.concatenate([self.mistakes_, new])
        self.n_iter_ += taken
        self.converged_ = bool(converged.all())
