"""The first screen of the report: what to use, how good it is, what drives it, where it fails, what helps."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import numpy as np

from classica.comparison.results.recommending import recommendation
from classica.comparison.results.sentences import lead_sentences, score_text
from classica.comparison.results.summary import ClassMetrics, ModelResult, Summary
from classica.interfaces.report.leaderboard import points_text
from classica.interfaces.report.small_bars import score_line, share_bar
from classica.wording import counted, plain_words

#: Classes, columns and findings that the first screen has room for.
_CLASSES, _COLUMNS, _FINDINGS = 4, 5, 2
#: Letters of a name on it.
_LETTERS = 26


def summary_card(summary: Summary, folder: str) -> dict[str, Any]:
    """Return the texts and small pictures of the first screen.

    Parameters
    ----------
    summary : Summary
        The result of the comparison.
    folder : str
        The name of the run folder, for the command that predicts.
    """
    told = summary.recommendation or recommendation(summary)
    used = summary.model(told.model)
    answer, *lede = lead_sentences(summary)
    return {
        "answer": answer,
        "lede": " ".join(lede),
        "good": None if used is None else _good(used, summary),
        "drives": None if used is None else _drives(summary),
        "fails": [] if used is None else list(_fails(used, summary)),
        "helps": _helps(summary, told.helps, used),
        "command": _command(summary, folder),
    }


def _good(used: ModelResult, summary: Summary) -> dict[str, Any]:
    """Return the score of the recommended model on new rows, beside the baseline, and its recall by class."""
    metric, score = summary.metric, summary.headline or used.score
    value, floor = (score_text(each, share=metric.is_share) for each in (score.mean, metric.baseline))
    ends = ""
    if not np.isnan(score.low):
        low, high = (score_text(end, share=metric.is_share) for end in (score.low, score.high))
        ends = f"{100 * score.confidence:g}% CI {low.removesuffix('%')}–{high}"
    classes = sorted(used.classes, key=_recall)
    return {
        "value": value,
        "metric": metric.title,
        "ends": ends,
        "line": score_line(score, metric.baseline, f"{value}, baseline {floor}") if metric.is_share else "",
        "baseline": floor,
        "less_is_better": not metric.higher_is_better,
        "classes": [_class_row(each) for each in classes[:_CLASSES]],
        "more": len(classes) - len(classes[:_CLASSES]),
    }


def _recall(each: ClassMetrics) -> float:
    return np.inf if np.isnan(each.recall.mean) else each.recall.mean


def _class_row(each: ClassMetrics) -> dict[str, Any]:
    recall = score_text(each.recall.mean, share=True)
    label = plain_words(each.label)
    told = f"{recall} of {label} predicted correctly"
    return {"label": _short(label), "recall": recall, "bar": share_bar(each.recall.mean, told)}


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"


def _drives(summary: Summary) -> dict[str, Any] | None:
    """Return the columns that the predictions rest on; None if that was not computed."""
    drivers = summary.insight.drivers
    found = None if drivers is None else drivers.importances
    if found is None or not found.columns:
        return None
    share, shown = summary.metric.is_share, found.columns[:_COLUMNS]
    most = max(each.drop.mean for each in shown)
    if most <= 0:
        return None
    rows = [
        {
            "name": _short(each.column),
            "drop": points_text(each.drop.mean, share=share),
            "bar": share_bar(
                each.drop.mean / most, f"{each.column} {each.drop.mean:.3g}", is_soft=not each.matters
            ),
        }
        for each in shown
        if each.drop.mean > 0
    ]
    unit = "points of " if share else ""
    return {"rows": rows, "about": f"{unit}{summary.metric.title} lost without it"}


def _fails(used: ModelResult, summary: Summary) -> Iterator[str]:
    """Yield where the recommended model errs: how often, on which class, on which rows."""
    found = used.confusion
    if found is None or not found.support.sum():
        return
    rows = int(found.support.sum())
    wrong = rows - int(np.trace(found.matrix))
    if not wrong:
        yield f"It misclassifies none of {counted(rows, 'held-out row')}."
        return
    yield f"It misclassifies {wrong:,} of {counted(rows, 'held-out row')} ({found.error:.1%})."
    weak = (summary.recommendation or recommendation(summary)).weakest_class
    if weak is not None and weak.missed > 0:
        label, other = plain_words(weak.label), plain_words(weak.taken_for)
        missed = score_text(weak.missed, share=True)
        yield f"It misses {missed} of ‘{label}’, most often predicted as ‘{other}’."
    segments = None if summary.insight.error_analysis is None else summary.insight.error_analysis.segments
    if segments is not None and segments.segments:
        worst = segments.segments[0]
        yield (
            f"Errors are most frequent in the segment ‘{worst.name}’: {worst.error:.1%} of"
            f" {counted(worst.rows, 'row')}, elsewhere {worst.rest_error:.1%}."
        )


def _helps(summary: Summary, first: str | None, used: ModelResult | None) -> list[str]:
    """Return what to do about the recommended model and the table, what would help most first."""
    told = [
        finding
        for finding in summary.findings
        if finding.remedy
        and finding.explanation.is_actionable
        and (used is None or not finding.models or used.name in finding.models)
    ]
    ordered = sorted(told, key=lambda each: each.code != first)
    lines = [finding.remedy for finding in ordered[:_FINDINGS]]
    rows = summary.insight.extrapolation
    return [*lines, str(rows)] if rows is not None and len(lines) < _FINDINGS else lines


def _command(summary: Summary, folder: str) -> str:
    """Return how to predict new rows; empty if there is no model to do it."""
    if summary.best_file is None:
        return ""
    return f"classica predict {shlex.quote(f'{folder}/{summary.best_file}')} NEW.csv --out predictions.csv"
