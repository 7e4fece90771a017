"""Learning by passes over the rows, one step per batch: Adam, or descent with momentum."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from classica.errors import DataError
from classica.estimators.neural.mlp_network import Network
from classica.estimators.neural.mlp_rows import Cases
from classica.native import Floats
from classica.native.networks import StepRules, learning_pass

#: A mean loss beyond this is no learning any more: the true classes would have probabilities of exp(-1e10).
_LARGEST_LOSS = 1e10
#: The slowest rate "adaptive" goes down to.
_SLOWEST = 1e-6


@dataclass(frozen=True)
class PassRules:
    """How a network goes over rows, and when it stops."""

    adam: bool
    learning_rate: str
    learning_rate_init: float
    power_t: float
    momentum: float
    nesterov: bool
    beta_1: float
    beta_2: float
    epsilon: float
    alpha: float
    batch: int
    shuffle: bool
    tol: float
    max_iter: int
    n_iter_no_change: int

    def step(self, rate: float) -> StepRules:
        """Return the rules of steps of this rate."""
        descent = self.nesterov, rate, self.momentum
        return self.adam, *descent, self.beta_1, self.beta_2, self.epsilon, self.alpha, self.batch


@dataclass
class Patience:
    """Counts passes without progress."""

    tol: float
    best: float = np.inf
    waited: int = 0

    def sees(self, value: float) -> bool:
        """Take in a value that should fall; return whether it is the lowest so far."""
        self.waited = 0 if value <= self.best - self.tol else self.waited + 1
        lowest = value < self.best
        self.best = min(self.best, value)
        return lowest


@dataclass
class Passes:
    """A network as it learns, pass by pass: what it carries from each to the next."""

    network: Network
    parameters: Floats
    rate: float
    first: Floats
    second: Floats
    steps: int = 0
    count: int = 0
    cases_seen: int = 0
    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    @classmethod
    def start(cls, network: Network, seed: int, rules: PassRules) -> Passes:
        """Return a network of random parameters."""
        rate = rules.learning_rate_init
        return cls(network, network.drawn(seed), rate, network.empty(), network.empty())

    def take(self, cases: Cases, rules: PassRules, threads: int) -> float:
        """Go over the cases once and return their mean loss."""
        taken = cases.shuffled(self.count) if rules.shuffle else cases.arrays
        state = self.parameters, self.first, self.second, self.steps
        stepping = rules.step(self.rate)
        loss = learning_pass(taken, self.network.arrays, stepping, *state, threads) / len(cases)
        self.steps += -(-len(cases) // rules.batch)
        self.count += 1
        self.cases_seen += len(cases)
        self.losses.append(loss)
        require_sense(loss, self.parameters)
        if not rules.adam and rules.learning_rate == "invscaling":
            self.rate = rules.learning_rate_init / (self.cases_seen + 1) ** rules.power_t
        return loss

    def learn(self, cases: Cases, judged: Cases | None, rules: PassRules, threads: int) -> bool:
        """Take passes until there is no progress; return whether it came to that."""
        patience, best = Patience(rules.tol), self.parameters.copy()
        held_out = None if judged is None else judged.X[judged.order]
        for _ in range(rules.max_iter):
            value = self.take(cases, rules, threads)
            if judged is not None:
                scores = self.network.scores(held_out, self.parameters, threads)
                self.scores.append(judged.accuracy(scores))
                value = -self.scores[-1]
            if patience.sees(value) and judged is not None:
                best[:] = self.parameters
            if patience.waited > rules.n_iter_no_change and not self._slows_down(rules, patience):
                break
        if judged is not None:
            self.parameters[:] = best
        return patience.waited > rules.n_iter_no_change

    def _slows_down(self, rules: PassRules, patience: Patience) -> bool:
        """Go on with a fifth of the rate, if it adapts and is not too low already."""
        if rules.adam or rules.learning_rate != "adaptive" or self.rate <= _SLOWEST:
            return False
        self.rate /= 5.0
        patience.waited = 0
        return True


def require_sense(loss: float, parameters: Floats) -> None:
    """Refuse to go on with a network that has run away."""
    if not (loss < _LARGEST_LOSS and np.isfinite(parameters).all()):
        advice = "standardise the columns or lower learning_rate_init"
        raise DataError(f"The loss must be below {_LARGEST_LOSS:g} all the way ({advice}), got {loss:g}.")
