"""Findings about whether the result can be trusted: leaks, chance, and the best there can be (E5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import DiagnosisRule, Finding
from classica.wording import joined, points


class Leak(DiagnosisRule):
    """Columns that alone tell the target."""

    code = "E501"
    title = "Possible target leakage"
    order = 10
    meaning = (
        "One column alone predicts the target almost perfectly. It may be the target in another form, or a "
        "value that is recorded only after the target is known."
    )
    rule = "Reported when a column that the profile of the table suspects (D301) is used as a feature."
    remedy = (
        "Check when the column is filled in. If that is after the target is known, leave the column out "
        '(role "ignored" in a schema): the model would fail on new data. If it is known before, keep it.'
    )
    shown_by = ("classica.tables.profile",)

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the columns suspected of leaking, in one finding."""
        if evidence.leaks:
            shown = joined([f"{name!r} ({share:.1%} of the rows)" for name, share in evidence.leaks.items()])
            detail = f"The target can be predicted from a single column: {shown}."
            remedy = "If the column is filled in only after the target is known, leave it out."
            yield self.finding(detail, remedy, columns=dict(evidence.leaks))


class SuspiciouslyGood(DiagnosisRule):
    """Hardly an error where chance makes many."""

    code = "E502"
    title = "Suspiciously high accuracy"
    order = 20
    #: Errors of no more than this on so many rows, where chance errs on so many, are rare in honest tables.
    TOO_GOOD = 0.002
    ENOUGH_ROWS = 100
    CHANCE_ERROR = 0.2
    meaning = (
        "The best model makes hardly any errors on a problem where the majority-class baseline makes many. "
        "That is possible, but more often a mistake in the table is the cause."
    )
    rule = (
        f"Reported when the best model misclassifies at most {TOO_GOOD:.1%} of at least {ENOUGH_ROWS} rows, "
        f"the majority-class baseline misclassifies at least {CHANCE_ERROR:.0%}, and no single column "
        "explains it (E501)."
    )
    remedy = (
        "Check that no feature is derived from the target and that the table has no duplicate rows (D401), "
        "which would put test rows into the training set. Keep rows of one person or object in one fold "
        "(--groups)."
    )
    shown_by = ("classica.tables.profile", "classica.confusion")
    source = "T: training error and test error"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the best model, if it is too good."""
        found = evidence.confusion
        if found is None or evidence.leaks:
            return
        rows = int(found.support.sum())
        chance = 1 - float(found.support.max() / rows)
        if rows >= self.ENOUGH_ROWS and found.error <= self.TOO_GOOD and chance >= self.CHANCE_ERROR:
            wrong = round(found.error * rows)
            guess = f"the majority-class baseline misclassifies {chance:.1%}"
            detail = f"{evidence.title(evidence.best)} misclassifies {wrong:,} of {rows:,} rows; {guess}."
            remedy = "Check that no feature is derived from the target and that there are no duplicate rows."
            numbers: dict[str, Any] = {"error": found.error, "chance_error": chance, "rows": rows}
            yield self.finding(detail, remedy, models=[evidence.best], **numbers)


class NoBetterThanChance(DiagnosisRule):
    """Nothing was learned that chance does not know."""

    code = "E503"
    title = "No model beats the baseline"
    order = 30
    #: With fewer folds than this, even large differences are rarely shown.
    ENOUGH_FOLDS = 5
    meaning = (
        "No model predicts significantly better than the majority-class baseline, so the order of the models "
        "means nothing."
    )
    rule = (
        "Reported when no model is significantly better than the baseline on the same folds, by corrected "
        "one-sided t-tests with p-values corrected for the number of models (Holm). It needs at least 2 "
        f"folds; with fewer than {ENOUGH_FOLDS} the tests have little power."
    )
    remedy = (
        "With few rows the tests may lack power: collect more rows or repeat the cross-validation. Otherwise "
        "the features may carry no information about the target: add other features."
    )
    shown_by = ("classica.statistics.better_than", "classica.ChanceClassifier")
    source = "T: a random classifier as the baseline"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the best model, if it is not better than the baseline."""
        folds = 0 if evidence.baseline is None else len(evidence.baseline)
        if evidence.baseline is None or not evidence.finished or not evidence.is_chance or folds < 2:
            return  # one fold shows nothing
        baseline, best = float(np.mean(evidence.baseline)), evidence.comparison.standings[0].score.mean
        name = evidence.title(evidence.best)
        detail = (
            f"The best model, {name}, scores {evidence.shown(best)} and is not significantly better than the "
            f"baseline ({evidence.shown(baseline)})."
        )
        remedy = "Collect more rows, or add features: these may carry no information about the target."
        if folds < self.ENOUGH_FOLDS:
            remedy = f"{folds} folds are few: use 10, or repeat the cross-validation. {remedy}"
        yield self.finding(detail, remedy, models=[evidence.best], best=best, chance=baseline)


