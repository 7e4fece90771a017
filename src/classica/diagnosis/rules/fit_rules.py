"""Findings about fit and data: too simple, too complex, too few rows (E1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import DiagnosisRule, Finding
from classica.recorded import Recorded
from classica.selection.extrapolation import MEASURES, Extrapolation
from classica.statistics.interval import corrected_interval
from classica.statistics.paired_test import corrected_t_test
from classica.wording import points, sentence_start


@dataclass(frozen=True)
class _Gap(Recorded):
    """How a model does on the rows it learned from, and on new ones."""

    train: float
    test: float
    gap: float
    low: float
    high: float


class Overfitting(DiagnosisRule):
    """Much better on the rows it learned from than on new ones."""

    code = "E101"
    title = "Overfitting"
    order = 90
    #: The share of what a model has learned (beyond chance) that it loses on new rows.
    LOST = 0.2
    meaning = (
        "The model scores much better on the training set than on held-out rows: it has fitted noise in the "
        "training set along with the pattern. Its training score is no guide to new data."
    )
    rule = (
        "Reported when the mean difference between training and test score over the folds has a confidence "
        "interval (corrected for folds that share rows) above 0, exceeds the margin of equal scores (rope), "
        f"and is at least {LOST:.0%} of the improvement of the training score over the baseline. It needs at "
        "least 2 folds: a single fold has no interval."
    )
    remedy = (
        "Use a simpler model, regularise (prune a tree, raise k, lower C, penalise or smooth more), or "
        "collect more rows: all three lower the variance. Some models always fit their training set almost "
        "perfectly (1-NN, a forest of unpruned trees) and may still be the best on new data."
    )
    shown_by = ("classica.learning_curve", "classica.bias_variance", "classica.validation_curve")
    source = "T: over-fitting, bias and variance"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the models that overfit, the worst first."""
        gaps = {name: gap for name in evidence.finished if (gap := self.gap(evidence, name)) is not None}
        if not gaps:
            return
        worst = sorted(gaps, key=lambda name: -gaps[name].gap)
        first = evidence.best if evidence.best in gaps else worst[0]
        shown = gaps[str(first)]
        score, whose = ("scores", "") if len(worst) == 1 else ("score", f" ({evidence.title(first)})")
        detail = (
            f"{evidence.joined(worst)} {score} much better on the training set than on held-out rows: "
            f"{evidence.shown(shown.train)} against {evidence.shown(shown.test)}{whose}."
            f"{_variance(evidence) if evidence.best in gaps else ''}"
        )
        remedy = "Use a simpler model, regularise (prune, raise k, lower C), or collect more rows."
        if evidence.best in gaps:
            best = sentence_start(evidence.title(evidence.best))
            remedy += f" {best} is nevertheless the best on held-out rows."
        yield self.finding(detail, remedy, models=gaps, best_overfits=evidence.best in gaps)

    @classmethod
    def gap(cls, evidence: Evidence, name: str) -> _Gap | None:
        """Return how far a model overfits; None if it does not, or not surely."""
        train, test = evidence.trained(name), evidence.good(evidence.test_scores[name])
        if train is None:
            return None
        interval = corrected_interval(train - test, evidence.test_fraction, 1 - evidence.alpha)
        start = float(np.mean(evidence.good(evidence.baseline))) if evidence.baseline is not None else 0.0
        learned = abs(float(np.mean(train)) - start)
        # One fold has no interval, and of few rows its gap is often large by chance.
        sure = interval.low > 0
        if not sure or interval.mean <= evidence.rope or interval.mean < cls.LOST * learned:
            return None
        sign = 1 if evidence.higher_is_better else -1
        means = sign * float(np.mean(train)), sign * float(np.mean(test))
        return _Gap(*means, interval.mean, interval.low, interval.high)


def _variance(evidence: Evidence) -> str:
    """Return how much of the best model's error is variance, if that was estimated."""
    estimate = evidence.bias_variance
    if estimate is None or estimate.zero_one is None:
        return ""
    rate, variance = estimate.zero_one.total, points(estimate.zero_one.variance)
    whose = f"of the {rate:.1%} error rate of {evidence.title(evidence.best)}"
    return f" With {estimate.training_size:,} training rows, variance accounts for {variance} {whose}."


