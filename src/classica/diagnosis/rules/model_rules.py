"""Findings about models together (E3), and their probabilities (E4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from classica.diagnosis.evidence import VOTERS, Evidence
from classica.diagnosis.finding import DiagnosisRule, Finding
from classica.statistics.standing import AS_GOOD
from classica.wording import points


class VoteHelps(DiagnosisRule):
    """A vote of the best models that is better than each of them."""

    code = "E301"
    title = "Voting would help"
    order = 150
    counts_errors = True
    meaning = (
        "The best models misclassify different rows, so a majority vote is more accurate than each of them."
    )
    rule = (
        f"The models tied for best vote, or the best {VOTERS} if fewer are tied. Reported when the vote is "
        "more accurate than the best voter and a one-sided sign test on the rows that only one of the two "
        "predicts correctly is significant."
    )
    remedy = (
        "Combine the models with a VotingClassifier. A majority of members with independent errors is more "
        "accurate than each member: five members of 70% accuracy vote with 84%. The vote is slower and "
        "harder to interpret."
    )
    shown_by = ("classica.statistics.diversity", "classica.VotingClassifier", "classica.majority_accuracy")
    source = "T: voting, why it works, diversity"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the vote, if it is significantly better."""
        vote = evidence.vote
        if vote is not None and vote.gain > 0 and vote.p <= evidence.alpha:
            remedy = f"Combine them with a VotingClassifier to gain {points(vote.gain)} of accuracy."
            yield self.finding(vote.detail, remedy, **vote.numbers())


class NoGainFromVoting(DiagnosisRule):
    """A vote of the best models that is not better."""

    code = "E302"
    title = "No clear gain from voting"
    order = 160
    is_actionable = False
    counts_errors = True
    meaning = "A majority vote of the best models is not significantly more accurate than the best of them."
    rule = (
        "Reported when the vote (see E301) is no more accurate than the best voter, or the sign test is not "
        "significant."
    )
    remedy = (
        "Use a single model. Voting gains more from members that misclassify different rows: from other "
        "families, other features or other training rows."
    )
    shown_by = ("classica.statistics.diversity",)
    source = "T: diversity of the members"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the vote, if it is not significantly better."""
        vote = evidence.vote
        # Where no model is any good, no vote of them is.
        if vote is None or (vote.gain > 0 and vote.p <= evidence.alpha) or evidence.is_chance:
            return
        remedy = "Use a single model; voting gains more from models that misclassify different rows."
        yield self.finding(vote.detail, remedy, **vote.numbers())


class TiedModels(DiagnosisRule):
    """Several models that may be the best, and the simplest of those as good in the mean."""

    code = "E303"
    title = "Tied models"
    order = 140
    is_actionable = False
    meaning = (
        "Several models may be the best: on this data none of them is significantly worse than the first. "
        "That does not prove that they are equal."
    )
    rule = (
        "Each model is compared with the best by a corrected resampled t-test on the same folds, with "
        "p-values corrected for the number of models (Holm). Reported when at least one is not significantly "
        "worse. The recommended model is the simplest that is at most the margin (rope) worse than the best "
        f"with a probability of at least {AS_GOOD:.0%}: first by what can be read of it (trees, rules, naive "
        "Bayes, Gaussian and linear classifiers; then nearest neighbours; then all others), then by the "
        "number of learned parameters, then by speed."
    )
    remedy = (
        "Use the simplest of the models close to the best, because it is the easiest to interpret, or the "
        "fastest. More rows or more repeats (--repeats) can separate more models."
    )
    shown_by = ("classica.compare_tests", "classica.statistics.tied_for_best")
    source = "T: no free lunch; C: interpretability and time"

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the tied models, in one finding."""
        tied = evidence.comparison.tied
        if len(tied) < 2 or evidence.is_chance:  # where none is better than chance, none is to be taken
            return
        # Few rows show little: a model that lost points is tied, but that alone does not speak for it.
        close = [each.name for each in evidence.comparison.standings if each.is_as_good]
        ranked = [name for name in evidence.simplicity if name in close]
        detail = f"{evidence.joined(tied)} are not significantly different."
        remedy = "Use the simplest of those close to the best: the easiest to interpret, or the fastest."
        if ranked:
            remedy = f"Use {evidence.title(ranked[0])}, the simplest of those close to the best."
        yield self.finding(detail, remedy, models=tied, simplest=ranked[0] if ranked else None)


