"""The one result of a comparison, as plain values: terminal, report and web page only show it."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from classica.comparison.answers import Answers
from classica.comparison.diagnosing import findings, overlap
from classica.comparison.floor_scores import floor_scores
from classica.comparison.leaderboard import by_simplicity, leaderboard
from classica.comparison.model_result import FLOOR, ModelResult, model_results
from classica.comparison.reproducing import python_source
from classica.comparison.sentences import answer
from classica.comparison.units import answers_path
from classica.comparison.workspace import Workspace
from classica.data import profile
from classica.evaluation import calibration, compare_tests, confusion, metric
from classica.evaluation.comparison import Comparison, better_than
from classica.evaluation.runs import Outcome

VERSION = 1


def standings(workspace: Workspace, results: Sequence[ModelResult]) -> Comparison:
    """Return the ranking of the models that finished, with its tests."""
    settings = workspace.settings
    scores = {
        result.name: result.values("test_score")
        for result in by_simplicity(results)
        if result.status == "done"
    }
    if not scores:
        return Comparison([], [result.name for result in results], [], 1 - settings.confidence)
    return compare_tests(
        scores,
        workspace.test_fraction,
        settings.rope,
        alpha=1 - settings.confidence,
        higher_is_better=metric(settings.metric).higher_is_better,
        limits=metric(settings.metric).limits,
        resolution=workspace.resolution,
    )


def summarise(
    folder: Path, workspace: Workspace, outcomes: Sequence[Outcome], looks: Mapping[str, Outcome]
) -> dict[str, Any]:
    """Return everything there is to say, as JSON knows it."""
    results, counted = model_results(workspace, outcomes)
    comparison = standings(workspace, results)
    board = leaderboard(results, comparison)
    answers = {
        result.name: all_answers(folder, workspace, result, counted) for result in results if result.folds
    }
    for entry in board:
        if entry["status"] == "done":
            entry.update(_details(workspace, answers[entry["name"]]))
    best, about = comparison.best, _table(workspace)
    ranked = [standing.name for standing in comparison.standings]
    found: dict[str, Any] = {
        "classica_summary": VERSION,
        "table": about,
        "settings": workspace.settings.record(),
        "metric": _metric(workspace),
        "best": best,
        "tied": comparison.tied,
        "better_than_chance": _above_floor(workspace, results),
        "models": board,
        "folds": {"planned": len(workspace.splits), "counted": len(counted)},
        "looks": {name: _look(outcome) for name, outcome in looks.items()},
        "seconds": float(sum(outcome.seconds for outcome in outcomes)),
        "versions": _versions(),
        "python": python_source(workspace),
        "diversity": overlap(workspace, ranked, answers),
        "findings": findings(workspace, results, answers, looks, about["profile"]),
    }
    return found | {"answer": answer(found)}


def all_answers(folder: Path, workspace: Workspace, result: ModelResult, counted: Sequence[int]) -> Answers:
    """Return the answers of all folds that count, one below the other."""
    paths = [answers_path(folder, result.name, fold) for fold in counted]
    sizes = len(workspace.y), len(workspace.classes)
    parts = [Answers.load(path).within(*sizes, path) for path in paths]
    behind = [
        None if any(getattr(part, name) is None for part in parts)
        else np.concatenate([getattr(part, name) for part in parts])
        for name in ("probabilities", "scores")
    ]  # fmt: skip
    rows, codes = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "codes"))
    return Answers(rows, codes, *behind)


def _details(workspace: Workspace, answers: Answers) -> dict[str, Any]:
    classes = workspace.classes
    truth, said = workspace.y[answers.rows], classes[answers.codes]
    found = confusion(truth, said, labels=classes, costs=workspace.settings.costs)
    told = (
        None if answers.probabilities is None else calibration(truth, answers.probabilities, classes).record()
    )
    return {"confusion": found.record(), "calibration": told}


def _table(workspace: Workspace) -> dict[str, Any]:
    table, name = workspace.table, workspace.table.schema.target
    labels, counts = np.unique(workspace.y, return_counts=True)
    return {
        "source": table.source,
        "rows": len(table),
        "features": len(table.schema.names("feature")),
        "target": name,
        "classes": [
            {"label": label, "rows": int(count)} for label, count in zip(labels.tolist(), counts, strict=True)
        ],
        "fingerprint": table.fingerprint(),
        "notes": list(workspace.notes),
        "profile": profile(table).record(),
    }


def _metric(workspace: Workspace) -> dict[str, Any]:
    measure = metric(workspace.settings.metric)
    # Of more than two classes there are several such areas.
    mean = " (each class against the rest)" if measure.name == "auc" and len(workspace.classes) > 2 else ""
    return {
        "name": measure.name,
        "title": f"{measure.title}{mean}",
        "higher_is_better": measure.higher_is_better,
        "is_share": measure.limits == (0.0, 1.0),
        "chance": measure.chance(workspace.y, workspace.classes, workspace.settings.costs),
    }


def _above_floor(workspace: Workspace, results: Sequence[ModelResult]) -> dict[str, float]:
    """Return the models shown to be better than the floor, with p-values corrected for all of them."""
    done = {result.name: result.values("test_score") for result in results if result.status == "done"}
    done.pop(FLOOR, None)
    floor = floor_scores(workspace, results)
    if floor is None or not done or len(floor) < 2:
        return {}
    return better_than(
        done,
        floor,
        workspace.test_fraction,
        alpha=1 - workspace.settings.confidence,
        higher_is_better=metric(workspace.settings.metric).higher_is_better,
        resolution=workspace.resolution,
    )


def _look(outcome: Outcome) -> dict[str, Any]:
    return {"status": outcome.status, "reason": outcome.reason, **(outcome.result or {})}


def _versions() -> dict[str, str]:
    names = ("classica", "numpy", "scikit-learn", "polars")
    return {name: version(name) for name in names} | {"python": platform.python_version()}
