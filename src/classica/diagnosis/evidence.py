"""The evidence of a diagnosis: scores, predictions and the results of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from classica.metrics.confusion_matrix import Confusion, confusion
from classica.metrics.reliability import Calibration, calibration
from classica.native import Floats
from classica.selection.extrapolation import Extrapolation
from classica.statistics.bayes_errors.table_bracket import TableBayesError
from classica.statistics.decomposition.bias_variance_result import BiasVariance
from classica.statistics.ensemble_diversity.majority import most_votes
from classica.statistics.ensemble_diversity.member_diversity import diversity
from classica.statistics.fold_ranking import Comparison, better_than, compare_tests
from classica.targets import encode_labels
from classica.wording import joined

#: So many models vote, or all that are tied for best if those are more.
VOTERS = 3


@dataclass(frozen=True)
class Vote:
    """What a vote of the best models gives.

    Attributes
    ----------
    voters : list of str
        The models that vote.
    accuracy, best : float
        How accurate the vote is, and the best of the voters alone.
    p : float
        How often the vote would be right alone that much more often than the best of them, by chance.
    overlap : float
        The share of their errors that two voters have in common, on average; NaN where there are none.
    detail : str
        All of it in a sentence.
    """

    voters: list[str]
    accuracy: float
    best: float
    p: float
    overlap: float
    detail: str

    @property
    def gain(self) -> float:
        """By how much the vote is more accurate than the best of the voters."""
        return self.accuracy - self.best

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that a finding keeps, and the models it speaks of."""
        return {
            "vote": self.accuracy,
            "gain": self.gain,
            "p": self.p,
            "overlap": self.overlap,
            "models": self.voters,
        }


@dataclass(frozen=True)
class Evidence:
    """Everything the rules of a diagnosis may ask for; what is not known is None or empty.

    The attributes are the arguments of `diagnose`, checked.
    """

    test_scores: Mapping[str, Floats]
    test_fraction: float
    train_scores: Mapping[str, Floats] = field(default_factory=dict)
    baseline: Floats | None = None
    y: NDArray[Any] | None = None
    predictions: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    probabilities: Mapping[str, Floats] = field(default_factory=dict)
    classes: NDArray[Any] | None = None
    extrapolation: Extrapolation | None = None
    bracket: TableBayesError | None = None
    bias_variance: BiasVariance | None = None
    leaks: Mapping[str, float] = field(default_factory=dict)
    simplicity: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    higher_is_better: bool = True
    is_share: bool = False
    resolution: float | None = None
    rope: float = 0.01
    alpha: float = 0.05
    ranking: Comparison | None = None

    @cached_property
    def comparison(self) -> Comparison:
        """The ranking of the models: the one that is given, so that nothing is ranked twice."""
        return self.ranking or compare_tests(
            self.test_scores,
            self.test_fraction,
            self.rope,
            alpha=self.alpha,
            higher_is_better=self.higher_is_better,
            resolution=self.resolution,
        )

    @cached_property
    def is_chance(self) -> bool:
        """Whether there is a baseline, and no model is significantly better."""
        return self.baseline is not None and not self._beyond_baseline(self.baseline, self.higher_is_better)

    @cached_property
    def worse_than_baseline(self) -> set[str]:
        """The models that are significantly worse than the baseline."""
        return (
            set()
            if self.baseline is None
            else self._beyond_baseline(self.baseline, not self.higher_is_better)
        )

    def _beyond_baseline(self, baseline: Floats, above: bool) -> set[str]:
        """Return the models whose scores are significantly above the baseline, or below it."""
        return {
            *better_than(
                self.test_scores,
                baseline,
                self.test_fraction,
                alpha=self.alpha,
                higher_is_better=above,
                resolution=self.resolution,
            )
        }

    @property
    def finished(self) -> list[str]:
        """The models that finished all folds, the best first."""
        return [each.name for each in self.comparison.standings]

    @property
    def best(self) -> str | None:
        """The best model."""
        return self.comparison.best

    @property
    def answered(self) -> list[str]:
        """The finished models whose predictions are known, the best first; none without labels."""
        return [name for name in self.finished if name in self.predictions and self.y is not None]

    @cached_property
    def confusion(self) -> Confusion | None:
        """The confusion matrix of the best model."""
        if self.best not in self.answered:
            return None
        return confusion(self.y, self.predictions[self.best], labels=self.classes)

    @cached_property
    def calibrations(self) -> dict[str, Calibration]:
        """How well calibrated each finished model is whose probabilities are known."""
        if self.y is None or self.classes is None:
            return {}
        names = [name for name in self.finished if name in self.probabilities]
        return {name: calibration(self.y, self.probabilities[name], self.classes) for name in names}

    @cached_property
    def vote(self) -> Vote | None:
        """What a vote of the models tied for best gives, or of the best few; None where too few are known."""
        tied = [name for name in self.answered if name in self.comparison.tied]
        voters = tied if len(tied) >= VOTERS else self.answered[:VOTERS]
        if len(voters) < VOTERS:
            return None
        labels = np.asarray(self.y)  # known wherever there are predictions
        result = diversity({name: self.predictions[name] for name in voters}, None, labels)
        leader = int(np.argmax(result.accuracies))
        best, overlap = float(result.accuracies[leader]), result.means()["overlap"]
        shared = "" if np.isnan(overlap) else f" On average, two of them share {overlap:.1%} of their errors."
        detail = (
            f"A majority vote of {self.joined(voters)} is {result.vote_accuracy:.1%} accurate, "
            f"the best of them alone {best:.1%}.{shared}"
        )
        p = self._sign_test(voters, leader)
        return Vote(voters, result.vote_accuracy, best, p, overlap, detail)

    def _sign_test(self, voters: list[str], leader: int) -> float:
        """Return the p-value of the vote being right more often than the leader where they differ."""
        predicted = np.array([self.predictions[name] for name in voters])
        labels, codes = encode_labels(predicted.ravel())
        vote_right = labels[most_votes(codes.reshape(predicted.shape), len(labels))] == self.y
        leader_right = predicted[leader] == self.y
        wins, losses = int((vote_right & ~leader_right).sum()), int((~vote_right & leader_right).sum())
        if wins + losses == 0:
            return 1.0
        return float(stats.binomtest(wins, wins + losses, alternative="greater").pvalue)

    def title(self, name: str | None) -> str:
        """Return what a model is called in a sentence."""
        return self.titles.get(str(name), str(name))

    def joined(self, names: Iterable[str]) -> str:
        """Return models as a list in a sentence."""
        return joined([self.title(name) for name in names])

    def shown(self, score: float) -> str:
        """Return a score as a sentence has it."""
        return f"{score:.1%}" if self.is_share else f"{score:.4g}"

    def good(self, scores: Floats) -> Floats:
        """Return scores turned so that high is good."""
        return scores if self.higher_is_better else -scores

    def trained(self, name: str) -> Floats | None:
        """Return the training scores of a model, high for good; None if not known or not finished."""
        scores = self.train_scores.get(name)
        return None if scores is None or np.isnan(scores).any() else self.good(scores)
