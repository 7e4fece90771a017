"""What a model card says, section by section: Markdown and HTML are two forms of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.comparison.results.metrics_text import class_cells
from classica.comparison.results.model_card import CardData, Evaluation, ModelCard
from classica.comparison.results.sentences import margin_text, score_text
from classica.metrics import METRICS
from classica.statistics.interval import Interval
from classica.statistics.standing import AS_GOOD
from classica.wording import counted, plain_words, sentence_start, share

#: Classes and columns that are listed; more are counted.
_MOST_CLASSES, _MOST_COLUMNS = 60, 100
#: A calibration error up to this multiple of what chance shows is none, as in the finding about it.
_CHANCE = 3.0


@dataclass(frozen=True)
class Section:
    """A section of a model card: paragraphs, then a table whose first row is its heading.

    Attributes
    ----------
    title : str
        Its heading.
    paragraphs : tuple of str
        Plain text.
    rows : tuple of tuple of str
        The cells of a table; empty for none.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def card_title(found: Mapping[str, Any], card: ModelCard | None) -> str:
    """Return the title of the card of a model file, as `persist.inspect` describes it."""
    name = str(found["class"]) if card is None else sentence_start(card.title)
    return f"Model card: {name}"


def card_sections(found: Mapping[str, Any], card: ModelCard | None) -> list[Section]:
    """Return the sections of a model card, from the description of its file and the card in it.

    Parameters
    ----------
    found : mapping
        What `persist.inspect` returns.
    card : ModelCard or None
        The card; None for a model that no comparison has delivered: the sections then hold what its file
        says.
    """
    if card is None:
        use = _use(found.get("classes"), found["metadata"].get("target"))
        unknown = (
            "The file has no evaluation. Run classica evaluate on rows that the model was not trained on."
        )
        sections = [
            Section("Intended use", use),
            Section("Data", rows=tuple(_plain_data(found))),
            Section("Performance", (unknown,)),
        ]
    else:
        data = card.data
        sections = [
            Section("Intended use", _use([each.label for each in data.classes], data.target, card)),
            Section("Data", (_data(data, card),), tuple(_class_counts(data))),
            Section("Performance", tuple(_performance(card)), tuple(_metrics(card))),
            Section("Performance by class", (), tuple(_classes(card))),
            Section("Calibration", (_calibration(card),)),
            Section("Limits", tuple(_limits(card))),
            Section("How it was chosen", tuple(_choice(card))),
        ]
    sections.append(Section("Model", rows=tuple(_model(found, card))))
    return [each for each in sections if each.paragraphs or each.rows]


def _use(classes: Any, target: Any, card: ModelCard | None = None) -> tuple[str, ...]:
    labels = [plain_words(each) for each in classes] if isinstance(classes, list) else []
    names = ", ".join(labels[:_MOST_CLASSES])
    what = f"the column {plain_words(target)}" if target else "the class"
    first = f"Predict {what} of new rows" + (f": one of {names}." if labels else ".")
    origin = "" if card is None else f" like those of {plain_words(card.data.source)}"
    limits = (
        f"It is meant for rows{origin} drawn in the same way as the training rows. It predicts no class"
        " that it was not trained on, and its performance on other populations is not known."
    )
    return first, limits


def _data(data: CardData, card: ModelCard) -> str:
    fitted = "" if card.fitted_rows == data.rows else f" It was fitted on {card.fitted_rows:,} of them."
    return (
        f"{plain_words(data.source)}: {counted(data.rows, 'row')}, {counted(data.features, 'feature')},"
        f" target {plain_words(data.target)}. SHA-256 of the table: {data.fingerprint}.{fitted}"
    )


def _class_counts(data: CardData) -> Iterator[tuple[str, ...]]:
    yield "class", "rows", "share"
    for each in data.classes[:_MOST_CLASSES]:
        yield plain_words(each.label), f"{each.rows:,}", share(each.rows, data.rows)
    more = data.classes[_MOST_CLASSES:]
    if more:
        rows = sum(each.rows for each in more)
        yield f"{len(more)} more", f"{rows:,}", share(rows, data.rows)


def _performance(card: ModelCard) -> Iterator[str]:
    told = card.evaluation
    metric, score = told.metric, told.score
    value = _with_interval(score, is_share=metric.is_share)
    baseline = score_text(metric.baseline, share=metric.is_share)
    better = "significantly better" if card.beats_baseline else "not significantly better"
    title = sentence_start(metric.title)
    yield f"{title} on new data: {value}. The baseline scores {baseline}; this is {better}."
    yield _procedure(told)
    weak = card.recommendation.weakest_class
    if card.role == "recommended" and weak is not None:
        yield (
            f"It misses {share(weak.missed, 1)} of {plain_words(weak.label)} ({counted(weak.rows, 'row')}),"
            f" mostly predicted as {plain_words(weak.taken_for)}."
        )


