"""Who may be the best: the corrected test over folds, and a test over the rows all models have predicted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np
from scipy import stats

from classica.evaluation.comparison import Comparison
from classica.evaluation.holm import holm
from classica.evaluation.standing import Standing
from classica.native import Floats


def with_tied_set(
    ranking: Comparison,
    row_losses: Mapping[str, Floats] | None = None,
    *,
    baseline: str | None = None,
    better_than_baseline: Collection[str] = (),
) -> Comparison:
    """Return a ranking with the set of models that are statistically tied for best.

    Few folds separate little, also where thousands of rows speak: a model is therefore left out of the set if
    the corrected test over folds rejects, or if the test over rows does (McNemar's where a loss is 0 or 1,
    the paired t-test otherwise; corrected by Holm) and the difference is larger than the margin of practical
    equivalence. The set has no holes: a model is in it only if every better one is. Where the best is not
    significantly better than the baseline, and from the baseline on down, nobody is.

    Parameters
    ----------
    ranking : Comparison
        As `compare_tests` gives it.
    row_losses : dict from str to array of shape (n_rows,), optional
        The loss of each model on every row that was held out once, for all models in the same order.
    baseline : str, optional
        The name of the baseline, where it takes part.
    better_than_baseline : collection of str, optional
        The models that are significantly better than the baseline.

    Returns
    -------
    Comparison
    """
    ranked = ranking.standings
    if not ranked:
        return ranking
    if baseline is not None and ranked[0].name not in better_than_baseline:
        tied = [False] * len(ranked)
    else:
        worse = _worse_by_rows(ranked, row_losses or {}, ranking.alpha)
        may_be_best = [each.tied and each.name != baseline and each.name not in worse for each in ranked]
        tied = list(accumulate(may_be_best, lambda before, this: before and this))
    standings = [replace(each, tied=is_tied) for each, is_tied in zip(ranked, tied, strict=True)]
    return replace(ranking, standings=standings, tied=[each.name for each in standings if each.tied])


def _worse_by_rows(ranked: Sequence[Standing], losses: Mapping[str, Floats], alpha: float) -> set[str]:
    """Return the models whose rows show that they are worse than the first, by more than the margin."""
    first, *others = ranked
    usable = {name for name, values in losses.items() if np.isfinite(values).all()}
    known = [each for each in others if {each.name, first.name} <= usable]
    if not known:
        return set()
    p_values = holm([_paired_p(losses[first.name], losses[each.name]) for each in known])
    return {
        each.name
        for each, p in zip(known, p_values, strict=True)
        if p <= alpha and each.gap.mean > each.against_best.rope
    }


def _paired_p(first: Floats, other: Floats) -> float:
    """Return the two-sided p-value of two models' losses on the same rows."""
    if np.isin(first, (0, 1)).all() and np.isin(other, (0, 1)).all():
        lost, won = int((other > first).sum()), int((other < first).sum())
        return float(stats.binomtest(lost, lost + won).pvalue) if lost + won else 1.0
    differences = other - first
    if len(differences) < 2 or not differences.any():
        return 1.0
    spread = float(differences.std(ddof=1))
    return float(stats.ttest_1samp(differences, 0.0).pvalue) if spread else 0.0