class _Miscalibrated(DiagnosisRule):
    """Probabilities that are not what they claim, in one direction."""

    #: The calibration error from which on it matters, if it is well above what chance alone would show.
    BADLY = 0.05
    TIMES_CHANCE = 3.0

    #: 1 for probabilities that are too high, -1 for those that are too low.
    sign: int
    #: What such models are.
    words: str

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the models that are off in this direction, in one finding."""
        bad = {
            name: each
            for name, each in evidence.calibrations.items()
            if each.ece >= max(self.BADLY, self.TIMES_CHANCE * each.by_chance)
        }
        models = {name: each for name, each in bad.items() if self.sign * each.bias >= 0}
        if not models:
            return
        worst = max(models, key=lambda name: models[name].ece)
        are, whose = ("is", "its") if len(models) == 1 else ("are", f"{evidence.title(worst)}'s")
        detail = (
            f"{evidence.joined(models)} {are} {self.words}: {whose} probabilities are off by "
            f"{points(models[worst].ece)} on average."
        )
        remedy = (
            "Calibrate before using probabilities: `classica train --calibration sigmoid`, or "
            "`BayesDecisionClassifier(..., calibration='sigmoid')`."
        )
        numbers: dict[str, Any] = {name: each.ece for name, each in models.items()}
        yield self.finding(detail, remedy, models=numbers, best_is_off=evidence.best in models)


class OverConfident(_Miscalibrated):
    """Probabilities that are higher than the model is right."""

    code = "E401"
    title = "Over-confident probabilities"
    order = 170
    sign, words = 1, "over-confident"
    meaning = (
        "Of the predictions made with a probability of 95%, fewer than 95% are correct. The predicted "
        "classes may be good all the same."
    )
    rule = (
        "The expected calibration error compares, in ten bins of the highest predicted probability, the mean "
        "probability with the accuracy on held-out rows. Reported when it is at least "
        f"{100 * _Miscalibrated.BADLY:g} percentage points and {_Miscalibrated.TIMES_CHANCE:g} times what "
        "perfectly calibrated probabilities would show by chance, and probabilities are too high on average."
    )
    remedy = (
        "Calibrate before using probabilities for costs, thresholds or a reject option. Over-confidence is "
        "typical of naive Bayes with dependent features, which count the same evidence repeatedly, and of "
        "boosting."
    )
    shown_by = (
        "classica.metrics.calibration",
        "classica.BayesDecisionClassifier",
        "classica.displays.CalibrationDisplay",
    )
    source = "B, T, L: posteriors and decisions"


class UnderConfident(_Miscalibrated):
    """Probabilities that are lower than the model is right."""

    code = "E402"
    title = "Under-confident probabilities"
    order = 180
    sign, words = -1, "under-confident"
    meaning = "Of the predictions made with a probability of 70%, more than 70% are correct."
    rule = (
        "Reported when the expected calibration error is as high as for E401, and probabilities are too low "
        "on average."
    )
    remedy = (
        "Calibrate before using probabilities for costs, thresholds or a reject option. Under-confidence is "
        "typical of averages over many members and of strong smoothing or regularisation."
    )
    shown_by = (
        "classica.metrics.calibration",
        "classica.BayesDecisionClassifier",
        "classica.displays.CalibrationDisplay",
    )
    source = "B, T, L: posteriors and decisions"
