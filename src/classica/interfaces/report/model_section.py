"""The facts about one model in the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from classica.comparison.results.leaderboard_text import seconds
from classica.comparison.results.sentences import score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.interfaces.report.leaderboard import ends_text
from classica.metrics import METRICS
from classica.wording import counted, sentence_start


def model_section(model: ModelResult, summary: Summary) -> dict[str, Any]:
    """Return the texts of a model, for its row in the leaderboard and its own section."""
    share, standing = summary.metric.is_share, model.standing
    if standing is None:
        raise ValueError(f"{model.title} must be evaluated to have a section.")
    return {
        "title": model.title,
        "heading": sentence_start(model.title),
        "is_recommended": model.name == summary.recommended,
        "is_best": model.name == summary.best,
        "mean": score_text(standing.score.mean, share=share),
        "summary": model.about.summary,
        "plain_rule": model.about.plain_rule,
        "facts": _facts(model, share),
        "metrics": metric_tiles(model, summary),
    }


def metric_tiles(model: ModelResult, summary: Summary) -> list[dict[str, str]]:
    """Return every metric of a model with its interval.

    The score of the recommended model is the one of the answer, corrected for its having been selected.
    """
    own = dict(model.metrics or {})
    if model.name == summary.recommended and summary.headline is not None and summary.metric.name in own:
        own[summary.metric.name] = summary.headline
    found = [(METRICS[name], each) for name, each in own.items() if name in METRICS]
    return [
        {
            "title": metric.short,
            "value": score_text(each.mean, share=metric.limits == (0.0, 1.0)),
            "ends": "" if np.isnan(each.low) else ends_text(each, share=metric.limits == (0.0, 1.0)),
        }
        for metric, each in found
    ]


def _facts(model: ModelResult, share: bool) -> list[tuple[str, str]]:
    chosen = "; ".join(
        f"{parameters_text(values)} ({counted(folds, 'fold')})" for values, folds in model.chosen[:4]
    )
    inner, delivered = model.mean("inner_score"), model.delivered
    parameters = {} if delivered is None else delivered.parameters
    learned = None if delivered is None else delivered.model_parameters
    facts = [
        ("hyper-parameters", _final(model)),
        ("tuned in the folds", chosen if parameters else ""),
        ("inner cross-validation score", "" if inner is None else score_text(inner, share=share)),
        ("tuning time", "" if inner is None else seconds(model.mean("select_seconds"))),
        ("learned parameters", "" if learned is None else f"{learned:,}"),
        ("rejected", _rejected(model)),
        ("file", "" if delivered is None or delivered.file is None else delivered.file),
    ]
    return [(name, value) for name, value in facts if value]


def _rejected(model: ModelResult) -> str:
    found = model.confusion
    if found is None or not found.rejected.any():
        return ""
    return f"{counted(int(found.rejected.sum()), 'row')}, coverage {found.coverage:.1%}"


def _final(model: ModelResult) -> str:
    """Return the hyper-parameters of the final model, which are tuned once more, on all rows."""
    parameters = {} if model.delivered is None else model.delivered.parameters
    if not parameters:
        return parameters_text(parameters)
    folds = sum(count for values, count in model.chosen if values == parameters)
    agreed = f"selected in {folds} of {len(model.folds)} folds" if folds else "selected in no fold"
    return f"{parameters_text(parameters)} (tuned on all rows; {agreed})"


def parameters_text(parameters: Mapping[str, Any]) -> str:
    """Return hyper-parameters as text."""
    return ", ".join(f"{name} = {value}" for name, value in parameters.items()) or "default"
