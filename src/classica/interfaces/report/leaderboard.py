"""The leaderboard of the page: a row for each model, each cell with the number it is sorted by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from classica.comparison.results.gap_scale import GapScale
from classica.comparison.results.leaderboard_text import seconds, size
from classica.comparison.results.metrics_text import metric_table
from classica.comparison.results.recommending import recommendation
from classica.comparison.results.sentences import probability_text, score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.interfaces.report.data_link import csv_link
from classica.interfaces.report.interval_bar import Scale, gap_bar, interval_bar
from classica.metrics import METRICS
from classica.statistics.interval import Interval


@dataclass(frozen=True)
class Heading:
    """A column of a table: its name, and how it is sorted first (empty: not at all)."""

    text: str
    sort: str = ""


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and the number it is sorted by (None: it has none, and comes last)."""

    text: str | Markup
    value: float | None = None
    kind: str = "number"

    @property
    def key(self) -> str:
        """The number as the script of the page reads it."""
        return "" if self.value is None or not np.isfinite(self.value) else f"{self.value:.9g}"


def leaderboard(summary: Summary, anchors: Mapping[str, str]) -> dict[str, Any]:
    """Return headings and rows of all models, those that are not ranked last.

    Parameters
    ----------
    summary : Summary
        The result of the comparison.
    anchors : mapping
        Name of a model → its anchor.
    """
    told = summary.recommendation or recommendation(summary)
    close = {told.model, told.most_accurate, *told.alternatives} - {None}
    scales = (Scale.of(summary), GapScale.of(summary.judged)) if summary.judged else None
    headings = _headings(summary, scales[0]) if scales else []
    rows = [
        {
            "title": model.title,
            "anchor": anchors[model.name],
            "is_used": model.name == told.model,
            "is_reference": model.role == "reference",
            "is_close": model.name in close,
            "words": f"{model.name} {model.family} {model.role}",
            "cells": _cells(model, summary, *scales) if scales else [],
        }
        for model in summary.judged
    ]
    return {
        "headings": headings,
        "rows": rows,
        "others": [_unranked(model, summary) for model in summary.models if not model.is_judged],
        "data": _data(summary),
        "close": len(close),
    }


def _headings(summary: Summary, scale: Scale) -> list[Heading]:
    best = "descending" if summary.metric.higher_is_better else "ascending"
    level = f"{100 * summary.settings.confidence:g}%"
    return [
        Heading(summary.metric.title, best),
        Heading(f"{level} CI", best),
        Heading(f"{scale.low_text} to {scale.high_text}"),
        Heading("behind best", "ascending"),
        Heading("worse ◂ best"),
        Heading("as good", "descending"),
        Heading("weakest class", "descending"),
        Heading("training", best),
        Heading("fit", "ascending"),
        Heading("per row", "ascending"),
        Heading("size", "ascending"),
        Heading("readable", "ascending"),
    ]


def _cells(model: ModelResult, summary: Summary, scale: Scale, gaps: GapScale) -> list[Cell]:
    share, standing, delivered = summary.metric.is_share, model.standing, model.delivered
    if standing is None:
        raise ValueError(f"{model.title} must be evaluated to be on the leaderboard.")
    is_best, score = model.name == summary.best, standing.score
    train, fit, row = model.mean("train_score"), model.mean("fit_seconds"), model.predict_seconds_per_row
    weakest = min((each.recall.mean for each in model.classes if np.isfinite(each.recall.mean)), default=None)
    bytes_ = None if delivered is None else delivered.bytes
    return [
        Cell(score_text(score.mean, share=share), score.mean),
        Cell(ends_text(score, share=share), score.low),
        Cell(interval_bar(model, scale), kind="picture"),
        Cell("–" if is_best else points_text(standing.gap.mean, share=share), standing.gap.mean),
        Cell(gap_bar(model, gaps, summary.settings.rope), kind="picture"),
        Cell("best" if is_best else probability_text(standing.as_good), 2.0 if is_best else standing.as_good),
        Cell(score_text(weakest, share=True), weakest),
        Cell(score_text(train, share=share), train),
        Cell(seconds(fit), fit),
        Cell(seconds(row), row),
        Cell(size(bytes_), None if bytes_ is None else float(bytes_)),
        Cell(model.about.interpretability, kind="word"),
    ]


def ends_text(score: Interval, *, share: bool) -> str:
    """Return the ends of an interval; a dash where it is not known."""
    if np.isnan(score.low):
        return "–"
    return f"{score_text(score.low, share=share, unit=False)}–{score_text(score.high, share=share)}"


def points_text(difference: float, *, share: bool) -> str:
    """Return a difference of scores: of shares in percentage points.

    Examples
    --------
    >>> points_text(0.0123, share=True), points_text(0.0123, share=False)
    ('1.2', '0.012')
    """
    return f"{100 * difference:.1f}" if share else score_text(difference, share=False)


def _unranked(model: ModelResult, summary: Summary) -> dict[str, str]:
    """Return the row of a model that is not ranked: its score so far, and the reason."""
    score = ""
    if model.provisional is not None and model.learned_rows is not None:
        score = score_text(model.provisional.mean, share=summary.metric.is_share)
    return {
        "title": model.title,
        "score": score,
        "reason": model.reason,
        "words": f"{model.name} {model.family}",
    }


def _data(summary: Summary) -> str:
    """Return the address of the table of scores and metrics as CSV."""
    names = sorted({name for model in summary.judged for name in model.metrics or {}})
    headings = ["model", "score", "low", "high", "behind_best", "as_good", "fit_seconds", "bytes", *names]
    rows: list[list[Any]] = []
    for model in summary.judged:
        gap = (
            (float("nan"), float("nan"))
            if model.standing is None
            else (model.standing.gap.mean, model.standing.as_good)
        )
        numbers = [model.score.mean, model.score.low, model.score.high, *gap, model.mean("fit_seconds")]
        numbers.append(None if model.delivered is None else model.delivered.bytes)
        numbers += [found.mean if (found := (model.metrics or {}).get(name)) else None for name in names]
        rows.append(
            [
                model.title,
                *(None if each is None or np.isnan(each) else float(f"{each:.6g}") for each in numbers),
            ]
        )
    return csv_link([headings, *rows]) if rows else ""


def all_metrics(summary: Summary, anchors: Mapping[str, str]) -> dict[str, Any]:
    """Return all metrics of all models as a table."""
    headings, rows = metric_table(summary)
    descending = {metric.short for metric in METRICS.values() if metric.higher_is_better}
    sorts = ["descending" if heading in descending else "ascending" for heading in headings]
    return {
        "headings": list(map(Heading, headings, sorts)),
        "rows": [
            {
                "anchor": anchors[model.name],
                "title": model.title,
                "is_used": model.name == summary.recommended,
                "cells": cells,
            }
            for model, cells in rows
        ],
    }
