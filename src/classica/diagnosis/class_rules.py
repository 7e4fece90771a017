"""Rules of a diagnosis about single classes: taken for one another, missed, few."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from classica.diagnosis.diagnosis_thresholds import FEWEST, MISSED, OF_ERRORS, OF_ROWS, PAIRS
from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import Finding
from classica.tables.table_thresholds import MOST_ROWS
from classica.wording import joined


def confused_pairs(evidence: Evidence) -> Iterator[Finding]:
    """E201: two of three or more classes that account for much of the error."""
    found = evidence.confusion
    if found is None or len(found.classes) < 3:
        return
    either = np.triu(found.matrix + found.matrix.T, k=1)
    errors = int(either.sum())
    labels = found.classes.tolist()
    for place in np.argsort(-either, axis=None, kind="stable")[:PAIRS]:
        i, j = np.unravel_index(place, either.shape)
        count = int(either[i, j])
        rows = int(found.support[i] + found.support[j])
        if count < max(FEWEST, OF_ERRORS * errors, OF_ROWS * rows):
            return
        detail = (
            f"{evidence.title(evidence.best)} predicts {labels[j]!r} for {found.matrix[i, j]:,} rows of "
            f"{labels[i]!r} and {labels[i]!r} for {found.matrix[j, i]:,} rows of {labels[j]!r}: "
            f"{count / errors:.1%} of all its errors."
        )
        remedy = "Look for columns that separate these two, or train a classifier for the two alone."
        numbers: dict[str, Any] = {"model": evidence.best, "rows": count, "share_of_errors": count / errors}
        yield Finding.of(
            "E201", detail, remedy, models=[evidence.best], classes=[labels[i], labels[j]], **numbers
        )


def missed_classes(evidence: Evidence) -> Iterator[Finding]:
    """E202: classes of which most rows get another label."""
    found = evidence.confusion
    if found is None:
        return
    labels = found.classes.tolist()
    missed = {
        labels[place]: float(error)
        for place, error in enumerate(found.class_errors)
        if found.support[place] >= FEWEST and error - _spread(error, found.support[place]) > MISSED
    }
    if missed:
        told = joined([f"{label!r} ({error:.1%} misclassified)" for label, error in missed.items()])
        remedy = "Weigh the classes, give costs, or judge by balanced accuracy."
        detail = f"{evidence.title(evidence.best)} mostly misses {told}."
        yield Finding.of("E202", detail, remedy, models=[evidence.best], class_errors=missed)


def _spread(share: float, rows: int) -> float:
    """Return the standard error of a share: one row more or less makes no class a missed one."""
    return float(np.sqrt(share * (1 - share) / rows))


def imbalance(evidence: Evidence) -> Iterator[Finding]:
    """E203: one class so frequent that accuracy says little."""
    if evidence.y is None:
        return
    labels, counts = np.unique(evidence.y, return_counts=True)
    share = float(counts.max() / counts.sum())
    if share >= MOST_ROWS and len(labels) > 1:
        label = labels.tolist()[int(counts.argmax())]
        detail = f"{label!r} has {share:.1%} of the rows: always predicting it is already that accurate."
        remedy = "Judge by balanced accuracy, AUC or costs, and look at the error of each class."
        yield Finding.of("E203", detail, remedy, majority=label, share=share)
