"""What is wrong with the models or the table, and what would help: the evidence of a run, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from classica.comparison.answers import Answers
from classica.comparison.contender import titles
from classica.comparison.floor_scores import floor_scores
from classica.comparison.leaderboard import by_simplicity
from classica.comparison.model_result import FLOOR, ModelResult
from classica.comparison.workspace import Workspace
from classica.evaluation import BiasVariance, Extrapolation, TableBayesError, diagnose, diversity, metric
from classica.evaluation.runs import Outcome

#: So many of the best are asked how far they err on the same rows.
_MOST_VOTERS = 5


def findings(
    workspace: Workspace,
    results: Sequence[ModelResult],
    answers: Mapping[str, Answers],
    looks: Mapping[str, Outcome],
    profiled: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return what was found, in the order in which it matters, as plain values."""
    ordered = [result for result in by_simplicity(results) if result.name != FLOOR]
    folds = max((len(result.folds) for result in results), default=0)
    if not ordered or not folds:
        return []
    settings = workspace.settings
    rows, said = _said(workspace, answers)
    parts = _looked(looks, "bias and variance", "bias_variance")
    known = {name: each.probabilities for name, each in said.items() if each.probabilities is not None}
    found = diagnose(
        {result.name: _scores(result, "test_score", folds) for result in ordered},
        workspace.test_fraction,
        train_scores={result.name: _scores(result, "train_score", folds) for result in ordered},
        floor=floor_scores(workspace, results),
        y=workspace.y[rows] if said else None,  # None: nobody but the floor has finished
        predictions={name: workspace.classes[each.codes] for name, each in said.items()},
        probabilities=known,
        classes=workspace.classes,
        learning=_read(Extrapolation, _looked(looks, "learning curve", "extrapolation")),
        bracket=_read(TableBayesError, _looked(looks, "bayes error", "bracket")),
        bias_variance=None if parts is None else BiasVariance.from_record(parts),
        leaks=leaks(workspace, profiled),
        simplicity=[result.name for result in ordered],
        titles=titles(workspace.models),
        higher_is_better=metric(settings.metric).higher_is_better,
        resolution=workspace.resolution,
        rope=settings.rope,
        alpha=1 - settings.confidence,
    )
    return [finding.record() for finding in found.findings]


def overlap(
    workspace: Workspace, ranked: Sequence[str], answers: Mapping[str, Answers]
) -> dict[str, Any] | None:
    """Return how far the best err on the same rows and what their vote gives; None for fewer than two."""
    rows, said = _said(workspace, answers)
    voters = [name for name in ranked if name in said][:_MOST_VOTERS]
    if len(voters) < 2:
        return None
    told = {name: workspace.classes[said[name].codes] for name in voters}
    return diversity(told, None, workspace.y[rows]).record()


def leaks(workspace: Workspace, profiled: Mapping[str, Any]) -> dict[str, float]:
    """Return features suspected of giving the answer away, with the share of the rows each tells alone."""
    suspected = {finding["column"] for finding in profiled["findings"] if finding["code"] == "D301"}
    features = set(workspace.table.schema.names("feature"))
    return {
        column["name"]: column["alone"]
        for column in profiled["columns"]
        if column["name"] in suspected & features
    }


def _said(workspace: Workspace, answers: Mapping[str, Answers]) -> tuple[Any, dict[str, Answers]]:
    """Return the rows that were asked, and what the models but the floor said of them, each row once.

    Folds that are drawn anew ask the same rows again: they would count as evidence of their own.
    """
    said = {name: each.first_of_each_row() for name, each in answers.items() if name != FLOOR}
    rows = next((each.rows for each in said.values()), np.empty(0, dtype=np.intp))
    return rows, said


def _scores(result: ModelResult, key: str, folds: int) -> Any:
    """Return the scores of a model; of one that failed, a NaN for every fold."""
    return result.values(key) if result.folds else np.full(folds, np.nan)


def _looked(looks: Mapping[str, Outcome], key: str, part: str) -> dict[str, Any] | None:
    """Return what a closer look has found, as plain values."""
    outcome = looks.get(key)
    if outcome is None or outcome.status != "done" or outcome.result is None:
        return None
    found: dict[str, Any] | None = outcome.result.get(part)  # an older run may have found something else
    return found


def _read(kind: type[Any], record: Mapping[str, Any] | None) -> Any:
    """Return a result as it was before it was written down: numbers that are not finite became None."""
    if record is None:
        return None
    return kind(**{name: np.nan if value is None else value for name, value in record.items()})
