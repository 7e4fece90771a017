"""Rank models by what they lose on held-out rows: scores, tests and the set tied for best from one source.

Every model comes with one loss for each row it has predicted without having been trained on it. Models that
left a race early have predicted fewer rows; they are compared with the others on the rows both have, so that
an easy part of the table is no advantage. Differences are tested by `row_test`; what selecting the best of a
model's own grid points flatters (`selection_bias`) is added to its losses before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np

from classica.statistics.fold_ranking import Comparison
from classica.statistics.fold_scores import check_between
from classica.statistics.interval import Interval
from classica.statistics.model_rows import ModelRows
from classica.statistics.paired_test import BayesianTest, holm
from classica.statistics.row_differences import error_law
from classica.statistics.standing import Standing


def rank_rows(
    losses: Mapping[str, Any],
    *,
    to_score: Callable[[float], float],
    rope: float = 0.01,
    confidence: float = 0.95,
    halves: Mapping[str, Any] | None = None,
    better: Collection[str] | None = None,
    points: Mapping[str, Any] | None = None,
    clusters: Any = None,
    limits: tuple[float, float] = (-math.inf, math.inf),
    random_state: int = 0,
) -> Comparison:
    """Rank models by their losses on held-out rows, and test each against the best.

    Parameters
    ----------
    losses : dict from str to array-like of shape (n_rows,)
        The loss of each model on every row, NaN where it has not predicted it. Give simpler models first: of
        equal means the first counts as best.
    to_score : function
        From a mean loss to the score that people read: ``lambda loss: 1 - loss`` or the loss itself.
    rope : float, default=0.01
        Up to what difference two models are practically the same.
    confidence : float, default=0.95
        The level of the intervals; tests are made at one minus it.
    halves : dict from str to array-like of shape (n_partitions, 2), optional
        The mean loss of each model trained on one half of the table and tested on the other, and the
        reverse, for the same random partitions; NaN where it failed. Models without any are tested with the
        larger allowance of `row_test` without halves.
    better : collection of str, optional
        The models that are significantly better than the baseline (`better_than_baseline_rows`): only they
        can be tied for best. By default all models can.
    points : dict from str to array-like of shape (n_rows, n_points), optional
        The losses of all grid points of a model, of which `losses` has the best one. Points that left a race
        early have NaN on the rows they have not predicted; these losses are imputed.
    clusters : array-like of shape (n_rows,), optional
        What rows belong to (a patient, a day) where rows of the same one are alike, as in a comparison whose
        folds keep groups together: clusters, not rows, then count as independent.
    limits : tuple of float, optional
        The least and the greatest score there is, at which intervals stop.
    random_state : int, default=0
        Random seed of the bootstrap.

    Returns
    -------
    Comparison
        In its intervals `deviation` is that of the rows and `folds` is their number. `failed` are the models
        with fewer than two rows. `tied` are the models that the test, adjusted by Holm, does not find worse
        than the best, without a hole in the ranking of those that can be.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.arange(200)
    >>> losses = {"lda": rows % 10 == 0, "tree": rows % 9 == 0, "chance": rows % 2 == 0}
    >>> better = better_than_baseline_rows(losses, losses.pop("chance"))
    >>> found = rank_rows(losses, to_score=lambda loss: 1 - loss, better=better)
    >>> found.best, found.tied
    ('lda', ['lda', 'tree'])
    """
    check_between("confidence", confidence)
    table = ModelRows(losses, halves or {}, points or {}, clusters, confidence, random_state)
    failed = [name for name in table.losses if name not in table.judged]
    alpha = 1 - confidence
    if not table.judged:
        return Comparison([], failed, [], alpha)
    tests = [_against(table, table.ranked[0], name) for name in table.ranked]
    adjusted = [1.0, *holm([test.p for test in tests[1:]]).tolist()]
    tied = _tied(table.ranked, adjusted, alpha, better)
    standings = [
        Standing(
            name=name,
            score=_score(table, name, to_score, limits),
            gap=_gap(test, confidence, _deviation(table, table.ranked[0], name)),
            p=test.p,
            p_holm=p_holm,
            against_best=_within(test, rope),
            tied=name in tied,
        )
        for name, test, p_holm in zip(table.ranked, tests, adjusted, strict=True)
    ]
    return Comparison(standings, failed, tied, alpha)


def better_than_baseline_rows(
    losses: Mapping[str, Any],
    baseline: Any,
    *,
    halves: Mapping[str, Any] | None = None,
    baseline_halves: Any = None,
    constant: float | None = None,
    points: Mapping[str, Any] | None = None,
    clusters: Any = None,
    alpha: float = 0.05,
    random_state: int = 0,
) -> dict[str, float]:
    """Return the models that are significantly better than the baseline, with adjusted p-values.

    Parameters
    ----------
    losses, halves, points, clusters, random_state
        As in `rank_rows`, without the baseline.
    baseline : array-like of shape (n_rows,)
        The losses of the baseline.
    baseline_halves : array-like of shape (n_partitions, 2), optional
        The mean losses of the baseline on the halves.
    constant : float, optional
        The mean loss of the best constant prediction on all rows. A baseline that learns from folds may be
        worse than that, by folds that differ in their classes; it is then taken to be as good.
    alpha : float, default=0.05
        The level of the tests together. They are one-sided, and adjusted by Holm.

    Returns
    -------
    dict from str to float
        Only models with an adjusted p-value of at most `alpha`.
    """
    check_between("alpha", alpha)
    known = {**(halves or {}), _BASELINE: baseline_halves}
    given = {name: each for name, each in known.items() if each is not None}
    table = ModelRows({**losses, _BASELINE: baseline}, given, points or {}, clusters, 1 - alpha, random_state)
    return _better(table, _BASELINE, constant, alpha) if _BASELINE in table.judged else {}


_BASELINE = "\0baseline"  # no model has this name


@dataclass(frozen=True)
class _Difference:
    """How far a model is behind: mean, standard error, two-sided p-value, rows and independent units."""

    mean: float
    error: float
    p: float
    rows: int
    units: int


def _against(table: ModelRows, best: str, name: str) -> _Difference:
    """Return how far a model is behind the best, with what both scores flatter taken into account."""
    behind = table.expected[name] - table.expected[best]
    test = table.test(best, name)
    if test is None:
        return _Difference(behind, math.nan, math.nan, 0, 0)
    p = float(2 * error_law(test.units).sf(abs(behind) / test.error)) if test.error else 1.0
    return _Difference(behind, test.error, 1.0 if name == best else p, test.rows, test.units)


def _better(table: ModelRows, baseline: str, constant: float | None, alpha: float) -> dict[str, float]:
    """Return the models significantly better than the baseline, by adjusted one-sided p-values."""
    names = [name for name in table.judged if name != baseline]
    mean = float(np.nanmean(table.losses[baseline]))
    lifted = min(0.0, constant - mean) if constant is not None else 0.0
    p_values = []
    for name in names:
        test = table.test(name, baseline)
        if test is None or not test.error:
            p_values.append(1.0)
            continue
        ahead = test.difference + lifted - table.selected[name].optimism
        p_values.append(float(error_law(test.units).sf(ahead / test.error)))
    return {name: p for name, p in zip(names, holm(p_values).tolist(), strict=True) if p <= alpha}


def _tied(
    ranked: list[str], adjusted: list[float], alpha: float, better: Collection[str] | None
) -> list[str]:
    """Return the models that may be the best: none below one that is significantly worse."""
    p_values = dict(zip(ranked, adjusted, strict=True))
    considered = ranked if better is None else [name for name in ranked if name in better]
    return list(takewhile(lambda name: not p_values[name] <= alpha, considered))


def _score(
    table: ModelRows, name: str, to_score: Callable[[float], float], limits: tuple[float, float]
) -> Interval:
    """Return the score of a model, moved to the rows of the leader."""
    own, expected = table.selected[name], table.expected[name]
    moved = expected - own.mean
    scores = (to_score(loss) for loss in (expected, own.low + moved, own.high + moved))
    mean, *ends = (float(np.clip(score, *limits)) for score in scores)
    spread = float(np.nanstd(table.losses[name], ddof=1))
    return Interval(mean, min(ends), max(ends), spread, own.rows, own.confidence)


def _deviation(table: ModelRows, best: str, name: str) -> float:
    differences = table.differences(best, name)
    return float(differences.std(ddof=1)) if len(differences) > 1 else math.nan


def _gap(test: _Difference, confidence: float, deviation: float) -> Interval:
    reach = test.error * float(error_law(test.units).isf((1 - confidence) / 2)) if test.rows else math.nan
    return Interval(test.mean, test.mean - reach, test.mean + reach, deviation, test.rows, confidence)


def _within(test: _Difference, rope: float) -> BayesianTest:
    """Return how probably a model is worse than the best, practically equal, and better."""
    if math.isnan(test.error):
        return BayesianTest(math.nan, math.nan, math.nan, rope)
    if not test.error:
        return BayesianTest(0.0, 1.0, 0.0, rope)
    law = error_law(test.units)
    worse, better = (float(law.sf((rope - sign * test.mean) / test.error)) for sign in (1, -1))
    return BayesianTest(worse, max(0.0, 1 - worse - better), better, rope)
