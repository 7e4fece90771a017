"""What a nested cross-validation has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.native import Floats
from classica.selection.nested_fold import NestedFold


@dataclass(frozen=True, eq=False)
class NestedResult:
    """The outer parts, in their order.

    Attributes
    ----------
    folds : list of NestedFold
        What was chosen and learned without each part, and how it did there.
    """

    folds: list[NestedFold]

    @property
    def test_scores(self) -> Floats:
        """The score on each outer part."""
        return np.array([fold.test_score for fold in self.folds])

    @property
    def train_scores(self) -> Floats:
        """The score on the rows each model was fitted on."""
        return np.array([fold.train_score for fold in self.folds])

    @property
    def mean(self) -> float:
        """The mean score over the outer parts."""
        return float(self.test_scores.mean())

    @property
    def predict_seconds_per_row(self) -> float:
        """How long predicting a row took."""
        rows = sum(len(fold.test) for fold in self.folds)
        return sum(fold.predict_seconds for fold in self.folds) / rows

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {"mean": self.mean, "folds": [fold.record() for fold in self.folds]}

    def __str__(self) -> str:
        lines = [" part   inner   train    test  parameters"]
        for number, fold in enumerate(self.folds):
            scores = f"{fold.inner_score:7.4f} {fold.train_score:7.4f} {fold.test_score:7.4f}"
            chosen = ", ".join(f"{name}={value}" for name, value in fold.parameters.items())
            lines.append(f"{number:>5} {scores}  {chosen}")
        deviation = self.test_scores.std(ddof=1) if len(self.folds) > 1 else np.nan
        return "\n".join([*lines, f"mean test score {self.mean:.4f}, standard deviation {deviation:.4f}"])
