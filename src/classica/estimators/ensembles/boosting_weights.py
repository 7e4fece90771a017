"""The rounds of AdaBoost: what a member's errors make of its vote and of the weights of the rows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats
from classica.native import boosting as native


@dataclass(frozen=True)
class BoostRules:
    """How errors become votes; see `boosting.hpp`.

    A member that errs with weight e gets α = η/2 [ln((1 − e)/e) + bonus]; it must err less than chance does.
    One that never errs would get an infinite α. It is taken to have made half an error in one case more
    than there are, and all earlier α are added: then it decides alone.
    """

    learning_rate: float
    bonus: float
    chance: float
    cases: float

    @classmethod
    def of(cls, classes: int, learning_rate: float, multiclass: str, weights: Floats) -> BoostRules:
        """Return the rules of ``multiclass="samme"`` or ``"m1"`` for rows of these weights."""
        cases = float(np.maximum(weights, 1.0).sum())
        if multiclass == "m1" or classes <= 2:
            return cls(learning_rate, 0.0, 0.5, cases)
        return cls(learning_rate, float(np.log(classes - 1)), 1 - 1 / classes, cases)

    def for_kernel(self) -> native.BoostRules:
        """Return what the kernel reads."""
        return self.learning_rate, self.bonus, self.chance, self.cases


@dataclass
class Rounds:
    """What the rounds so far have come to: per member that stays its vote, its error, and that of all."""

    alphas: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    staged_errors: list[float] = field(default_factory=list)
    stopped: str | None = None

    def add(self, learned: native.Round) -> bool:
        """Add a round; return whether its member stays."""
        error, alpha, staged_error, end = learned
        stays, number = alpha > 0, len(self.alphas) + 1
        if end == "chance":
            self.stopped = _no_better_than_chance(number, error)
        elif end == "perfect":
            self.stopped = f"Member {number} made no error: it decides alone."
        if stays:
            self.alphas.append(alpha)
            self.errors.append(error)
            self.staged_errors.append(staged_error)
        return stays


class WeighedRows:
    """The rows as members come in: their weights, and the votes for each class."""

    def __init__(self, codes: Codes, classes: int, weights: Floats, rules: BoostRules, threads: int) -> None:
        self.codes = codes
        self.total = float(weights.sum())
        self.start: Floats = weights / self.total
        self.weights = self.start.copy()
        self._votes = np.zeros((len(codes), classes))
        self._votes_before = 0.0
        self._rules, self._threads = rules.for_kernel(), threads

    def learn_from(self, predicted: Codes) -> native.Round:
        """Count what a new member says of each row."""
        state = self.codes, self.start, self.weights, self._votes
        learned = native.take_round(self._rules, *state, predicted, self._votes_before, self._threads)
        self._votes_before += learned[1]
        return learned


def reweighted(weights: Floats, wrong: NDArray[np.bool_], alpha: float) -> Floats:
    """Return the weights after a round: exp(2α) times as much for misclassified rows, normalised."""
    # Less for the others is the same, and cannot overflow.
    changed: Floats = np.where(wrong, weights, weights * np.exp(-2 * alpha))
    changed /= changed.sum()
    return changed


def settled(votes: Floats, total: float) -> Floats:
    """Return the votes, those of all leaders the same where they differ by rounding only."""
    most = votes.max(axis=1, keepdims=True)
    return np.where(votes >= most - max(1e-14 * total, 1e-15), most, votes)


def posteriors_of(votes: Floats) -> Floats:
    """Return the probabilities behind the votes: their softmax, twice as steep."""
    shares: Floats = np.exp(2 * (votes - votes.max(axis=1, keepdims=True)))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def scores_of(votes: Floats) -> Floats:
    """Return the votes of each class; with two classes, how much those of the second exceed the others."""
    if votes.shape[1] == 2:
        return votes[:, 1] - votes[:, 0]
    return votes[:, 0] if votes.shape[1] == 1 else votes


def _no_better_than_chance(number: int, error: float) -> str:
    if number == 1:
        return (
            f"The first member is no better than random guessing (error {error:.4g}): it is the only member."
        )
    return f"Member {number} was no better than random guessing (error {error:.4g}): it was discarded."