class IrreducibleError(DiagnosisRule):
    """The error of the best model is close to the estimated Bayes error."""

    code = "E504"
    title = "Probably irreducible error"
    order = 130
    is_actionable = False
    counts_errors = True
    #: The share of the error that is estimated to stay.
    CLOSE = 0.5
    meaning = (
        "A large share of the best model's error is estimated to be irreducible: no classifier on these "
        "features would avoid it."
    )
    rule = (
        "The leave-one-out errors of nearest neighbours give an interval for the Bayes error. Reported when "
        f"the error of the best model lies within the interval and the lower end is at least {CLOSE:.0%} of "
        "that error. The bounds hold for infinitely many rows, so the interval is an estimate and not a "
        "guarantee."
    )
    remedy = (
        "Another model can gain at most the distance to the lower end of the interval, as far as the "
        "estimate is right. Beyond that only better features help: the Bayes error depends on the features."
    )
    shown_by = ("classica.table_bayes_error", "classica.bayes_error_bracket")
    source = "R: bounds of the nearest-neighbour error"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the best model, if its error is within the bracket."""
        bracket, found = evidence.bracket, evidence.confusion
        if bracket is None or found is None:
            return
        if not 0 < self.CLOSE * found.error <= bracket.lower <= found.error <= bracket.upper:
            return
        detail = (
            f"{evidence.title(evidence.best)} misclassifies {found.error:.1%} of the rows; the Bayes error, "
            "that of the best possible classifier on these features, is estimated between "
            f"{bracket.lower:.1%} and {bracket.upper:.1%} from nearest neighbours."
        )
        remedy = (
            f"Look for better features: by this estimate, another model would gain at most "
            f"{points(found.error - bracket.lower)}."
        )
        numbers: dict[str, Any] = {"error": found.error, "lower": bracket.lower, "upper": bracket.upper}
        yield self.finding(detail, remedy, models=[evidence.best], **numbers)


class NeighboursDoBetter(DiagnosisRule):
    """The error of the best model is above that of nearest neighbours."""

    code = "E505"
    title = "Nearest neighbours do better"
    order = 130
    counts_errors = True
    #: By how many of its standard errors the error is above.
    SPREADS = 2
    meaning = "Nearest neighbours on all rows misclassify fewer rows than the best model."
    rule = (
        f"Reported when the error of the best model is more than {SPREADS} standard errors above the upper "
        "confidence limit of the best k-NN (leave-one-out, features scaled)."
    )
    remedy = (
        "Try nearest neighbours or a kernel method: the classes probably have curved or scattered regions."
    )
    shown_by = ("classica.table_bayes_error", "classica.KNeighborsClassifier", "classica.SVMClassifier")
    source = "R: bounds of the nearest-neighbour error"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the best model, if its error is above the bracket."""
        bracket, found = evidence.bracket, evidence.confusion
        if bracket is None or found is None:
            return
        spread = self.SPREADS * float(np.sqrt(found.error * (1 - found.error) / found.support.sum()))
        if found.error - spread <= bracket.upper:
            return
        model, neighbours = (
            evidence.title(evidence.best),
            f"{bracket.best_k}-NN only {bracket.best_error:.1%}",
        )
        detail = f"{model} misclassifies {found.error:.1%} of the rows, {neighbours}."
        remedy = "Try nearest neighbours or a kernel method."
        numbers: dict[str, Any] = {"error": found.error, "lower": bracket.lower, "upper": bracket.upper}
        yield self.finding(detail, remedy, models=[evidence.best], **numbers)


