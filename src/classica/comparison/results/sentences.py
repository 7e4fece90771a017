"""State the answer of a comparison in a few sentences: the recommendation first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classica.comparison.results.summary import ModelResult, Summary
from classica.diagnosis.rules.trust_rules import NoBetterThanChance
from classica.metrics import METRICS
from classica.statistics.interval import Interval
from classica.wording import sentence_start

#: Scores that are not shares have three decimals below this, so that they stand one below the other.
_LARGE = 10


def answer(summary: Summary) -> str:
    """Return which model to use, its score, the score of the baseline, and the models tied for best."""
    if not summary.judged:
        reason = next((model.reason for model in summary.models if model.reason), "")
        return f"No model could be evaluated. {reason}".rstrip()
    sentences = [_recommendation(summary), _baseline(summary), _others(summary), incompleteness(summary)]
    return " ".join(sentence for sentence in sentences if sentence)


def incompleteness(summary: Summary) -> str:
    """Return what the answer is based on where that is less than planned; nothing for a complete run."""
    if summary.is_provisional:
        rows = max((model.learned_rows or 0 for model in summary.judged), default=0)
        return (
            f"This result is provisional: models were trained on at most {rows:,} of"
            f" {summary.table.rows:,} rows, and none has been evaluated on all folds."
        )
    folds, planned = len(summary.folds.counted), summary.folds.planned
    missing = [model for model in summary.models if model.state in ("skipped", "unfinished")]
    if not summary.settings.thorough:
        few = folds < planned and summary.is_interrupted
        return f"The run was stopped: this result is based on {folds} of {planned} folds." if few else ""
    if folds == planned and not missing:
        return ""
    all_models = len(summary.models)
    done = all_models - len(missing)
    parts = f"{folds} of {planned} folds and {done} of {all_models} models"
    return f"The run is not complete: this result is based on {parts}."


def _recommendation(summary: Summary) -> str:
    best, used = summary.model(summary.best), summary.model(summary.recommended)
    if any(model.role == "baseline" and not model.is_judged for model in summary.models):
        return "No model can be recommended yet: the baseline has not been evaluated on these folds."
    if used is None or best is None or not any(model.p_baseline is not None for model in summary.models):
        return f"No model is significantly better than {_baseline_name(summary)}{_few_folds(summary)}."
    score = used.score if summary.headline is None else summary.headline
    sentence = f"Use {used.title}: {_score_text(score, summary)}{_sample(used, summary)}."
    if used.name == best.name:
        return sentence
    value = _value(best.score.mean, summary)
    return f"{sentence} {sentence_start(best.title)} scores best ({value}), but is not significantly better."


def _sample(model: ModelResult, summary: Summary) -> str:
    """Return the size of the training sets, where it is smaller than that of a fold."""
    rows, whole = model.learned_rows, summary.table.rows
    if summary.is_provisional or rows is None or rows >= whole // 2:
        return ""
    return f", trained on {rows:,} of {whole:,} rows"


def _baseline(summary: Summary) -> str:
    value = _value(summary.metric.baseline, summary)
    if any(model.p_baseline is not None for model in summary.models):
        doubt = ""
        used = summary.model(summary.recommended)
        if used is not None and used.p_baseline is None:
            better = [model.title for model in summary.judged if model.p_baseline is not None]
            verb = "is" if len(better) == 1 else "are"
            doubt = f"; only {listed(better)} {verb} significantly better"
        return f"{_baseline_sentence(summary)} {value}{doubt}."
    best = summary.model(summary.best)
    if best is None or best.role == "baseline":
        return f"{_baseline_sentence(summary)} {value}, and no model scores higher."
    score = _score_text(best.score, summary)
    return f"{_baseline_sentence(summary)} {value}. {sentence_start(best.title)} scores best: {score}."


def _baseline_name(summary: Summary) -> str:
    if summary.metric.name == "cost":
        return "rejecting every row" if _rejects_all(summary) else "always predicting the cheapest class"
    return "the majority-class baseline"


def _rejects_all(summary: Summary) -> bool:
    """Return whether the cheapest constant decision is to reject every row."""
    return summary.metric.baseline == summary.settings.reject_cost


def _baseline_sentence(summary: Summary) -> str:
    if summary.metric.name == "cost":
        return f"{sentence_start(_baseline_name(summary))} costs"
    if METRICS[summary.metric.name].needs != "labels":
        return "Always predicting the class frequencies scores"
    return "Always predicting the most frequent class scores"


def _others(summary: Summary) -> str:
    """Return the other models that are statistically tied for best."""
    models = [model for model in summary.judged if model.role == "model"]
    if not summary.tied or len(models) < 2:
        return ""
    named = {summary.best}
    if any(model.p_baseline is not None for model in summary.models):
        named.add(summary.recommended)  # otherwise no model has been recommended
    tied = [model.title for model in models if model.tied and model.name not in named]
    if not tied:
        unnamed = [model for model in models if model.name not in named]
        return "All other models are significantly worse." if unnamed else ""
    best = summary.model(summary.best)
    verb = "is" if len(tied) == 1 else "are"
    with_best = f"tied with {best.title}" if best is not None else "tied for best"
    return sentence_start(f"{listed(tied, 3)} {verb} statistically {with_best}.")


def _few_folds(summary: Summary) -> str:
    folds = len(summary.folds.counted)
    if folds >= NoBetterThanChance.ENOUGH_FOLDS:
        return ""
    return f", but {folds} folds are few" if folds > 1 else ", but one fold cannot show it"


def _score_text(score: Interval, summary: Summary) -> str:
    """Return a score with its interval."""
    interval = ""
    if not np.isnan(score.low):
        ends = f"{_value(score.low, summary, unit=False)}–{_value(score.high, summary)}"
        interval = f" ({100 * score.confidence:g}% CI {ends})"
    less = "" if summary.metric.higher_is_better else ", lower is better"
    value = _value(score.mean, summary)
    if summary.metric.is_share:
        return f"{value} {summary.metric.title} on new data{less}{interval}"
    return f"{summary.metric.title} {value} on new data{less}{interval}"


def _value(value: float, summary: Summary, *, unit: bool = True) -> str:
    return score_text(value, share=summary.metric.is_share, unit=unit)


def score_text(value: float | None, *, share: bool, unit: bool = True) -> str:
    """Format a score: shares in per cent, other scores with three decimals."""
    if value is None or np.isnan(value):
        return "–"
    if not share:
        return f"{value:.3f}" if abs(value) < _LARGE else f"{value:.4g}"
    held = min(max(value, 0.0), 1.0)
    text = f"{100 * held:.1f}"
    if text == "100.0" and held < 1:  # nearly all is not all
        text = f"{min(100 * held, 99.99):.2f}"
    return f"{text}%" if unit else text


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names as the list in a sentence."""
    first = list(names[:most])
    if len(names) > most:
        return f"{', '.join(first)} and {len(names) - most} more"
    return first[0] if len(names) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
