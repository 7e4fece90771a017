"""The table of a comparison: every model with its score, how sure that is, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from classica import catalog
from classica.comparison.contender import Contender, titles
from classica.comparison.model_result import ModelResult
from classica.evaluation.comparison import Comparison

#: How well people can read what a model of a family has learned.
READABLE = {
    "trees": "rules to read",
    "bayes": "one table per column",
    "gaussian": "means and spreads",
    "linear": "one weight per column",
    "neighbours": "by examples",
    "floor": "nothing learned",
}

#: Read before their accuracy: of equal means the simpler model counts as best.
SIMPLEST_FIRST = ("floor", "trees", "bayes", "gaussian", "linear", "neighbours", "kernel", "neural")


def by_simplicity(results: Sequence[ModelResult]) -> list[ModelResult]:
    """Return the models, those that are easier to understand first."""
    places = {family: place for place, family in enumerate(SIMPLEST_FIRST)}
    return sorted(results, key=lambda result: places.get(result.contender.family, len(places)))


def leaderboard(results: Sequence[ModelResult], comparison: Comparison) -> list[dict[str, Any]]:
    """Return a record for every model: the ranked ones first, then those that failed."""
    by_name = {result.name: result for result in results}
    called = titles(by_name)
    ranked = [
        _common(by_name[each.name], called[each.name]) | _standing(by_name[each.name], each)
        for each in comparison.standings
    ]
    failed = [result for result in results if result.status != "done"]
    return [*ranked, *(_common(result, called[result.name]) for result in failed)]


def _common(result: ModelResult, title: str) -> dict[str, Any]:
    final = result.final or {}
    return {
        "name": result.name,
        "title": title,
        "family": result.contender.family,
        "status": result.status,
        "reason": result.reason,
        "readable": READABLE.get(result.contender.family, "not by eye"),
        "file": final.get("file"),
        "bytes": final.get("bytes"),
        "model_parameters": final.get("model_parameters"),
        "parameters": final.get("parameters"),
        **_about(result.contender),
    }


def _standing(result: ModelResult, standing: Any) -> dict[str, Any]:
    test = standing.against_best
    return {
        "score": standing.score.record(),
        "behind_best": standing.gap.record(),
        "p": standing.p,
        "p_holm": standing.p_holm,
        "worse": test.worse,
        "equal": test.equal,
        "better": test.better,
        "tied": standing.tied,
        "fold_scores": result.values("test_score").tolist(),
        "train_score": result.mean("train_score"),
        "inner_score": result.mean("inner_score"),
        "fit_seconds": result.mean("fit_seconds"),
        "select_seconds": result.mean("select_seconds"),
        "predict_seconds_per_row": result.predict_seconds_per_row,
        "chosen": [{"parameters": values, "folds": count} for values, count in result.chosen],
    }


def _about(contender: Contender) -> dict[str, Any]:
    if not contender.is_ours:
        return {"summary": f"{contender.name}, as it comes.", "rule": "", "plain_rule": "", "source": ""}
    card = catalog.card(contender.name)
    return {
        "summary": card.summary,
        "rule": card.rule,
        "plain_rule": card.plain_rule,
        "source": card.source,
    }