class Failures(DiagnosisRule):
    """Models that did not finish all folds."""

    code = "E506"
    title = "Failed models"
    order = 50
    is_actionable = False
    meaning = "A model did not finish all folds, so it cannot be ranked with the others."
    rule = "Reported when a fold of a model failed with an error or exceeded its time or memory limit."
    remedy = (
        "Read the error message of the model. Raise the time or memory limit (--limit, --memory), or leave "
        "the model out."
    )
    shown_by = ("classica.compare",)

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the models that failed, in one finding."""
        failed = evidence.comparison.failed
        if failed:
            are = "is" if len(failed) == 1 else "are"
            detail = f"{evidence.joined(failed)} did not finish all folds and {are} not ranked."
            remedy = "Read the error message of each model; raise its time or memory limit, or leave it out."
            yield self.finding(detail, remedy, models=failed)


class NoBetterThanBaseline(DiagnosisRule):
    """Single models that constant predictions do as well as, or better."""

    code = "E507"
    title = "No better than the baseline"
    order = 40
    is_actionable = False
    meaning = (
        "A model does not beat a constant prediction, such as always the most frequent class, although other "
        "models on the same table may."
    )
    rule = (
        "Reported when a model is significantly worse than the baseline on the same folds (corrected "
        "one-sided t-tests, Holm correction for the number of models), or when its mean score does not "
        "exceed that of the baseline. Where no model beats the baseline (E503), only significantly worse "
        "models are named."
    )
    remedy = (
        "Do not use such a model as it is. Regularise it (QDA with nearly singular covariance matrices needs "
        "a ridge), tune it, scale the features, or use another model."
    )
    shown_by = ("classica.statistics.better_than", "classica.ChanceClassifier")
    source = "T: a random classifier as the baseline"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the models at or below the baseline, in one finding."""
        if evidence.baseline is None:
            return
        baseline = float(np.mean(evidence.baseline))
        means = {name: float(np.mean(evidence.test_scores[name])) for name in evidence.finished}
        worse = {name: mean for name, mean in means.items() if name in evidence.worse_than_baseline}
        sign = 1 if evidence.higher_is_better else -1
        # Where no model is better (E503), only those that are worse are worth a word of their own.
        no_better = {
            name: mean
            for name, mean in means.items()
            if not evidence.is_chance and name not in worse and sign * (mean - baseline) <= 0
        }
        if not worse and not no_better:
            return
        detail = " ".join(
            _against_baseline(evidence, found, how, baseline)
            for found, how in ((worse, "significantly worse than"), (no_better, "no better than"))
            if found
        )
        remedy = (
            "Do not use such a model as it is: regularise or tune it, scale the features, or use another "
            "model."
        )
        groups = {"worse": worse, "no_better": no_better}
        yield self.finding(detail, remedy, models=[*worse, *no_better], **groups, baseline=baseline)


def _against_baseline(evidence: Evidence, found: dict[str, float], how: str, baseline: float) -> str:
    names = joined([f"{evidence.title(name)} ({evidence.shown(mean)})" for name, mean in found.items()])
    # What least loss or cost a constant prediction has is not always that of the most frequent class.
    kind = "majority-class baseline" if evidence.higher_is_better else "baseline"
    return f"{names} score{'s' if len(found) == 1 else ''} {how} the {kind} ({evidence.shown(baseline)})."
