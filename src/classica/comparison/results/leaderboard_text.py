"""The result of a comparison as plain text."""

from __future__ import annotations

from math import floor, log10

import numpy as np

from classica.comparison.results.sentences import score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.diagnosis.rules.trust_rules import Leak
from classica.wording import sentence_start

#: The column of the names, and how much of one is shown at least.
_NAME, _LEAST_OF_A_NAME = 1, 8
#: Letters of a metric's name that fit above its numbers.
_LONGEST = 12

_REFERENCE = " r: reference model of scikit-learn."
_LEGEND = (
    "* statistically tied for best.{reference} training: score on the training set. fit, per row: time to"
    " fit, and to predict one row. size: size of the model file."
)


def legend(summary: Summary) -> str:
    """Return what the marks and columns of the table mean."""
    has_reference = any(model.role == "reference" for model in summary.judged)
    return _LEGEND.format(reference=_REFERENCE if has_reference else "")


def summary_text(summary: Summary) -> str:
    """Return the answer, the table of models below it, and a warning of a possible target leakage."""
    warnings = [f"Warning: {finding}" for finding in summary.findings if finding.code == Leak.code]
    return "\n".join([summary.answer, "", *board_lines(summary), *reasons(summary), *warnings])


def reasons(summary: Summary) -> list[str]:
    """Return why models are not in the table, and which were trained on fewer rows."""
    failed = [f"{model.title}: {model.reason}" for model in summary.models if model.state == "failed"]
    lines = [*_stopped_early(summary), *_sampled(summary), *failed, *_not_judged(summary)]
    return [sentence_start(line) for line in lines]


def _stopped_early(summary: Summary) -> list[str]:
    """Return the models that were dropped, with their last score and number of training rows."""
    left = [model for model in summary.models if model.state == "eliminated" and model.provisional]
    sign = -1 if summary.metric.higher_is_better else 1
    left.sort(key=lambda model: sign * model.provisional.mean if model.provisional else 0.0)
    by_rows: dict[int, list[str]] = {}
    for model in left:
        score = score_text(
            model.provisional.mean if model.provisional else None, share=summary.metric.is_share
        )
        by_rows.setdefault(model.learned_rows or 0, []).append(f"{model.title} {score}")
    return [
        f"Dropped after {rows:,} training rows, too far behind to catch up: {', '.join(models)}."
        for rows, models in sorted(by_rows.items(), reverse=True)
    ]


def _sampled(summary: Summary) -> list[str]:
    """Return a line for every model in the table that was too slow for all rows."""
    most = max((model.learned_rows or 0 for model in summary.judged), default=0)
    return [
        f"{model.title} was trained on {model.learned_rows:,} rows. {model.reason}".rstrip()
        for model in summary.judged
        if model.learned_rows is not None and 2 * model.learned_rows < most and not summary.is_provisional
    ]


def _not_judged(summary: Summary) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for model in summary.models:
        if not model.is_judged and model.state in ("unfinished", "skipped"):
            by_reason.setdefault(model.reason, []).append(_so_far(model, summary))
    return [f"{', '.join(titles)}: {reason}" for reason, titles in by_reason.items()]


def _so_far(model: ModelResult, summary: Summary) -> str:
    if model.provisional is None:
        return model.title
    score = score_text(model.provisional.mean, share=summary.metric.is_share)
    return f"{model.title} ({score} with {model.learned_rows:,} training rows)"


def board_lines(summary: Summary, wide: int | None = None) -> list[str]:
    """Return the heading and a line for every model that was evaluated.

    Parameters
    ----------
    summary : Summary
        The summary.
    wide : int, optional
        Characters per line: names are cut to keep to it, numbers are not.
    """
    rows = [_headings(summary), *(row(model, summary) for model in summary.judged)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if wide is not None:
        room = wide - sum(width + 2 for width in widths) + widths[_NAME] + 2
        widths[_NAME] = min(widths[_NAME], max(room, _LEAST_OF_A_NAME))
    return ["  ".join(map(_fitted, range(len(widths)), cells, widths)).rstrip() for cells in rows]


def _fitted(column: int, cell: str, width: int) -> str:
    if column > _NAME:
        return cell.rjust(width)
    return (cell if len(cell) <= width else f"{cell[: width - 1]}…").ljust(width)


def _headings(summary: Summary) -> tuple[str, ...]:
    title, level = summary.metric.title, 100 * summary.settings.confidence
    score = title if len(title) <= _LONGEST else "score"
    coverage = ["coverage"] if _rejects(summary) else []
    return "", "model", score, f"{level:g}% CI", *coverage, "training", "fit", "per row", "size"


def _rejects(summary: Summary) -> bool:
    """Return whether models may reject rows, so that the share they predict is a column of its own."""
    return summary.settings.reject_cost is not None


def _coverage(model: ModelResult) -> str:
    return score_text(None if model.confusion is None else model.confusion.coverage, share=True)


def row(model: ModelResult, summary: Summary) -> tuple[str, ...]:
    """Return the cells of one model."""
    share, score = summary.metric.is_share, model.score
    ends = "–"
    if not np.isnan(score.low):
        ends = "–".join(score_text(end, share=share, unit=False) for end in (score.low, score.high))
    return (
        "*" if model.tied else "r" if model.role == "reference" else " ",
        # The full name, majority-class baseline, would make the table wider than a terminal.
        "baseline" if model.role == "baseline" else model.title,
        score_text(score.mean, share=share),
        ends,
        *([_coverage(model)] if _rejects(summary) else []),
        score_text(model.mean("train_score"), share=share),
        seconds(model.mean("fit_seconds")),
        seconds(model.predict_seconds_per_row),
        size(None if model.delivered is None else model.delivered.bytes),
    )


def seconds(value: float | None) -> str:
    """Format a time with two significant digits; more would be noise.

    Examples
    --------
    >>> seconds(0.0123), seconds(48.2), seconds(200), seconds(9000)
    ('12 ms', '48 s', '3.3 min', '2.5 h')
    """
    if value is None:
        return "–"
    units = ((3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
    # Rounded first: 59.9 seconds are a minute.
    near = _two_digits(value)
    unit, name = next((pair for pair in units if near >= pair[0]), units[-1])
    return f"{_two_digits(value / unit):g} {name}"


def size(value: int | None) -> str:
    """Format a number of bytes with two significant digits.

    Examples
    --------
    >>> size(532), size(5599), size(125_900)
    ('530 B', '5.6 kB', '130 kB')
    """
    if value is None:
        return "–"
    near = _two_digits(value)
    units = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))
    unit, name = next((pair for pair in units if near >= pair[0]), units[-1])
    return f"{_two_digits(value / unit):g} {name}"


def _two_digits(value: float) -> float:
    return round(value, 1 - floor(log10(value))) if value > 0 else 0.0
