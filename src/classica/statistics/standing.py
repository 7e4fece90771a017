"""How one model stands against the best."""

from __future__ import annotations

from dataclasses import dataclass

from classica.recorded import Recorded
from classica.statistics.interval import Interval
from classica.statistics.paired_test import BayesianTest


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
