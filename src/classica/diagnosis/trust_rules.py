"""Rules of a diagnosis about whether the result can be trusted: leaks, chance, and the best there can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from classica.diagnosis.diagnosis_thresholds import (
    CHANCE_ERROR,
    CLOSE,
    ENOUGH_FOLDS,
    ENOUGH_ROWS,
    SPREADS,
    TOO_GOOD,
)
from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import Finding
from classica.wording import joined, points


def failures(evidence: Evidence) -> Iterator[Finding]:
    """E506: models that did not finish all folds."""
    failed = evidence.comparison.failed
    if failed:
        deed = "is" if len(failed) == 1 else "are"
        detail = f"{evidence.joined(failed)} did not finish all folds and {deed} not ranked."
        yield Finding.of("E506", detail, "See the reason with each model.", models=failed)


def leaks(evidence: Evidence) -> Iterator[Finding]:
    """E501: columns that alone tell the target."""
    if evidence.leaks:
        told = joined([f"{name!r} (right in {share:.1%})" for name, share in evidence.leaks.items()])
        detail = f"The target can be told from one column alone: {told}."
        remedy = "If it is known only after the target is, leave it out: nothing learned from it will last."
        yield Finding.of("E501", detail, remedy, columns=dict(evidence.leaks))


def suspiciously_good(evidence: Evidence) -> Iterator[Finding]:
    """E502: hardly an error where chance makes many."""
    found = evidence.confusion
    if found is None or evidence.leaks:
        return
    rows = int(found.support.sum())
    chance = 1 - float(found.support.max() / rows)
    if rows >= ENOUGH_ROWS and found.error <= TOO_GOOD and chance >= CHANCE_ERROR:
        wrong = round(found.error * rows)
        guess = f"always predicting the most frequent class misclassifies {chance:.1%}"
        detail = f"{evidence.title(evidence.best)} misclassifies {wrong:,} of {rows:,} rows; {guess}."
        remedy = "Check that no column was made from the target and that no row is in the table twice."
        numbers: dict[str, Any] = {"error": found.error, "chance_error": chance, "rows": rows}
        yield Finding.of("E502", detail, remedy, models=[evidence.best], **numbers)


def no_better_than_chance(evidence: Evidence) -> Iterator[Finding]:
    """E503: nothing was learned that chance does not know."""
    folds = 0 if evidence.floor is None else len(evidence.floor)
    if evidence.floor is None or not evidence.finished or not evidence.is_chance or folds < 2:
        return  # one fold shows nothing
    floor, best = float(np.mean(evidence.floor)), evidence.comparison.standings[0].score.mean
    name = evidence.title(evidence.best)
    detail = (
        f"The best model, {name}, scores {evidence.shown(best)}, the baseline {evidence.shown(floor)}: no "
        "significant difference."
    )
    remedy = "More rows may show a difference; otherwise the columns may say nothing about the target."
    if folds < ENOUGH_FOLDS:
        remedy = f"{folds} folds are few: use 10, or repeat them. {remedy}"
    yield Finding.of("E503", detail, remedy, models=[evidence.best], best=best, chance=floor)


def no_better_than_baseline(evidence: Evidence) -> Iterator[Finding]:
    """E507: single models that constant predictions do as well as, or better."""
    if evidence.floor is None:
        return
    floor = float(np.mean(evidence.floor))
    means = {name: float(np.mean(evidence.test_scores[name])) for name in evidence.finished}
    worse = {name: mean for name, mean in means.items() if name in evidence.worse_than_floor}
    sign = 1 if evidence.higher_is_better else -1
    # Where no model is better (E503), only those that are worse are worth a word of their own.
    no_better = {
        name: mean
        for name, mean in means.items()
        if not evidence.is_chance and name not in worse and sign * (mean - floor) <= 0
    }
    if not worse and not no_better:
        return
    detail = " ".join(
        _against_baseline(evidence, found, how, floor)
        for found, how in ((worse, "significantly worse than"), (no_better, "no better than"))
        if found
    )
    remedy = (
        "Do not use such a model as it is: regularise or tune it, scale the columns, or take another one. A "
        "constant prediction does as well."
    )
    groups = {"worse": worse, "no_better": no_better}
    yield Finding.of("E507", detail, remedy, models=[*worse, *no_better], **groups, baseline=floor)


def _against_baseline(evidence: Evidence, found: dict[str, float], how: str, floor: float) -> str:
    names = joined([f"{evidence.title(name)} ({evidence.shown(mean)})" for name, mean in found.items()])
    # What least loss or cost a constant prediction has is not always that of the most frequent class.
    baseline = "majority-class baseline" if evidence.higher_is_better else "baseline"
    return f"{names} score{'s' if len(found) == 1 else ''} {how} the {baseline} ({evidence.shown(floor)})."


def best_there_can_be(evidence: Evidence) -> Iterator[Finding]:
    """E504 and E505: how the best model's error compares with the bracket of the Bayes error."""
    bracket, found = evidence.bracket, evidence.confusion
    if bracket is None or found is None:
        return
    spread = SPREADS * float(np.sqrt(found.error * (1 - found.error) / found.support.sum()))
    numbers: dict[str, Any] = {"error": found.error, "lower": bracket.lower, "upper": bracket.upper}
    numbers["models"] = [evidence.best]
    said = f"{evidence.title(evidence.best)} misclassifies {found.error:.1%} of the rows"
    if found.error - spread > bracket.upper:
        detail = f"{said}, {bracket.best_k}-NN {bracket.best_error:.1%}."
        remedy = "There is room for a better model: try nearest neighbours or a kernel."
        yield Finding.of("E505", detail, remedy, **numbers)
    elif 0 < CLOSE * found.error <= bracket.lower <= found.error <= bracket.upper:
        detail = (
            f"{said}; from nearest neighbours the Bayes error, that of the best possible classifier on "
            f"these columns, is estimated between {bracket.lower:.1%} and {bracket.upper:.1%}. That is an "
            "estimate, never a floor."
        )
        remedy = (
            f"By this estimate another model may still gain up to {points(found.error - bracket.lower)}; "
            "beyond that, better columns are needed."
        )
        yield Finding.of("E504", detail, remedy, **numbers)
