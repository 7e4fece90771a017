"""A bag of fitted members: their votes, and their answers to rows they have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows
from classica.estimators.members.member_columns import take_columns
from classica.estimators.members.member_fits import ballots, of_all_classes
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.native import Floats
from classica.row_taking import take_rows
from classica.samples import Samples
from classica.trees.growing.tree import Longs


@dataclass(frozen=True)
class _Read:
    """Rows that were read once for all trees of a bag: to read a frame takes longer than to ask a tree."""

    matrix: Any

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.matrix.shape
        return shape

    def take(self, rows: Longs) -> _Read:
        return _Read(self.matrix[rows])

    def ballots(self, tree: DecisionTreeClassifier, classes: NDArray[Any], voting: str) -> Floats:
        posteriors = of_all_classes(tree._posteriors(self.matrix), tree.classes_, classes)
        if voting == "soft":
            return posteriors
        votes: Floats = np.eye(len(classes))[posteriors.argmax(axis=1)]
        return votes


@dataclass(frozen=True)
class Bag:
    """Fitted members and the columns each sees; None where all see all."""

    members: list[Any]
    columns: list[Longs] | None
    classes: NDArray[Any]
    voting: str

    def __len__(self) -> int:
        return len(self.members)

    def ballots(self, number: int, X: MatrixLike) -> Floats:
        """Return what one member gives each class; `X` as `_read` gives it."""
        member = self.members[number]
        if isinstance(X, _Read):
            return X.ballots(member, self.classes, self.voting)
        seen = X if self.columns is None else take_columns(X, self.columns[number])
        return ballots(member, seen, self.classes, self.voting)

    def staged(self, X: MatrixLike) -> Iterator[Floats]:
        """Yield the share of each class for the first member, the first two, and so on."""
        X = self._read(X)
        sums = np.zeros((X.shape[0], len(self.classes)))
        for number in range(len(self)):
            sums += self.ballots(number, X)
            yield sums / (number + 1)

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of each class for all members together."""
        X = self._read(X)
        sums = np.zeros((X.shape[0], len(self.classes)))
        for number in range(len(self)):
            sums += self.ballots(number, X)
        return sums / len(self)

    def _read(self, X: Rows) -> Any:
        """Return rows as all members read them, if these are trees that read alike; else the rows given."""
        first = self.members[0]
        if self.columns is not None or type(first) is not DecisionTreeClassifier:
            return X
        alike = all(type(tree) is DecisionTreeClassifier and tree._reads_as(first) for tree in self.members)
        return _Read(first._query(X)) if alike else X

    def out_of_bag(
        self, X: MatrixLike, labels: NDArray[Any], weights: Floats | None, samples: Samples
    ) -> OutOfBag:
        """Ask each member about the rows that are not in its sample."""
        rows = len(labels)
        counted = np.ones(rows) if weights is None else weights
        sums, voters, wrong = np.zeros((rows, len(self.classes))), np.zeros(rows), np.zeros(rows, dtype=bool)
        errors = np.full(len(self), np.nan)
        X = self._read(X)
        for number in range(len(self)):
            unseen = np.flatnonzero(samples.counts(number) == 0)
            if len(unseen):
                left_out = X.take(unseen) if isinstance(X, _Read) else take_rows(X, unseen)
                sums[unseen] += self.ballots(number, left_out)
                voters[unseen] += 1
                wrong[unseen] = self.classes[sums[unseen].argmax(axis=1)] != labels[unseen]
            asked = counted * (voters > 0)
            if asked.any():
                errors[number] = asked @ wrong / asked.sum()
        shares = np.full_like(sums, np.nan)
        np.divide(sums, voters[:, None], out=shares, where=voters[:, None] > 0)
        return OutOfBag(shares, errors)


@dataclass(frozen=True)
class OutOfBag:
    """The share of each class for each row, by the members that have not seen it; errors by their number.

    Rows that every member has seen are NaN and do not count for the errors.
    """

    shares: Floats
    errors: Floats
