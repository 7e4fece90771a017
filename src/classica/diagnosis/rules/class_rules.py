"""Findings about single classes: taken for one another, missed, few (E2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import DiagnosisRule, Finding
from classica.tables.findings.profile_findings import DominantClass
from classica.wording import joined


class ConfusedClasses(DiagnosisRule):
    """Two of three or more classes that account for much of the error."""

    code = "E201"
    title = "Confused classes"
    order = 80
    #: The share of all errors that is between the two classes, and of their rows ...
    OF_ERRORS = 0.25
    OF_ROWS = 0.05
    #: ... and the least number of rows.
    FEWEST = 5
    #: The most pairs that are reported.
    PAIRS = 3
    meaning = "A large share of the errors of the best model is between two classes."
    rule = (
        f"Reported when, with three or more classes, at least {FEWEST} rows, {OF_ERRORS:.0%} of all errors "
        f"and {OF_ROWS:.0%} of the rows of two classes are predicted as the other of the two. At most "
        f"{PAIRS} pairs are reported."
    )
    remedy = (
        "Look for features that separate the two classes, or train a binary classifier for this pair "
        "(all-vs-all trains one for every pair). If even an expert cannot separate them, consider merging "
        "them."
    )
    shown_by = ("classica.confusion", "classica.AllVsAllClassifier")
    source = "C, T: confusion matrix"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the pairs, the most confused first."""
        confusion = evidence.confusion
        if confusion is None or len(confusion.classes) < 3:
            return
        either = np.triu(confusion.matrix + confusion.matrix.T, k=1)
        errors = int(either.sum())
        labels = confusion.classes.tolist()
        for index in np.argsort(-either, axis=None, kind="stable")[: self.PAIRS]:
            i, j = np.unravel_index(index, either.shape)
            count = int(either[i, j])
            rows = int(confusion.support[i] + confusion.support[j])
            if count < max(self.FEWEST, self.OF_ERRORS * errors, self.OF_ROWS * rows):
                return
            detail = (
                f"{evidence.title(evidence.best)} predicts {labels[j]!r} for {confusion.matrix[i, j]:,} rows "
                f"of {labels[i]!r} and {labels[i]!r} for {confusion.matrix[j, i]:,} rows of {labels[j]!r}: "
                f"{count / errors:.1%} of all its errors."
            )
            remedy = (
                "Look for features that separate these classes, or train a binary classifier for this pair."
            )
            numbers: dict[str, Any] = {
                "model": evidence.best,
                "rows": count,
                "share_of_errors": count / errors,
            }
            yield self.finding(
                detail, remedy, models=[evidence.best], classes=[labels[i], labels[j]], **numbers
            )


class MissedClass(DiagnosisRule):
    """Classes of which most rows get another label."""

    code = "E202"
    title = "Mostly misclassified class"
    order = 70
    counts_errors = True
    FEWEST = ConfusedClasses.FEWEST
    #: The share of its rows that get another label.
    MISSED = 0.5
    meaning = (
        "The best model predicts another class for most rows of a class, however good its overall score is."
    )
    rule = (
        f"Reported when the best model misclassifies more than {MISSED:.0%} of a class by more than one "
        f"standard error, for a class of at least {FEWEST} rows."
    )
    remedy = (
        "Use class weights or a cost matrix, or rank by balanced accuracy: a model that minimises the number "
        "of errors sacrifices a rare class for a frequent one. More rows of that class help most."
    )
    shown_by = ("classica.confusion", "classica.BayesDecisionClassifier")
    source = "C: class error in the last column; L: costs"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the classes that are missed, in one finding."""
        confusion = evidence.confusion
        if confusion is None:
            return
        labels = confusion.classes.tolist()
        missed = {
            labels[index]: float(error)
            for index, error in enumerate(confusion.class_errors)
            if confusion.support[index] >= self.FEWEST
            and error - _spread(error, confusion.support[index]) > self.MISSED
        }
        if missed:
            shown = joined([f"{error:.1%} of {label!r}" for label, error in missed.items()])
            remedy = "Use class weights or a cost matrix, or rank by balanced accuracy."
            detail = f"{evidence.title(evidence.best)} misclassifies {shown}."
            yield self.finding(detail, remedy, models=[evidence.best], class_errors=missed)


def _spread(share: float, rows: int) -> float:
    """Return the standard error of a share: one row more or less makes no class a missed one."""
    return float(np.sqrt(share * (1 - share) / rows))


class OneClassHasMostRows(DiagnosisRule):
    """One class so frequent that accuracy says little."""

    code = "E203"
    title = "Imbalanced classes"
    order = 60
    MOST_ROWS = DominantClass.MOST_ROWS
    meaning = (
        "Always predicting the most frequent class is already accurate, so a high accuracy means little."
    )
    rule = f"Reported when the most frequent class has at least {MOST_ROWS:.0%} of the rows."
    remedy = (
        "Rank by balanced accuracy, AUC or costs, look at the error of each class, and compare with the "
        "majority-class baseline."
    )
    shown_by = ("classica.ChanceClassifier", "classica.metrics.answer_scores")
    source = "T: a random classifier as the baseline"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the most frequent class, if it has most rows."""
        if evidence.y is None:
            return
        labels, counts = np.unique(evidence.y, return_counts=True)
        share = float(counts.max() / counts.sum())
        if share >= self.MOST_ROWS and len(labels) > 1:
            label = labels.tolist()[int(counts.argmax())]
            detail = f"{share:.1%} of the rows are {label!r}: always predicting it is already that accurate."
            remedy = "Rank by balanced accuracy, AUC or costs, and look at the error of each class."
            yield self.finding(detail, remedy, majority=label, share=share)
