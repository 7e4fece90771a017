"""Rules of a diagnosis about fit and data: too simple, too complex, too few rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from classica.diagnosis.diagnosis_thresholds import LOST, OF_ERROR, POINT, SURE
from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import Finding
from classica.recorded import Recorded
from classica.selection.curve_measure import MEASURES
from classica.statistics.interval import corrected_interval
from classica.statistics.paired_test import corrected_t_test
from classica.wording import points


@dataclass(frozen=True)
class _Gap(Recorded):
    """How a model does on the rows it learned from, and on new ones."""

    train: float
    test: float
    gap: float
    low: float
    high: float


def overfitting(evidence: Evidence) -> Iterator[Finding]:
    """E101: much better on the rows it learned from than on new ones."""
    gaps = {name: gap for name in evidence.finished if (gap := _gap(evidence, name)) is not None}
    if not gaps:
        return
    worst = sorted(gaps, key=lambda name: -gaps[name].gap)
    first = evidence.best if evidence.best in gaps else worst[0]
    shown = gaps[str(first)]
    does, whose = ("does", "") if len(worst) == 1 else ("do", f"; {evidence.title(first)}")
    detail = (
        f"{evidence.joined(worst)} {does} much better on the training set than on new rows{whose}: "
        f"{evidence.shown(shown.train)} against "
        f"{evidence.shown(shown.test)}.{_variance(evidence) if evidence.best in gaps else ''}"
    )
    remedy = "Take a simpler model, regularise (prune, larger K, smaller C, more penalty), or get more data."
    if evidence.best in gaps:
        remedy += f" As it is, {evidence.title(evidence.best)} is still the best on new rows."
    yield Finding.of("E101", detail, remedy, models=gaps, best_overfits=evidence.best in gaps)


def _variance(evidence: Evidence) -> str:
    """Return how much of the best model's error is variance, if that was estimated."""
    known = evidence.bias_variance
    if known is None or known.zero_one is None:
        return ""
    rate, variance = known.zero_one.total, points(known.zero_one.variance)
    whose = f"of the error rate of {evidence.title(evidence.best)} ({rate:.1%})"
    return f" With {known.training_size:,} training rows, {variance} {whose} are variance."


def _gap(evidence: Evidence, name: str) -> _Gap | None:
    train, test = evidence.trained(name), evidence.good(evidence.test_scores[name])
    if train is None:
        return None
    found = corrected_interval(train - test, evidence.test_fraction, 1 - evidence.alpha)
    start = float(np.mean(evidence.good(evidence.floor))) if evidence.floor is not None else 0.0
    learned = abs(float(np.mean(train)) - start)
    # One fold has no interval, and of few rows its gap is often large by chance.
    sure = found.low > 0
    if not sure or found.mean <= evidence.rope or found.mean < LOST * learned:
        return None
    sign = 1 if evidence.higher_is_better else -1
    means = sign * float(np.mean(train)), sign * float(np.mean(test))
    return _Gap(*means, found.mean, found.low, found.high)


def underfitting(evidence: Evidence) -> Iterator[Finding]:
    """E102: worse even on the rows it learned from than the best is on new ones."""
    if evidence.best is None:
        return
    best = evidence.good(evidence.test_scores[evidence.best])
    found: dict[str, float] = {}
    # A model that may be the best is not too simple, and one that overfits would do so all the more.
    for name in [
        each for each in evidence.finished if each not in {evidence.best, *evidence.comparison.tied}
    ]:
        train = evidence.trained(name)
        if train is None or float(np.mean(best) - np.mean(train)) <= evidence.rope or _gap(evidence, name):
            continue
        test = corrected_t_test(
            best, train, evidence.test_fraction, alternative="greater", resolution=evidence.resolution
        )
        if test.p <= evidence.alpha:
            found[name] = float(np.mean(evidence.train_scores[name]))
    if found:
        detail = (
            f"{evidence.joined(found)} {'does' if len(found) == 1 else 'do'} worse on the training set "
            f"than {evidence.title(evidence.best)} on new rows: too simple for this table."
        )
        remedy = "Take a more complex model, regularise less, or add columns; more rows will not help them."
        yield Finding.of("E102", detail, remedy, models=found, best=evidence.best)


def more_rows(evidence: Evidence) -> Iterator[Finding]:
    """E103 and E104: whether more rows would lower the error."""
    ahead = evidence.extrapolation
    if ahead is None or not ahead.known:
        return
    numbers, measure = ahead.record(), MEASURES[ahead.measure]
    worth, sure = min(POINT, OF_ERROR * ahead.error), SURE
    if not measure.is_share:  # a point of the target's unit means nothing: shares of the RMSE count
        worth, sure = OF_ERROR * ahead.error, SURE * ahead.error
    if ahead.gain >= worth / 2 and ahead.low >= sure:
        yield Finding.of("E103", str(ahead), "Get more data.", **numbers)
    elif ahead.high < worth:
        times = f"{ahead.more_rows / ahead.rows:.3g} times as many rows"
        detail = f"{times} would lower the {ahead.measure} by at most "
        remedy = "Better columns or another model would give more than more rows."
        yield Finding.of("E104", f"{detail}{measure.difference(ahead.high)}.", remedy, **numbers)
