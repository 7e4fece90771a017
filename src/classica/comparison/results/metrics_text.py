"""All metrics of all models, and the rates of each class, as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from classica.comparison.results.sentences import score_text
from classica.comparison.results.summary import ClassMetrics, ModelResult, Summary
from classica.metrics import METRICS
from classica.wording import aligned, plain_words

#: Characters of the name of a model or a class.
_LONGEST = 24


def metric_table(summary: Summary) -> tuple[list[str], list[tuple[ModelResult, list[str]]]]:
    """Return the headings and the cells of every model that has held-out predictions, metric by metric.

    With a positive class its precision, recall and F1 follow the others.
    """
    models = [model for model in summary.judged if model.metrics]
    names = [name for name in METRICS if any(name in (model.metrics or {}) for model in models)]
    headings = [METRICS[name].short for name in names]
    positive = summary.settings.positive
    if positive is not None and models:
        headings += [f"{each} {positive!r}" for each in ("precision", "recall", "F1")]
    return headings, [(model, [*_cells(model, names), *_positive(model, positive)]) for model in models]


def _cells(model: ModelResult, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        found = (model.metrics or {}).get(name)
        is_share = METRICS[name].limits == (0.0, 1.0)
        yield "–" if found is None else score_text(found.mean, share=is_share)


def _positive(model: ModelResult, positive: str | None) -> list[str]:
    if positive is None:
        return []
    found = next((each for each in model.classes if str(each.label) == positive), None)
    if found is None:
        return ["–"] * 3
    return [score_text(value, share=True) for value in (found.precision.mean, found.recall.mean, found.f1)]


def metric_lines(summary: Summary, wide: int | None = None) -> list[str]:
    """Return the table of metrics as lines; columns that there is no room for follow below."""
    headings, rows = metric_table(summary)
    if not rows:
        return []
    names = ["model", *(_name(model) for model, _ in rows)]
    columns = list(zip(headings, *(cells for _, cells in rows), strict=True))
    lines: list[str] = []
    while columns:
        fitting = next((many for many in range(len(columns), 1, -1) if _fits(names, columns[:many], wide)), 1)
        lines += [""] if lines else []
        lines += aligned(list(zip(names, *columns[:fitting], strict=True)))
        columns = columns[fitting:]
    return lines


def _fits(names: Sequence[str], columns: Sequence[Sequence[str]], wide: int | None) -> bool:
    widths = (max(map(len, column)) for column in (names, *columns))
    return wide is None or sum(width + 2 for width in widths) - 2 <= wide


def _name(model: ModelResult) -> str:
    name = "baseline" if model.role == "baseline" else model.title
    return _short(name)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def class_lines(model: ModelResult) -> list[str]:
    """Return precision, recall and F1 of every class, with intervals, as lines."""
    if not model.classes:
        return []
    heading = ["class", "rows", "precision", "recall", "F1"]
    return aligned([heading, *map(class_cells, model.classes)])


def class_cells(found: ClassMetrics) -> list[str]:
    """Return the cells of one class."""
    shares = [
        "–"
        if np.isnan(each.mean)
        else f"{score_text(each.mean, share=True)} "
        f"({score_text(each.low, share=True, unit=False)}–{score_text(each.high, share=True)})"
        for each in (found.precision, found.recall)
    ]
    return [_short(plain_words(found.label)), f"{found.rows:,}", *shares, score_text(found.f1, share=True)]
