"""Rank models by their scores on folds, with tests and the set tied for best."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.native import Floats
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between, paired_step, read_models, read_scores
from classica.statistics.interval import Interval, corrected_interval
from classica.statistics.paired_test import bayesian_t_test, corrected_t_test, holm
from classica.statistics.standing import Standing
from classica.wording import joined


@dataclass(frozen=True)
class Comparison(Recorded):
    """Models from the best to the worst, with tests of their differences.

    Attributes
    ----------
    standings : list of Standing
        The models that finished all folds, the best first; models with equal means are in the given order.
    failed : list of str
        Models with a failed fold; the mean of the remaining folds would not be a fair comparison.
    tied : list of str
        The best model and those that are not significantly worse.
    alpha : float
        The significance level of the tests, for all models together.
    """

    standings: list[Standing]
    failed: list[str]
    tied: list[str]
    alpha: float

    @property
    def best(self) -> str | None:
        """The name of the model with the best mean; None if all failed."""
        return self.standings[0].name if self.standings else None

    def without(self, name: str) -> Comparison:
        """Return the ranking without one model, such as the baseline."""
        standings = [each for each in self.standings if each.name != name]
        others = [each for each in self.failed if each != name]
        return Comparison(standings, others, [each for each in self.tied if each != name], self.alpha)

    def table(self) -> str:
        """Return the ranking as text."""
        width = max([5, *(len(each.name) for each in self.standings)])
        lines = [f"  {'model':<{width}}   mean  interval          behind  p (Holm)  worse  equal  better"]
        for each in self.standings:
            score, test = each.score, each.against_best
            lines.append(
                f"{'*' if each.tied else ' '} {each.name:<{width}} {score.mean:6.4f}  "
                f"{score.low:.4f} to {score.high:.4f}  {each.gap.mean:6.4f}  {each.p_holm:8.3g}  "
                f"{test.worse:5.1%}  {test.equal:5.1%}  {test.better:6.1%}"
            )
        return "\n".join([*lines, "", str(self)])

    def __str__(self) -> str:
        if not self.standings:
            return "No model finished all folds."
        first = self.standings[0].name
        others = [name for name in self.tied if name != first]
        score = self.standings[0].score
        tied = f"tied with {joined(others)}" if others else "ahead of all others"
        if not self.tied:
            tied = "not significantly better than the baseline"
        failed = f" Failed: {joined(self.failed)}." if self.failed else ""
        if len(self.standings) == 1:
            tied = "the only model that finished"
        return f"Best: {first}, {tied}. Its mean: {score}.{failed}"


def compare_tests(
    scores: Mapping[str, Any],
    test_fraction: float,
    rope: float = 0.01,
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    limits: tuple[float, float] = (-math.inf, math.inf),
    resolution: float | None = None,
) -> Comparison:
    """Rank models by their scores on the same folds, and test each against the best.

    Parameters
    ----------
    scores : dict from str to array-like of shape (n_folds,)
        The scores of each model; NaN for a failed fold. List simpler models first: of models with equal
        means, the first is considered the best.
    test_fraction : float
        The share of the rows in each test fold: 0.1 for ten folds, with or without repeats.
    rope : float, default=0.01
        The region of practical equivalence: smaller differences do not matter.
    alpha : float, default=0.05
        The significance level of the tests; intervals have confidence 1 - alpha.
    higher_is_better : bool, default=True
        Whether higher scores are better.
    limits : tuple of float, optional
        The lowest and the highest possible score, such as (0, 1), to which intervals of means are clipped.
    resolution : float or None, default=None
        The smallest step of a score, such as one over the number of rows of a fold for accuracy. It is used
        if the folds have equal scores or equal differences, as in `corrected_t_test`.

    Returns
    -------
    Comparison

    Notes
    -----
    The best model is selected and tested on the same scores, but p-values are two-sided and corrected for the
    number of models: the truly best model is missing from the tied set with a probability of at most about
    alpha / 2. With a single fold no test is possible, and all models are tied.

    The interval of the best model is not corrected for selection: of many equally good models the luckiest
    comes first, and its mean is optimistic.

    Examples
    --------
    >>> scores = {
    ...     "tree": [0.85, 0.86, 0.84, 0.88, 0.82],
    ...     "forest": [0.90, 0.95, 0.85, 0.92, 0.88],
    ...     "chance": [0.50, 0.52, 0.49, 0.51, 0.50],
    ... }
    >>> compare_tests(scores, test_fraction=0.2).tied
    ['forest', 'tree']
    """
    check_between("test_fraction", test_fraction)
    check_between("alpha", alpha)
    read = read_models(scores)
    finished = {name: values for name, values in read.items() if not np.isnan(values).any()}
    sign = 1.0 if higher_is_better else -1.0
    # Equal means may differ by rounding, which depends on the order of addition.
    ranked = sorted(finished, key=lambda name: -sign * round(float(np.mean(finished[name])), 12))
    good = {name: sign * finished[name] for name in ranked}
    p_values, adjusted = _against_first(good, test_fraction, resolution)
    standings = [
        Standing(
            name=name,
            score=corrected_interval(
                finished[name], test_fraction, 1 - alpha, limits=limits, resolution=resolution
            ),
            gap=_gap(good[ranked[0]], good[name], test_fraction, 1 - alpha, resolution),
            p=p_values[name],
            p_holm=adjusted[name],
            against_best=bayesian_t_test(
                good[name], good[ranked[0]], test_fraction, rope, resolution=resolution
            ),
            tied=not adjusted[name] <= alpha,
        )
        for name in ranked
    ]
    failed = [name for name in read if name not in finished]
    return Comparison(standings, failed, [each.name for each in standings if each.tied], float(alpha))


def tied_for_best(
    scores: Mapping[str, Any],
    test_fraction: float,
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    resolution: float | None = None,
) -> list[str]:
    """Return the model with the best mean and all models that are not significantly worse, the best first.

    Parameters
    ----------
    scores, test_fraction, alpha, higher_is_better, resolution
        As in `compare_tests`.

    Returns
    -------
    list of str
    """
    ranking = compare_tests(
        scores, test_fraction, alpha=alpha, higher_is_better=higher_is_better, resolution=resolution
    )
    return ranking.tied


def better_than(
    scores: Mapping[str, Any],
    floor: Any,
    test_fraction: float,
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    resolution: float | None = None,
) -> dict[str, float]:
    """Return the models that are significantly better than a baseline, with their corrected p-values.

    Parameters
    ----------
    scores : dict from str to array-like of shape (n_folds,)
        The scores of each model; models with a failed fold (NaN) are never returned.
    floor : array-like of shape (n_folds,) or float
        The scores of the baseline on the same folds, or one number for all folds.
    test_fraction, alpha, higher_is_better, resolution
        As in `compare_tests`; the tests are one-sided.

    Returns
    -------
    dict from str to float
    """
    read = read_models(scores)
    check_between("alpha", alpha)
    folds = len(next(iter(read.values())))
    bar = read_scores(np.broadcast_to(floor, folds) if np.ndim(floor) == 0 else floor, "floor")
    side = "greater" if higher_is_better else "less"
    p = [
        corrected_t_test(each, bar, test_fraction, alternative=side, resolution=resolution).p
        for each in read.values()
    ]
    return {name: float(each) for name, each in zip(read, holm(p), strict=True) if each <= alpha}


def _gap(
    best: Floats, other: Floats, test_fraction: float, confidence: float, resolution: float | None
) -> Interval:
    """Return how far a model is behind, with an interval no narrower than the test allows."""
    behind = best - other
    step = paired_step(behind, resolution) or None
    return corrected_interval(behind, test_fraction, confidence, resolution=step)


def _against_first(
    good: Mapping[str, Floats], test_fraction: float, resolution: float | None
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the p-values of the models against the first, raw and corrected; 1 for the first itself."""
    if not good:
        return {}, {}
    first, *others = good
    p = [corrected_t_test(good[name], good[first], test_fraction, resolution=resolution).p for name in others]
    return (
        dict(zip([first, *others], [1.0, *p], strict=True)),
        dict(zip([first, *others], [1.0, *holm(p).tolist()], strict=True)),
    )
