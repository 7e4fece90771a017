"""The table of models as plain text, as wide as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np

from classica.comparison.results.gap_scale import GapScale
from classica.comparison.results.sentences import margin_text, probability_text, score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.diagnosis.rules.trust_rules import Leak
from classica.statistics.interval import Interval
from classica.wording import sentence_start

#: How much of a name is shown at least, and how much of it is worth more than another column.
_LEAST_OF_A_NAME, _ENOUGH_OF_A_NAME = 8, 22
#: Letters of a metric's name that fit above its numbers.
_LONGEST = 12
#: Models that a short table has, beside the recommended one, baseline and reference.
_TOP = 4


@dataclass(frozen=True)
class _Column:
    """A column of the table.

    Attributes
    ----------
    heading : str
        What is above it.
    cell : function
        From a model to its cell.
    legend : str
        What it means, where that is not clear.
    rank : int
        The higher, the sooner it is left out where the table is too wide.
    is_text : bool
        Whether it is left-aligned.
    """

    heading: str
    cell: Callable[[ModelResult], str]
    legend: str = ""
    rank: int = 0
    is_text: bool = False


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


def top_models(summary: Summary) -> list[ModelResult]:
    """Return the models of a short table: the first ones, the recommended one, baseline and reference."""
    first = [model.name for model in summary.judged if model.role == "model"][:_TOP]
    wanted = {*first, summary.recommended}
    return [model for model in summary.judged if model.name in wanted or model.role != "model"]


def board_lines(
    summary: Summary,
    wide: int | None = None,
    models: Sequence[ModelResult] | None = None,
    *,
    cut_names: bool = True,
) -> list[str]:
    """Return the heading and a line for every model that was evaluated.

    Parameters
    ----------
    summary : Summary
        The summary.
    wide : int, optional
        Characters per line: columns are left out to keep to it, and names are cut; numbers are not.
    models : sequence of ModelResult, optional
        The models to show; by default all that were evaluated.
    cut_names : bool, default=True
        Whether names may be cut.
    """
    shown = summary.judged if models is None else list(models)
    columns = _fitting(summary, shown, wide, cut_names=cut_names)
    rows = _rows(columns, shown)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if wide is not None and cut_names:
        name = next(index for index, column in enumerate(columns) if column.heading == "model")
        room = wide - sum(width + 2 for width in widths) + widths[name] + 2
        widths[name] = min(widths[name], max(room, _LEAST_OF_A_NAME))
    return ["  ".join(map(_fitted, columns, cells, widths)).rstrip() for cells in rows]


def legend(
    summary: Summary,
    wide: int | None = None,
    models: Sequence[ModelResult] | None = None,
    *,
    cut_names: bool = True,
) -> str:
    """Return what the marks and columns of the table mean; the arguments are those of `board_lines`."""
    shown = summary.judged if models is None else list(models)
    marks = {_mark(model, summary) for model in shown}
    words = [f"{mark} {text}" for mark, text in _MARKS.items() if mark in marks]
    columns = _fitting(summary, shown, wide, cut_names=cut_names)
    told = [column.legend for column in columns if column.legend]
    return "; ".join([*words, *told]) + "." if words or told else ""


_MARKS = {">": "recommended", "*": "statistically tied for best", "r": "scikit-learn reference"}


def _mark(model: ModelResult, summary: Summary) -> str:
    if model.name == summary.recommended and model.p_baseline is not None:
        return ">"
    return "*" if model.tied else "r" if model.role == "reference" else " "


def _fitting(
    summary: Summary, models: Sequence[ModelResult], wide: int | None, *, cut_names: bool
) -> list[_Column]:
    """Return the columns that there is room for."""
    columns = _columns(summary, models)
    names = [len(_name(model)) for model in models]
    cut = max(0, max(names, default=0) - _ENOUGH_OF_A_NAME) if cut_names else 0
    while wide is not None and _width(_rows(columns, models)) - cut > wide:
        last = max(columns, key=lambda each: each.rank)
        if not last.rank:
            break
        columns = [each for each in columns if each is not last]
    return columns


def _width(rows: Sequence[Sequence[str]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True)) - 2


def _name(model: ModelResult) -> str:
    # The full name, majority-class baseline, would make the table wider than a terminal.
    return "baseline" if model.role == "baseline" else model.title


def _rows(columns: Sequence[_Column], models: Sequence[ModelResult]) -> list[tuple[str, ...]]:
    heading = tuple(column.heading for column in columns)
    return [heading, *(tuple(column.cell(model) for column in columns) for model in models)]


def _fitted(column: _Column, cell: str, width: int) -> str:
    if not column.is_text:
        return cell.rjust(width)
    return (cell if len(cell) <= width else f"{cell[: width - 1]}…").ljust(width)


def _columns(summary: Summary, models: Sequence[ModelResult]) -> list[_Column]:
    """Return all columns of the table."""
    share, title = summary.metric.is_share, summary.metric.title
    level = f"{100 * summary.settings.confidence:g}%"
    margin = margin_text(summary.settings.rope, share=share)
    scale = GapScale.of(models)
    found = [
        _Column("", lambda model: _mark(model, summary), is_text=True),
        _Column("model", _name, is_text=True),
        _Column(
            title if len(title) <= _LONGEST else "score",
            lambda model: score_text(model.score.mean, share=share),
        ),
        _Column(f"{level} CI", lambda model: _ends(model.score, share)),
        _Column(
            "behind best",
            lambda model: _behind(model, summary),
            f"behind best: ± {level} CI",
            rank=1,
        ),
        _Column(
            "worse ◂ best",
            lambda model: scale.text(model.standing.gap) if model.standing else "",
            rank=4,
            is_text=True,
        ),
        _Column(
            "as good",
            lambda model: _as_good(model, summary),
            f"as good: probability of at most {margin} behind",
        ),
        _Column("training", lambda model: score_text(model.mean("train_score"), share=share), rank=6),
        _Column("fit", lambda model: seconds(model.mean("fit_seconds")), rank=5),
        _Column("per row", lambda model: seconds(model.predict_seconds_per_row), rank=2),
        _Column(
            "size", lambda model: size(None if model.delivered is None else model.delivered.bytes), rank=3
        ),
    ]
    if summary.settings.reject_cost is not None:
        # Models may reject rows, so that the share they predict is a column of its own.
        found.insert(4, _Column("coverage", _coverage))
    return found


def _coverage(model: ModelResult) -> str:
    return score_text(None if model.confusion is None else model.confusion.coverage, share=True)


def _ends(score: Interval, share: bool) -> str:
    if np.isnan(score.low):
        return "–"
    return "–".join(score_text(end, share=share, unit=False) for end in (score.low, score.high))


def _behind(model: ModelResult, summary: Summary) -> str:
    """Return how far a model is behind the best, with half the width of the interval."""
    standing = model.standing
    if standing is None or model.name == summary.best:
        return "–"
    by, digits = (100.0, 1) if summary.metric.is_share else (1.0, 3)
    gap, reach = by * standing.gap.mean, by * (standing.gap.high - standing.gap.mean)
    known = "" if np.isnan(reach) else f" ±{reach:.{digits}f}"
    return f"{gap:.{digits}f}{known}"


def _as_good(model: ModelResult, summary: Summary) -> str:
    standing = model.standing
    if standing is None or model.name == summary.best:
        return "best" if model.name == summary.best else "–"
    return probability_text(standing.as_good)


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
