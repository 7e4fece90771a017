"""Models whose scores are sums over columns: linear classifiers, Gaussian classes, naive Bayes, means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.explain.input_column import InputColumn
from classica.explain.parts import Part
from classica.native import Floats


@dataclass(frozen=True)
class Additive:
    """Scores that are a constant and a sum over columns.

    Attributes
    ----------
    columns : tuple of InputColumn
        The columns that go in.
    classes : tuple
        The labels.
    constant : float64 array
        What every row has: one number per score.
    parts : tuple of Part
        What columns add.
    zero_parts : tuple of Part
        What columns add to the number of probabilities of zero; a class with more of them than another
        cannot win. Empty where there are none.
    all_against_all : bool
        Whether scores are those of the contests of all pairs of classes; else there is one per class, and the
        highest wins, of equal ones the first.
    has_log_posteriors : bool
        Whether scores are logarithms of posteriors, up to a constant of the row: costs and priors can then be
        added to them.
    """

    columns: tuple[InputColumn, ...]
    classes: tuple[Any, ...]
    constant: Floats
    parts: tuple[Part, ...]
    zero_parts: tuple[Part, ...] = ()
    all_against_all: bool = False
    has_log_posteriors: bool = True

    def contributions(self, features: pl.DataFrame) -> Floats:
        """Return what each column adds to each score of each row: (rows, columns, scores)."""
        table = np.zeros((features.height, len(self.columns), len(self.constant)))
        for part in self.parts:
            table[:, part.column] += part.values(features[self.columns[part.column].name])
        return table

    def scores(self, features: pl.DataFrame) -> Floats:
        """Return the scores of rows."""
        scores: Floats = self.constant + self.contributions(features).sum(axis=1)
        return scores

    def zeros(self, features: pl.DataFrame) -> Floats:
        """Return the probabilities of zero in each score of rows."""
        sums = np.zeros((features.height, len(self.constant)))
        for part in self.zero_parts:
            sums += part.values(features[self.columns[part.column].name])
        return sums

    def standings(self, features: pl.DataFrame) -> Floats:
        """Return what decides: a number per class, the highest wins."""
        scores, zeros = self.scores(features), self.zeros(features)
        scores = np.where(zeros > zeros.min(axis=1, keepdims=True), -np.inf, scores)
        if not self.all_against_all:
            return scores
        return pair_standings(scores, len(self.classes))[1]

    def answers(self, features: pl.DataFrame) -> NDArray[Any]:
        """Return the label of each row."""
        labels = np.empty(len(self.classes), dtype=object)
        labels[:] = self.classes
        answers: NDArray[Any] = labels[self.standings(features).argmax(axis=1)]
        return answers


def pair_standings(scores: Floats, classes: int) -> tuple[Floats, Floats]:
    """Return the votes that pairs of classes give each class, and the standings that decide."""
    wins, sums = np.zeros((2, len(scores), classes))
    for machine, (a, b) in enumerate(pairs(classes)):
        wins[:, a] += scores[:, machine] >= 0
        wins[:, b] += scores[:, machine] < 0
        sums[:, a] += scores[:, machine]
        sums[:, b] -= scores[:, machine]
    standings: Floats = wins + sums / (3 * (np.abs(sums) + 1))
    return wins, standings


def pairs(classes: int) -> list[tuple[int, int]]:
    """Return the pairs of classes in the order of their contests."""
    return [(a, b) for a in range(classes) for b in range(a + 1, classes)]
