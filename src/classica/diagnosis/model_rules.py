"""Rules of a diagnosis about models together, and their probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from classica.diagnosis.diagnosis_thresholds import BADLY, TIMES_CHANCE, VOTERS
from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import Finding
from classica.metrics.reliability import calibration
from classica.statistics.ensemble_diversity.majority import most_votes
from classica.statistics.ensemble_diversity.member_diversity import diversity
from classica.targets import encode_labels
from classica.wording import points


def voting(evidence: Evidence) -> Iterator[Finding]:
    """E301 and E302: what a vote of the best models would give."""
    tied = [name for name in evidence.answered if name in evidence.comparison.tied]
    voters = tied if len(tied) >= VOTERS else evidence.answered[:VOTERS]
    if len(voters) < VOTERS:
        return
    labels = np.asarray(evidence.y)  # known wherever there are predictions
    found = diversity({name: evidence.predictions[name] for name in voters}, None, labels)
    leader = int(np.argmax(found.accuracies))
    gain = found.vote_accuracy - float(found.accuracies[leader])
    p = _sign_test(evidence, voters, leader)
    overlap = found.means()["overlap"]
    shared = "" if np.isnan(overlap) else f" On average, two of them share {overlap:.1%} of their errors."
    said = (
        f"A vote of {evidence.joined(voters)} is {found.vote_accuracy:.1%} accurate, the best of them "
        f"alone {found.accuracies[leader]:.1%}.{shared}"
    )
    numbers: dict[str, Any] = {
        "vote": found.vote_accuracy,
        "gain": gain,
        "p": p,
        "overlap": overlap,
        "models": voters,
    }
    if gain > 0 and p <= evidence.alpha:
        remedy = f"Vote: it is better by {points(gain)}."
        yield Finding.of("E301", said, remedy, **numbers)
    elif not evidence.is_chance:  # where no model is any good, none will do
        remedy = "Use a single model; a vote gains more from models that misclassify different rows."
        yield Finding.of("E302", said, remedy, **numbers)


def _sign_test(evidence: Evidence, voters: list[str], leader: int) -> float:
    """Return how often the vote would be right alone that much more often than the leader, by chance."""
    answers = np.array([evidence.predictions[name] for name in voters])
    labels, codes = encode_labels(answers.ravel())
    vote_right = labels[most_votes(codes.reshape(answers.shape), len(labels))] == evidence.y
    leader_right = answers[leader] == evidence.y
    wins, losses = int((vote_right & ~leader_right).sum()), int((~vote_right & leader_right).sum())
    if wins + losses == 0:
        return 1.0
    return float(stats.binomtest(wins, wins + losses, alternative="greater").pvalue)


def tied_models(evidence: Evidence) -> Iterator[Finding]:
    """E303: several models that may be the best, and the simplest of those that are as good in the mean."""
    tied = evidence.comparison.tied
    if len(tied) < 2 or evidence.is_chance:  # where none is better than chance, none is to be taken
        return
    # Few rows show little: a model that lost points is tied, but that alone does not speak for it.
    close = [
        each.name
        for each in evidence.comparison.standings
        if each.tied and each.gap.mean <= each.against_best.rope
    ]
    ranked = [name for name in evidence.simplicity if name in close]
    detail = f"{evidence.joined(tied)} are not significantly different."
    remedy = "Take the simplest of those close to the best: the easiest to read, or the fastest."
    if ranked:
        remedy = f"Take the simplest of those close to the best: {evidence.title(ranked[0])}."
    yield Finding.of("E303", detail, remedy, models=tied, simplest=ranked[0] if ranked else None)


def badly_calibrated(evidence: Evidence) -> Iterator[Finding]:
    """E401 and E402: probabilities that are not what they claim."""
    names = [name for name in evidence.finished if name in evidence.probabilities]
    if evidence.y is None or evidence.classes is None or not names:
        return
    found = {name: calibration(evidence.y, evidence.probabilities[name], evidence.classes) for name in names}
    bad = {
        name: each for name, each in found.items() if each.ece >= max(BADLY, TIMES_CHANCE * each.by_chance)
    }
    for code, sign, words in (("E401", 1, "over-confident"), ("E402", -1, "under-confident")):
        models = {name: each for name, each in bad.items() if sign * each.bias >= 0}
        if not models:
            continue
        worst = max(models, key=lambda name: models[name].ece)
        are, whose = ("is", ",") if len(models) == 1 else ("are", f"; {evidence.title(worst)} is")
        off = f"{whose} off by {points(models[worst].ece)} on average"
        detail = f"{evidence.joined(models)} {are} {words}{off}."
        remedy = (
            "Calibrate before using probabilities: classica train --calibration sigmoid, or "
            "BayesDecisionClassifier(..., calibration='sigmoid')."
        )
        numbers: dict[str, Any] = {name: each.ece for name, each in models.items()}
        yield Finding.of(code, detail, remedy, models=numbers, best_is_off=evidence.best in models)
