r"""Binary classifiers for any number of classes: one against all others, or all against all.

A binary classifier scores its first side: positive scores speak for it. From all scores follows one score per
class:

* one against all: the probability :math:`\sigma(s_c)` of the class against the rest;
* all against all: the number of contests won and half a win more, so that no class is impossible; equal
  numbers are told apart by the sum of the scores, squeezed into less than a third of a win.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.estimators.base.estimator import TrainingData
from classica.native import Floats


@dataclass(frozen=True)
class Contest:
    """Some classes against some others."""

    first: NDArray[np.bool_]
    second: NDArray[np.bool_]

    def rows(self, data: TrainingData) -> tuple[NDArray[np.intp], TrainingData]:
        """Return which rows take part, and these with the side as class."""
        indices = np.flatnonzero((self.first | self.second)[data.codes])
        part = data.take(indices)
        sides = self.second[part.codes].astype(np.int32)
        return indices, TrainingData(part.X, np.arange(2), sides, part.weights)

    def log_odds(self, log_priors: Floats) -> Floats:
        """Return the log odds of the first side, from log priors with one column per class."""
        sides = (np.logaddexp.reduce(log_priors[:, side], axis=1) for side in (self.first, self.second))
        odds: Floats = next(sides) - next(sides)
        return odds


#: Beyond some 200 classes, pairs of them take minutes and gigabytes.
MOST_PAIRS = 20_000

#: The remedy of those that can do otherwise.
ONE_FOR_EACH = "multi_class='one-vs-all' needs only one for each class"


def warn_of_many_pairs(classes: int, one_vs_all: bool, remedy: str) -> None:
    """Say what it costs to tell very many classes apart two by two, before it is done."""
    pairs = classes * (classes - 1) // 2
    if not one_vs_all and pairs > MOST_PAIRS:
        text = f"{classes:,} classes make {pairs:,} pairs, each with a binary classifier of its own"
        warnings.warn(f"{text}, which may need much time and memory; {remedy}.", UserWarning, stacklevel=4)


def contest_rows(
    contests: list[Contest], codes: NDArray[Any], classes: int
) -> Iterator[tuple[Contest, NDArray[np.intp]]]:
    """Give each contest with the rows that take part, ascending; of a pair without a look at the others."""
    order = np.argsort(codes, kind="stable")
    of_class = np.split(order, np.cumsum(np.bincount(codes, minlength=classes))[:-1])
    for contest in contests:
        sides = np.flatnonzero(contest.first | contest.second)
        everyone = len(sides) == classes
        yield (
            contest,
            np.arange(len(codes)) if everyone else np.sort(np.concatenate([of_class[c] for c in sides])),
        )


def contests(classes: int, one_vs_all: bool) -> list[Contest]:
    """Return the contests that tell the classes apart; a single one for two classes."""
    each = np.eye(classes, dtype=bool)
    if one_vs_all and classes != 2:
        return [Contest(one, ~one) for one in each] if classes > 1 else []
    return [Contest(each[a], each[b]) for a, b in combinations(range(classes), 2)]


def class_scores(scores: Floats, classes: int, one_vs_all: bool) -> Floats:
    """Return the log of each class's share, up to a constant, from the scores of its contests."""
    if classes == 1:
        return np.zeros((len(scores), 1))
    if classes == 2:
        return np.column_stack([scores[:, 0], np.zeros(len(scores))])
    return _log_sigmoid(scores) if one_vs_all else _log_wins(scores, classes)


#: Scores count as no larger, so that their sums do not overflow.
_LARGEST = 1e150


def _log_sigmoid(scores: Floats) -> Floats:
    """Return log σ(s), continued so that it grows with s where it would round to zero."""
    most = 700.0
    logs: Floats = -np.logaddexp(0.0, -np.minimum(scores, most))
    return np.where(scores > most, logs * most / np.maximum(scores, most), logs)


def _log_wins(scores: Floats, classes: int) -> Floats:
    wins, squeezed = wins_and_sums(scores, classes)
    logs: Floats = np.log(wins + 0.5 + squeezed)
    return logs


def wins_and_sums(scores: Floats, classes: int) -> tuple[Floats, Floats]:
    """Return the contests won by each class, and the sum of its scores squeezed into a third of a win."""
    wins, sums = np.zeros((len(scores), classes)), np.zeros((len(scores), classes))
    scores = np.clip(scores, -_LARGEST, _LARGEST)
    for machine, (a, b) in enumerate(combinations(range(classes), 2)):
        score = scores[:, machine]
        wins[:, a] += score >= 0
        wins[:, b] += score < 0
        sums[:, a] += score
        sums[:, b] -= score
    return wins, sums / (3 * (np.abs(sums) + 1))
