"""State the answer of a comparison in a few sentences: the recommendation first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classica.comparison.results.recommendation import Reason, Recommendation
from classica.comparison.results.recommending import recommendation
from classica.comparison.results.summary import ModelResult, Summary
from classica.diagnosis.rules.trust_rules import NoBetterThanChance
from classica.metrics import METRICS
from classica.statistics.interval import Interval
from classica.wording import plain_words, sentence_start

#: Scores that are not shares have three decimals below this, so that they stand one below the other.
_LARGE = 10


def answer(summary: Summary) -> str:
    """Return the recommendation in a few sentences."""
    return " ".join(answer_sentences(summary))


def answer_sentences(summary: Summary) -> list[str]:
    """Return the recommendation: what to use, the most accurate, the baseline, alternatives, what helps."""
    told = summary.recommendation or recommendation(summary)
    if told.why_none == "nothing evaluated":
        reason = next((model.reason for model in summary.models if model.reason), "")
        return [f"No model could be evaluated. {reason}".rstrip()]
    sentences = [
        _use(told, summary),
        _most_accurate(told, summary),
        _baseline(told, summary),
        _alternatives(told, summary),
        _helps(told, summary),
        incompleteness(summary),
    ]
    return [sentence for sentence in sentences if sentence]


def lead_sentences(summary: Summary) -> list[str]:
    """Return what to use, and what else bears on that choice.

    The baseline, the class that is missed most and what would help are left out: a page has places for them.
    """
    told = summary.recommendation or recommendation(summary)
    if told.model is None:
        return answer_sentences(summary)
    sentences = [_use(told, summary), _most_accurate(told, summary), _alternatives(told, summary)]
    return [sentence for sentence in [*sentences, incompleteness(summary)] if sentence]


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


def _use(told: Recommendation, summary: Summary) -> str:
    """Return which model to use, and why that one."""
    if told.why_none == "baseline not evaluated":
        return "No model can be recommended yet: the baseline has not been evaluated on these folds."
    used = summary.model(told.model)
    if used is None:
        return f"No model is significantly better than {_baseline_name(summary)}{_few_folds(summary)}."
    score = used.score if summary.headline is None else summary.headline
    if used.name == told.most_accurate:
        return f"Use {used.title}: {_score_text(score, summary)}{_sample(used, summary)}."
    good = "as accurate as" if summary.metric.name == "accuracy" else "as good as"
    why = ", ".join(filter(None, map(_reason_words, told.reasons)))
    return (
        f"Use {used.title}: {good} the best ({_score_in_brackets(score, summary)}{_sample(used, summary)})"
        f"{', ' if why else ''}{why}."
    )


def _reason_words(reason: Reason) -> str:
    """Return a reason that is not the score."""
    if reason.code in ("smaller", "faster"):
        return f"{_times(reason.value)} {reason.code}"
    return "readable" if reason.code == "readable" else ""


def _times(factor: float) -> str:
    """Return a factor with one digit: more would be noise.

    Examples
    --------
    >>> _times(2.2), _times(9.7), _times(347.0)
    ('twice', '10 times', '300 times')
    """
    digits = -int(np.floor(np.log10(factor)))
    number = int(round(factor, min(digits, 0)))
    return "twice" if number == 2 else f"{number:,} times"


def _most_accurate(told: Recommendation, summary: Summary) -> str:
    """Return the model with the best score, where another is recommended, and how sure the tie is."""
    best = summary.model(told.most_accurate)
    if best is None or told.model in (None, best.name):
        return ""
    sure = ""
    if np.isfinite(told.as_good):
        words = probability_text(told.as_good).replace(">", "more than").replace("<", "less than")
        sure = f" with {words} probability"
    return (
        f"{sentence_start(best.title)} scores best ({_value(best.score.mean, summary)}), by at most"
        f" {margin_text(told.margin, share=summary.metric.is_share)}{sure}."
    )


def margin_text(margin: float, *, share: bool) -> str:
    """Return the region of practical equivalence in words."""
    if not share:
        return f"{margin:g}"
    size = 100 * margin
    return f"{size:g} percentage {'point' if size == 1 else 'points'}"


def _sample(model: ModelResult, summary: Summary) -> str:
    """Return the size of the training sets, where it is smaller than that of a fold."""
    rows, whole = model.learned_rows, summary.table.rows
    if summary.is_provisional or rows is None or rows >= whole // 2:
        return ""
    return f", trained on {rows:,} of {whole:,} rows"


def _baseline(told: Recommendation, summary: Summary) -> str:
    """Return what the baseline scores, and what the recommended model means for the class it misses most."""
    value = _value(told.baseline, summary)
    best = summary.model(told.most_accurate)
    if told.model is not None:
        return " ".join(filter(None, [f"{_baseline_sentence(summary)} {value}.", _missed(told, summary)]))
    if best is None or best.role == "baseline":
        return f"{_baseline_sentence(summary)} {value}, and no model scores higher."
    score = _score_text(best.score, summary)
    return f"{_baseline_sentence(summary)} {value}. {sentence_start(best.title)} scores best: {score}."


def _missed(told: Recommendation, summary: Summary) -> str:
    used, weak = summary.model(told.model), told.weakest_class
    if used is None or weak is None:
        return ""
    label = plain_words(weak.label)
    return f"{sentence_start(used.title)} misses {_missed_share(weak.missed)} of '{label}'."


def _missed_share(value: float) -> str:
    return f"{value:.0%}" if 0.01 <= value <= 0.99 or value in (0.0, 1.0) else f"{value:.1%}"


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


def _alternatives(told: Recommendation, summary: Summary) -> str:
    """Return the other models that are practically as good, or may be the best."""
    models = [model for model in summary.judged if model.role == "model"]
    if not summary.tied or len(models) < 2:
        return ""
    others = [model for model in models if model.name not in (told.model, told.most_accurate)]
    close = [model.title for model in others if model.name in told.alternatives]
    tied = [model.title for model in others if model.tied and model.name not in told.alternatives]
    good = "as accurate" if summary.metric.name == "accuracy" else "as good"
    if close:
        return sentence_start(f"{listed(close, 3)} {'is' if len(close) == 1 else 'are'} about {good}.")
    if tied:
        be = "is" if len(tied) == 1 else "are"
        worse = "less accurate" if summary.metric.name == "accuracy" else "worse"
        return sentence_start(f"{listed(tied, 3)} {be} statistically tied for best, but probably {worse}.")
    return "All other models are significantly worse." if others else ""


def _helps(told: Recommendation, summary: Summary) -> str:
    """Return what would help most."""
    finding = next((each for each in summary.findings if each.code == told.helps), None)
    if finding is None or not finding.remedy:
        return ""
    return f"What would help most ({finding.code}): {finding.remedy}"


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


def _score_in_brackets(score: Interval, summary: Summary) -> str:
    """Return a score with its interval, as it stands within brackets."""
    value = f"{_value(score.mean, summary)}"
    named = value if summary.metric.name == "accuracy" else f"{summary.metric.title} {value}"
    if np.isnan(score.low):
        return named
    ends = f"{_value(score.low, summary, unit=False)}–{_value(score.high, summary)}"
    return f"{named}, {100 * score.confidence:g}% CI {ends}"


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


def probability_text(value: float) -> str:
    """Format a probability in whole per cent, never as certainty.

    Examples
    --------
    >>> probability_text(0.693), probability_text(0.9999), probability_text(0.0001)
    ('69%', '> 99%', '< 1%')
    """
    if np.isnan(value):
        return "–"
    return "> 99%" if value > 0.99 else "< 1%" if value < 0.01 else f"{value:.0%}"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names as the list in a sentence."""
    first = list(names[:most])
    if len(names) > most:
        return f"{', '.join(first)} and {len(names) - most} more"
    return first[0] if len(names) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
