"""From a summary to its recommendation: the rule is `recommended` of `ranking.py`, here are the reasons."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from classica.comparison.results.gathering import readability
from classica.comparison.results.recommendation import Reason, Recommendation, WeakClass, WhyNone
from classica.comparison.results.summary import ModelResult, Summary

#: From this factor on a model is called smaller or faster.
_NOTABLE = 2.0
#: The recall of a class of fewer rows than this is too uncertain to be named, if there are larger classes.
_FEW_ROWS = 10
#: Families up to this level of `readability` can be read as a whole.
_READABLE = 1


def recommendation(summary: Summary) -> Recommendation:
    """Return what to use and why, from what the summary knows."""
    best, used = summary.model(summary.best), summary.model(summary.recommended)
    why = _why_none(summary)
    used = None if why else used
    standing = None if used is None else used.standing
    most_frequent = max(summary.table.classes, key=lambda each: each.rows, default=None)
    return Recommendation(
        model=None if used is None else used.name,
        most_accurate=None if best is None else best.name,
        why_none=why,
        reasons=() if used is None or best is None else tuple(_reasons(used, best)),
        as_good=float("nan") if standing is None else standing.as_good,
        margin=summary.settings.rope,
        alternatives=tuple(_alternatives(summary, used)),
        baseline=summary.metric.baseline,
        baseline_class=None if most_frequent is None else most_frequent.label,
        weakest_class=None if used is None else weakest_class(used),
        helps=_helps(summary, used),
    )


def _why_none(summary: Summary) -> WhyNone:
    if not summary.judged:
        return "nothing evaluated"
    if any(model.role == "baseline" and not model.is_judged for model in summary.models):
        return "baseline not evaluated"
    used = summary.model(summary.recommended)
    return "not better than baseline" if used is None or used.p_baseline is None else ""


def _reasons(used: ModelResult, best: ModelResult) -> Iterator[Reason]:
    """Yield why a model is recommended, compared with the most accurate one."""
    if used.name == best.name:
        yield Reason("most_accurate")
        return
    if used.standing is not None:
        yield Reason("as_good", used.standing.as_good)
    others = list(_advantages(used, best))
    yield from others
    faster = _times(best.predict_seconds_per_row, used.predict_seconds_per_row)
    # Measured times vary: they decide nothing, and are named where there is no better reason.
    if not others and faster >= _NOTABLE:
        yield Reason("faster", faster)


def _advantages(used: ModelResult, best: ModelResult) -> Iterator[Reason]:
    smaller = _times(_size(best), _size(used)) or _times(best.mean_parameters, used.mean_parameters)
    if smaller >= _NOTABLE:
        yield Reason("smaller", smaller)
    if readability(used.family) <= _READABLE < readability(best.family):
        yield Reason("readable")


def _size(model: ModelResult) -> float | None:
    """Return the bytes of a model's file; a model without one has no size to compare."""
    return None if model.delivered is None else model.delivered.bytes


def _times(more: float | None, less: float | None) -> float:
    return more / less if more and less else 0.0


def _alternatives(summary: Summary, used: ModelResult | None) -> list[str]:
    named = {summary.best, None if used is None else used.name}
    return [
        model.name
        for model in summary.judged
        if model.standing is not None and model.standing.is_as_good
        if model.p_baseline is not None and model.name not in named
    ]


def weakest_class(model: ModelResult) -> WeakClass | None:
    """Return the class that a model misses most often; None if it misses none or is not known to."""
    found = model.confusion
    if found is None:
        return None
    large = found.support >= min(_FEW_ROWS, int(found.support.max()))
    missed = np.where(large & (found.support > 0), found.class_errors, -1.0)
    worst = int(np.argmax(missed))
    if missed[worst] <= 0:
        return None
    others = found.matrix[worst].copy()
    others[worst] = -1
    labels = found.classes.tolist()
    return WeakClass(
        labels[worst], int(found.support[worst]), float(missed[worst]), labels[int(others.argmax())]
    )


def _helps(summary: Summary, used: ModelResult | None) -> str | None:
    """Return the code of the first finding that can be acted on and is about these models or the table."""
    first = next((model.name for model in summary.judged if model.role == "model"), None)
    about = {summary.best, first, None if used is None else used.name}
    return next(
        (
            finding.code
            for finding in summary.findings
            if finding.explanation.is_actionable and (not finding.models or about & {*finding.models})
        ),
        None,
    )