def _procedure(told: Evaluation) -> str:
    kinds = {
        "stratified": "stratified",
        "groups": "with rows of one group kept together",
        "time": "tested on later rows",
    }
    repeats = f", repeated {told.repeats} times" if told.repeats > 1 else ""
    tuned = (
        "hyper-parameters were tuned within each fold"
        if told.nested
        else "scores are corrected for the selection of hyper-parameters and of the model"
    )
    return (
        f"Cross-validated on {counted(told.folds, 'fold')}, {kinds[told.split]}{repeats};"
        f" {told.test_rows:,} held-out predictions of models trained on at most {told.learned_rows:,} rows;"
        f" {tuned}. Random seed {told.seed}."
    )


def _with_interval(found: Interval, *, is_share: bool) -> str:
    mean = score_text(found.mean, share=is_share)
    if np.isnan(found.low):
        return mean
    low, high = score_text(found.low, share=is_share, unit=False), score_text(found.high, share=is_share)
    return f"{mean} ({100 * found.confidence:g}% CI {low}–{high})"


def _metrics(card: ModelCard) -> Iterator[tuple[str, ...]]:
    known = {name: METRICS[name] for name in METRICS if name in card.metrics}
    if known:
        yield "metric", "held-out predictions"
    for name, measure in known.items():
        is_share = measure.limits == (0.0, 1.0)
        yield measure.title, _with_interval(card.metrics[name], is_share=is_share)


def _classes(card: ModelCard) -> Iterator[tuple[str, ...]]:
    if card.classes:
        level = f"({100 * card.classes[0].recall.confidence:g}% CI)"
        yield "class", "rows", f"precision {level}", f"recall {level}", "F1"
    for each in card.classes[:_MOST_CLASSES]:
        yield tuple(class_cells(each))


def _calibration(card: ModelCard) -> str:
    found = card.calibration
    if found is None:
        return "The model has no probabilities."
    off = f"Probabilities are off by {100 * found.ece:.1f} percentage points on average"
    if found.ece <= _CHANCE * found.by_chance:
        return f"{off}, no more than chance would explain: they are well calibrated on held-out rows."
    return f"{off}: the model is {'over' if found.bias > 0 else 'under'}-confident on held-out rows."


def _limits(card: ModelCard) -> Iterator[str]:
    for finding in card.findings:
        yield f"{finding.title} ({finding.code}): {finding.detail} {finding.remedy}".rstrip()
    if not card.findings:
        yield "The comparison has found nothing wrong with this model."


def _choice(card: ModelCard) -> Iterator[str]:
    told = card.recommendation
    evaluated = counted(card.compared, "model")
    if told.model is None:
        yield f"None of {evaluated} was recommended: {told.why_none}."
        return
    margin = margin_text(told.margin, share=card.evaluation.metric.is_share)
    rule = (
        f"The comparison evaluated {evaluated} and recommends the simplest of those that are significantly"
        f" better than the baseline and, with a probability of at least {AS_GOOD:.0%}, at most {margin} worse"
        " than the most accurate."
    )
    if card.role == "recommended":
        yield f"{rule} This is the recommended model."
    else:
        yield f"{rule} It recommends {card.recommended_title}, not this model."
    if told.most_accurate != card.model:
        good = f"{card.as_good:.0%}" if np.isfinite(card.as_good) else "unknown"
        best = card.most_accurate_title
        yield f"Probability of being as good as the most accurate, {best}, within that margin: {good}."
    else:
        yield "It has the best score of all models."


def _model(found: Mapping[str, Any], card: ModelCard | None) -> Iterator[tuple[str, ...]]:
    yield "property", "value"
    if card is not None:
        yield "kind", f"{card.title}: {card.about}"
        yield "what can be read of it", card.interpretability
        set_by = ", ".join(f"{name} = {value}" for name, value in card.parameters.items())
        yield "hyper-parameters", set_by or "default"
    else:
        yield "kind", f"{found['kind']} ({found['class']})"
    if found.get("model_parameters") is not None:
        yield "learned parameters", f"{found['model_parameters']:,}"
    yield "columns", _columns(found)
    versions = {**found["versions"], **({} if card is None else card.versions)}
    yield "versions", ", ".join(f"{name} {number}" for name, number in versions.items())
    yield "SHA-256 of the file", str(found["sha256"])


def _plain_data(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield what the file of a trained model says about its table."""
    known = {name: found["metadata"].get(name) for name in ("target", "rows", "fingerprint", "source")}
    shown = {name: value for name, value in known.items() if isinstance(value, str | int)}
    if shown:
        yield "property", "value"
    for name, value in shown.items():
        yield name, f"{value:,}" if isinstance(value, int) else plain_words(value)


def _columns(found: Mapping[str, Any]) -> str:
    names = found["features"] if isinstance(found["features"], list) else []
    if not names:
        return str(found["columns"])
    shown = ", ".join(plain_words(name) for name in names[:_MOST_COLUMNS])
    return shown if len(names) <= _MOST_COLUMNS else f"{shown} and {len(names) - _MOST_COLUMNS} more"
