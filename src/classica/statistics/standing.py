"""How one model stands against the best."""

from __future__ import annotations

from dataclasses import dataclass

from classica.recorded import Recorded
from classica.statistics.interval import Interval
from classica.statistics.paired_test import BayesianTest

#: How probably a model must be practically as good as the best to count as such: more probably than not. A
#: higher demand rules out simple models on small tables, where nothing is known better, and gains little: of
#: docs/decisions/0045-the-recommendation.md the table.
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
        How much it is behind the best: the best's score minus its own, or the reverse where less is better,
        so that it is never negative for the mean.
    p : float
        The p-value of the test against the best; 1 for the best itself.
    p_holm : float
        The same, corrected for the number of models.
    against_best : BayesianTest
        How probably it is worse than the best, practically equal, better.
    tied : bool
        Whether it may be the best as well: it was not shown to be worse.
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
