"""Render several comparisons side by side as a page of HTML: the tables, the ranks, and every score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from classica.comparison.results.sentences import score_text
from classica.comparison.results.several_runs import ModelLine, RunLine, RunsSummary
from classica.displays import CriticalDifferenceDisplay
from classica.errors import DataError
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.rendering import rendered
from classica.whole_file import whole_file
from classica.wording import counted


def write_runs_report(
    summary: RunsSummary, path: str | Path, *, links: Mapping[str, str] | None = None
) -> Path:
    """Write the page of several comparisons, and return its path.

    Parameters
    ----------
    summary : RunsSummary
        The comparisons.
    path : str or Path
        File to write.
    links : dict from str to str, optional
        The report of each run by its name, relative to the file.
    """
    path = Path(path)
    with whole_file(path, DataError) as file:
        file.write(runs_html(summary, links=links).encode())
    return path


def runs_html(summary: RunsSummary, *, links: Mapping[str, str] | None = None) -> str:
    """Return the page of several comparisons."""
    drawing = Drawing("ranks")
    if summary.friedman is not None:
        friedman, titles = summary.friedman, summary.titles()
        drawing.add(
            "Average ranks",
            lambda: CriticalDifferenceDisplay(friedman, titles),
            "Average ranks over the tables, the best at the left. Models joined by a bar are not"
            " significantly different (Nemenyi's test).",
            is_wide=True,
        )
    context = {
        "summary": summary,
        "runs": [_run(run, summary, (links or {}).get(run.name)) for run in summary.runs],
        "models": [_model(model, summary, _best_scores(summary)) for model in summary.models],
        "looks": drawing,
        "order": "descending" if summary.higher_is_better else "ascending",
        "has_settings": any(run.settings for run in summary.runs),
        "has_dropped": any(any(model.was_dropped) for model in summary.models),
    }
    return rendered("runs.html", context)


def _run(run: RunLine, summary: RunsSummary, link: str | None) -> dict[str, Any]:
    title = summary.titles().get(run.recommended or "", "–")
    interval = ""
    if run.score is not None:
        low, high = (score_text(end, share=summary.is_share) for end in (run.score.low, run.score.high))
        interval = f"{low}–{high}"
    return {
        "name": run.name,
        "link": link,
        "size": f"{counted(run.rows, 'row')}, {counted(run.features, 'feature')},"
        f" {counted(run.classes, 'class', 'classes')}",
        "recommended": title,
        "score": "–" if run.score is None else score_text(run.score.mean, share=summary.is_share),
        "interval": interval,
        "baseline": score_text(run.baseline, share=summary.is_share),
        "settings": ", ".join(f"{name} = {value}" for name, value in run.settings.items()),
        "answer": run.answer,
    }


def _best_scores(summary: RunsSummary) -> list[float | None]:
    """Return the best score of a model in each run; None where no model has one."""
    models = [model for model in summary.models if model.role == "model"]
    best = max if summary.higher_is_better else min
    columns = zip(*(model.scores for model in models), strict=True)
    return [best((score for score in column if score == score), default=None) for column in columns]


def _model(model: ModelLine, summary: RunsSummary, best: Sequence[float | None]) -> dict[str, Any]:
    cells = zip(model.scores, model.was_dropped, best, strict=True)
    return {
        "title": model.title,
        "is_model": model.role == "model",
        "rank": "" if model.rank is None else f"{model.rank:.2f}",
        "cells": [
            {
                "text": score_text(score, share=summary.is_share) + ("†" if dropped else ""),
                "is_best": score == highest,
            }
            for score, dropped, highest in cells
        ],
    }