class Underfitting(DiagnosisRule):
    """Worse even on the rows it learned from than the best is on new ones."""

    code = "E102"
    title = "Underfitting"
    order = 100
    meaning = (
        "The model scores worse on its own training set than the best model does on held-out rows: it is too "
        "simple to express the pattern (high bias)."
    )
    rule = (
        "Reported when the mean training score is below the test score of the best model by more than the "
        "margin of equal scores (rope), and a corrected one-sided t-test is significant. The best model, "
        "models tied with it and models that overfit (E101) are left out."
    )
    remedy = (
        "Use a more flexible model, regularise less, or add features (products, squares, a kernel): that "
        "lowers the bias. More rows only lower the variance and will not help."
    )
    shown_by = ("classica.validation_curve", "classica.bias_variance")
    source = "T: under-fitting, bias and variance"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the models that underfit."""
        if evidence.best is None:
            return
        best = evidence.good(evidence.test_scores[evidence.best])
        shortfalls: dict[str, float] = {}
        # A model that may be the best is not too simple, and one that overfits would do so all the more.
        for name in [
            each for each in evidence.finished if each not in {evidence.best, *evidence.comparison.tied}
        ]:
            train = evidence.trained(name)
            if (
                train is None
                or float(np.mean(best) - np.mean(train)) <= evidence.rope
                or Overfitting.gap(evidence, name)
            ):
                continue
            test = corrected_t_test(
                best, train, evidence.test_fraction, alternative="greater", resolution=evidence.resolution
            )
            if test.p <= evidence.alpha:
                shortfalls[name] = float(np.mean(evidence.train_scores[name]))
        if shortfalls:
            detail = (
                f"{evidence.joined(shortfalls)} {'scores' if len(shortfalls) == 1 else 'score'} worse on the "
                f"training set than {evidence.title(evidence.best)} on held-out rows."
            )
            remedy = "Use a more flexible model, regularise less, or add features; more rows will not help."
            yield self.finding(detail, remedy, models=shortfalls, best=evidence.best)


class MoreRowsHelp(DiagnosisRule):
    """The learning curve still falls."""

    code = "E103"
    title = "More data would help"
    order = 110
    #: A gain of a point, or of this share of the error if that is less, is worth collecting rows for.
    POINT = 0.01
    OF_ERROR = 0.15
    #: The least gain that the lower end of the interval must promise.
    SURE = 0.001
    meaning = (
        "The learning curve of the best model is still falling: with twice as many rows its error is "
        "expected to be noticeably lower."
    )
    rule = (
        "A power law a + b n^(-c) is fitted to the test errors of the learning curve and extrapolated to "
        f"twice the rows. A gain of {100 * POINT:g} percentage point, or {OF_ERROR:.0%} of the error if that "
        "is less, is worth the effort. Reported when the expected gain is at least half of that and the "
        f"lower end of its interval at least {100 * SURE:g} percentage points. For a regressor the limits "
        f"are {OF_ERROR:.0%} and {100 * SURE:g}% of the RMSE."
    )
    remedy = "Collect more rows. Models with high variance (E101) gain most."
    shown_by = ("classica.learning_curve",)
    source = "T: effect of the training size"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the finding where twice the rows lower the error enough."""
        ahead = evidence.extrapolation
        if ahead is None or not ahead.known:
            return
        # A point of the target's unit means nothing: of a RMSE, shares count.
        sure = self.SURE if MEASURES[ahead.measure].is_share else self.SURE * ahead.error
        if ahead.gain >= self.worth(ahead) / 2 and ahead.low >= sure:
            yield self.finding(str(ahead), "Collect more rows.", **ahead.record())

    @classmethod
    def worth(cls, ahead: Extrapolation) -> float:
        """Return the gain that is worth collecting rows for."""
        share = cls.OF_ERROR * ahead.error
        return min(cls.POINT, share) if MEASURES[ahead.measure].is_share else share


class MoreRowsDoNotHelp(DiagnosisRule):
    """The learning curve has become flat."""

    code = "E104"
    title = "More data would not help"
    order = 120
    is_actionable = False
    POINT, OF_ERROR = MoreRowsHelp.POINT, MoreRowsHelp.OF_ERROR
    meaning = (
        "The learning curve of the best model has flattened: more rows of the same kind would change little."
    )
    rule = (
        "Reported when even the upper end of the interval of the gain from twice the rows (see E103) is "
        f"below {100 * POINT:g} percentage point, or {OF_ERROR:.0%} of the error if that is less. For a "
        f"regressor the limit is {OF_ERROR:.0%} of the RMSE."
    )
    remedy = (
        "Look for better features or another model. The remaining error is bias of this model or irreducible "
        "error, and more rows lower neither."
    )
    shown_by = ("classica.learning_curve", "classica.table_bayes_error")
    source = "T: effect of the training size"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the finding where even the upper end of the gain is not worth it."""
        ahead = evidence.extrapolation
        if ahead is None or not ahead.known or any(MoreRowsHelp().find(evidence)):
            return
        if ahead.high < MoreRowsHelp.worth(ahead):
            times = ahead.more_rows / ahead.rows
            most = MEASURES[ahead.measure].difference(ahead.high)
            more = "Doubling the rows" if times == 2 else f"{times:.3g} times as many rows"
            detail = f"{more} would lower the {ahead.measure} by at most {most}."
            remedy = "Look for better features or another model instead."
            yield self.finding(detail, remedy, **ahead.record())
