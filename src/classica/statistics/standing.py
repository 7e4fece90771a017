"""The position of one model in a ranking."""

from __future__ import annotations

from dataclasses import dataclass

from classica.recorded import Recorded
from classica.statistics.interval import Interval
from classica.statistics.paired_test import BayesianTest

#: The least probability of being practically as good as the best: more probable than not. A higher threshold
#: rules out simple models on small tables and gains little accuracy; see the simulation in
#: docs/decisions/0045-the-recommendation.md.
AS_GOOD = 0.5


@dataclass(frozen=True)
class Standing(Recorded):
    """A model in a ranking.

    Attributes
    ----------
    name : str
        The model.
    score : Interval
        Its mean score over the folds or rows.
    gap : Interval
        How far it is behind the best: the best score minus its own, or the reverse if lower is better, so
        that the mean is never negative.
    p : float
        The p-value of the test against the best; 1 for the best itself.
    p_holm : float
        The p-value with Holm's correction for the number of models.
    against_best : BayesianTest
        The probabilities that it is worse than the best, practically equivalent, and better.
    tied : bool
        Whether it is statistically tied with the best: not significantly worse.
    """

    name: str
    score: Interval
    gap: Interval
    p: float
    p_holm: float
    against_best: BayesianTest
    tied: bool

    @property
    def as_good(self) -> float:
        """The probability that it is practically as good as the best: at most the margin (rope) worse."""
        return self.against_best.equal + self.against_best.better

    @property
    def is_as_good(self) -> bool:
        """Whether it is practically as good as the best with a probability of at least `AS_GOOD`."""
        # A mean difference of exactly the margin has a probability of a half, but for rounding.
        return self.as_good >= AS_GOOD - 1e-9
