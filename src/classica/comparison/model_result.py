"""What became of one model in a comparison."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.comparison.contender import Contender
from classica.comparison.workspace import Workspace
from classica.evaluation.runs import Outcome
from classica.native import Floats

#: What every model has to beat.
FLOOR = "chance"

_TOO_EARLY = "The run ended before all models had a fold."


@dataclass(frozen=True)
class ModelResult:
    """The outcomes of one model, over the folds that count.

    Attributes
    ----------
    contender : Contender
        The model.
    status, reason : str
        "done", or what went wrong first, in one sentence.
    folds : list of dict
        What each fold gave, see `classica.comparison.units`; empty unless all of them are done.
    final : dict or None
        What fitting all rows gave.
    """

    contender: Contender
    status: str
    reason: str
    folds: list[dict[str, Any]]
    final: dict[str, Any] | None

    @property
    def name(self) -> str:
        """The name it was asked for by."""
        return self.contender.name

    def values(self, key: str) -> Floats:
        """Return one number of every fold."""
        return np.array([np.nan if fold[key] is None else fold[key] for fold in self.folds], dtype=float)

    def mean(self, key: str) -> float | None:
        """Return the mean of one number over the folds; None if one of them lacks it."""
        found = self.values(key)
        return float(found.mean()) if len(found) and not np.isnan(found).any() else None

    @property
    def predict_seconds_per_row(self) -> float | None:
        """How long a row takes on average."""
        if not self.folds:
            return None
        return float(self.values("predict_seconds").sum() / self.values("test_rows").sum())

    @property
    def chosen(self) -> list[tuple[dict[str, Any], int]]:
        """The parameters that were chosen, and in how many folds, the most frequent first."""
        counts = Counter(json.dumps(fold["parameters"], sort_keys=True) for fold in self.folds)
        return [(json.loads(text), count) for text, count in counts.most_common()]


def model_results(workspace: Workspace, outcomes: Sequence[Outcome]) -> tuple[list[ModelResult], list[int]]:
    """Return the result of every model, and the folds that all models have come to.

    A run whose budget has ended has not done all folds; those that some model lacks do not count, so that
    all are judged on the same rows. Nor does a fold on which the metric is not defined, such as the area
    under the ROC curve where time has left one class only.
    """
    found = {outcome.key: outcome for outcome in outcomes}
    by_model = {
        name: [found[f"{name} fold {fold + 1}"] for fold in range(len(workspace.splits))]
        for name in workspace.models
    }
    failed = {
        name: next((each for each in folds if each.status not in ("done", "skipped")), None)
        for name, folds in by_model.items()
    }
    running = [folds for name, folds in by_model.items() if failed[name] is None]
    counted = [
        fold for fold in range(len(workspace.splits)) if all(_is_judged(folds[fold]) for folds in running)
    ]
    return [
        _result(name, folds, failed[name], counted, found[f"{name} all rows"])
        for name, folds in by_model.items()
    ], counted


def _is_judged(outcome: Outcome) -> bool:
    return outcome.status == "done" and (outcome.result or {}).get("test_score") is not None


def _result(
    name: str, folds: Sequence[Outcome], failed: Outcome | None, counted: Sequence[int], final: Outcome
) -> ModelResult:
    whole = dict(final.result or {}) if final.status == "done" else None
    if failed is not None:
        return ModelResult(Contender(name), failed.status, failed.reason, [], whole)
    if not counted:
        never = all(each.status == "done" and not _is_judged(each) for each in folds)
        reason = "The metric is not defined on any fold." if never else _TOO_EARLY
        return ModelResult(Contender(name), "skipped", reason, [], whole)
    kept: list[Mapping[str, Any]] = [folds[fold].result or {} for fold in counted]
    return ModelResult(Contender(name), "done", "", [dict(fold) for fold in kept], whole)
