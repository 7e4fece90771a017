"""What a diagnosis looks at: scores, answers and what other tools have found, all of it plain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.metrics.confusion_matrix import Confusion, confusion
from classica.native import Floats
from classica.selection.extrapolation import Extrapolation
from classica.statistics.bayes_errors.table_bracket import TableBayesError
from classica.statistics.decomposition.bias_variance_result import BiasVariance
from classica.statistics.fold_ranking import Comparison, better_than, compare_tests
from classica.wording import joined


@dataclass(frozen=True)
class Evidence:
    """Everything the rules of a diagnosis may ask for; what is not known is None or empty.

    The attributes are the arguments of `diagnose`, checked.
    """

    test_scores: Mapping[str, Floats]
    test_fraction: float
    train_scores: Mapping[str, Floats] = field(default_factory=dict)
    floor: Floats | None = None
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
        """Whether the floor is known, and no model is shown to be better."""
        return self.floor is not None and not self._beyond_floor(self.floor, self.higher_is_better)

    @cached_property
    def worse_than_floor(self) -> set[str]:
        """The models that are significantly worse than the floor."""
        return set() if self.floor is None else self._beyond_floor(self.floor, not self.higher_is_better)

    def _beyond_floor(self, floor: Floats, above: bool) -> set[str]:
        """Return the models whose scores are significantly above the floor, or below it."""
        return {
            *better_than(
                self.test_scores,
                floor,
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
        """Who the best model takes for whom."""
        if self.best not in self.answered:
            return None
        return confusion(self.y, self.predictions[self.best], labels=self.classes)

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
