"""The rounds of AdaBoost: what a member's errors make of its vote and of the weights of the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats

#: A member that is better than chance by less than this knows nothing.
LEAST_EDGE = 1e-6


@dataclass(frozen=True)
class RoundRules:
    """How errors become votes.

    A member that errs with weight e gets α = η/2 [ln((1 − e)/e) + bonus]; it must err less than chance does.
    One that never errs would get an infinite α. It is taken to have made half an error in one case more
    than there are, and all earlier α are added: then it decides alone.
    """

    classes: int
    learning_rate: float
    bonus: float
    chance: float
    cases: float

    @classmethod
    def of(cls, classes: int, learning_rate: float, multiclass: str, cases: float) -> RoundRules:
        """Return the rules of ``multiclass="samme"`` or ``"m1"``."""
        if multiclass == "m1" or classes <= 2:
            return cls(classes, learning_rate, 0.0, 0.5, cases)
        return cls(classes, learning_rate, float(np.log(classes - 1)), 1 - 1 / classes, cases)

    def alpha(self, error: float) -> float:
        """Return the vote of a member that errs with this weight, above 0 and below chance."""
        return self.learning_rate / 2 * (float(np.log((1 - error) / error)) + self.bonus)

    def alpha_without_errors(self, earlier: float) -> float:
        """Return the vote of a member that never errs, after members with these votes altogether."""
        return self.alpha(0.5 / (self.cases + 1)) + earlier


class Rounds:
    """What is known of the rows as members come in: their weights, and the votes for each class."""

    def __init__(self, rules: RoundRules, codes: Codes, weights: Floats) -> None:
        self.rules = rules
        self.codes = codes
        self.start: Floats = weights / weights.sum()
        self.weights = self.start
        self.votes = np.zeros((len(codes), rules.classes))
        self.alphas: list[float] = []
        self.errors: list[float] = []
        self.staged_errors: list[float] = []
        self.stopped: str | None = None

    def take(self, said: Codes) -> bool:
        """Count what a new member says of each row; return whether it stays."""
        wrong = said != self.codes
        error, number = float(self.weights[wrong].sum()), len(self.alphas) + 1
        if error >= self.rules.chance - LEAST_EDGE:
            self.stopped = chance_sentence(number, error)
            if number > 1:
                return False
            alpha = 1.0
        elif error > 0:
            alpha = self.rules.alpha(error)
            self.weights = reweighted(self.weights, wrong, alpha)
        else:
            self.stopped = perfect_sentence(number)
            alpha = self.rules.alpha_without_errors(sum(self.alphas))
        self._add(said, alpha, error)
        return True

    def _add(self, said: Codes, alpha: float, error: float) -> None:
        self.votes[np.arange(len(said)), said] += alpha
        self.alphas.append(alpha)
        self.errors.append(error)
        leaders = settled(self.votes, sum(self.alphas)).argmax(axis=1)
        self.staged_errors.append(float(self.start[leaders != self.codes].sum()))


def reweighted(weights: Floats, wrong: NDArray[np.bool_], alpha: float) -> Floats:
    """Return the weights after a round: wrong rows exp(2α) times as heavy as before, summing to one."""
    # Less for the others is the same, and cannot overflow.
    changed: Floats = np.where(wrong, weights, weights * np.exp(-2 * alpha))
    changed /= changed.sum()
    return changed


def settled(votes: Floats, total: float) -> Floats:
    """Return the votes, those of all leaders the same where they differ by rounding only."""
    most = votes.max(axis=1, keepdims=True)
    return np.where(votes >= most - rounding_of(total), most, votes)


def rounding_of(total: float) -> float:
    """Return by how much sums of votes may differ that are the same."""
    return max(1e-14 * total, 1e-15)


def posteriors_of(votes: Floats) -> Floats:
    """Return the probabilities behind the votes: their softmax, twice as steep."""
    shares: Floats = np.exp(2 * (votes - votes.max(axis=1, keepdims=True)))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def chance_sentence(number: int, error: float) -> str:
    """Say why learning stopped at a member that knows nothing."""
    if number == 1:
        return f"The first member is no better than chance (error {error:.4g}): it is kept alone."
    return f"Member {number} was no better than chance (error {error:.4g}): it was left out."


def perfect_sentence(number: int) -> str:
    """Say why learning stopped at a member that knows everything."""
    return f"Member {number} made no error: it decides alone."
