"""The model card of a delivered model: what is known about it, kept in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Literal

from classica.comparison.results.recommendation import Recommendation
from classica.comparison.results.summary import (
    ClassCount,
    ClassMetrics,
    MetricFacts,
    ModelResult,
    Summary,
)
from classica.diagnosis.finding import Finding
from classica.errors import DataError, ModelFileError, must
from classica.metrics.reliability import Calibration
from classica.recorded import Recorded, from_record
from classica.statistics.interval import Interval

#: The version of the JSON form.
VERSION = 1
#: The entry of a model file's metadata that it is kept in.
ENTRY = "card"


@dataclass(frozen=True)
class CardData(Recorded):
    """The table that a model was trained on; of its source only the name, as folders may be private."""

    source: str
    fingerprint: str
    target: str
    rows: int
    features: int
    classes: tuple[ClassCount, ...]


@dataclass(frozen=True)
class Evaluation(Recorded):
    """How a model was evaluated.

    Attributes
    ----------
    metric : MetricFacts
        What models were ranked by, and what the baseline scores.
    score : Interval
        The score of the model; that of the recommended one is corrected for having been selected.
    folds, repeats, test_rows, learned_rows : int
        Folds and their repetitions, predictions for held-out rows, and rows of the largest training set.
    split : {"stratified", "groups", "time"}
        How rows were held out.
    nested : bool
        Whether hyper-parameters were tuned within each fold.
    seed : int
        Random seed.
    """

    metric: MetricFacts
    score: Interval
    folds: int
    repeats: int
    test_rows: int
    learned_rows: int
    split: Literal["stratified", "groups", "time"]
    nested: bool
    seed: int


@dataclass(frozen=True)
class ModelCard(Recorded):
    """What is known about a model that a comparison has delivered.

    Nothing in it depends on how fast the computer was, so that the same comparison writes the same files.

    Attributes
    ----------
    model, title, about, interpretability : str
        The model by its slug, what people call it, what it is, and what can be read of it.
    role : {"recommended", "most accurate", "other"}
        What the comparison makes of it.
    parameters : dict
        Its hyper-parameters.
    fitted_rows : int
        The rows it was fitted on.
    data : CardData
        The table.
    evaluation : Evaluation
        How it was evaluated, and its score.
    metrics, classes, calibration
        As in `ModelResult`.
    findings : tuple of Finding
        What was found about this model or the table.
    compared : int
        How many models were evaluated in the comparison.
    beats_baseline : bool
        Whether it is significantly better than the baseline.
    as_good : float
        The probability that it is practically as good as the most accurate model.
    recommendation : Recommendation
        The recommendation of the comparison.
    recommended_title, most_accurate_title : str
        What people call the models it names.
    versions : dict from str to str
        Of the packages behind it.
    """

    model: str
    title: str
    about: str
    interpretability: str
    role: Literal["recommended", "most accurate", "other"]
    parameters: dict[str, Any]
    fitted_rows: int
    data: CardData
    evaluation: Evaluation
    metrics: dict[str, Interval]
    classes: tuple[ClassMetrics, ...]
    calibration: Calibration | None
    findings: tuple[Finding, ...]
    compared: int
    beats_baseline: bool
    as_good: float
    recommendation: Recommendation
    recommended_title: str
    most_accurate_title: str
    versions: dict[str, str]

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, the version first."""
        return {"classica_card": VERSION, **super().record()}


def model_card(summary: Summary, model: ModelResult) -> ModelCard | None:
    """Return the card of a delivered model; None for one that was not evaluated."""
    told, standing, delivered = summary.recommendation, model.standing, model.delivered
    if told is None or standing is None or delivered is None:
        return None
    table, is_used = summary.table, model.name == told.model
    is_best = model.name == told.most_accurate
    about = [each for each in summary.findings if _is_limit(each, model.name)]
    titles = {each.name: each.title for each in summary.models}
    return ModelCard(
        model=model.name,
        title=model.title,
        about=model.about.summary,
        interpretability=model.about.interpretability,
        role="recommended" if is_used else "most accurate" if is_best else "other",
        parameters=delivered.parameters,
        fitted_rows=table.rows if delivered.learned_rows is None else delivered.learned_rows,
        data=CardData(
            PurePath(table.source).name or table.source,
            table.fingerprint,
            table.target,
            table.rows,
            table.features,
            table.classes,
        ),
        evaluation=_evaluation(summary, model, summary.headline if is_used else None),
        metrics=model.metrics or {},
        classes=model.classes,
        calibration=model.calibration,
        findings=tuple(about),
        compared=sum(each.role == "model" for each in summary.judged),
        beats_baseline=model.p_baseline is not None,
        as_good=standing.as_good,
        recommendation=_without_times(told),
        recommended_title=titles.get(told.model or "", ""),
        most_accurate_title=titles.get(told.most_accurate or "", ""),
        versions=summary.versions,
    )


def _is_limit(finding: Finding, name: str) -> bool:
    """Return whether a finding is about this model or the table; those of group E3 compare models."""
    return not finding.code.startswith("E3") and (not finding.models or name in finding.models)


def _evaluation(summary: Summary, model: ModelResult, headline: Interval | None) -> Evaluation:
    settings = summary.settings
    return Evaluation(
        summary.metric,
        model.score if headline is None else headline,
        len(model.folds),
        settings.repeats,
        sum(fold.test_rows for fold in model.folds),
        model.learned_rows or 0,
        "time" if settings.time is not None else "groups" if settings.groups is not None else "stratified",
        summary.is_nested,
        settings.seed,
    )


def _without_times(told: Recommendation) -> Recommendation:
    return replace(told, reasons=tuple(each for each in told.reasons if each.code != "faster"))


def card_in(metadata: Mapping[str, Any]) -> ModelCard | None:
    """Return the card in the metadata of a model file, checked field by field; None if it has none."""
    record = metadata.get(ENTRY)
    if record is None:
        return None
    version = record.get("classica_card") if isinstance(record, Mapping) else None
    if version != VERSION:
        raise ModelFileError(must("The version of a model card", f"{VERSION}", version))
    try:
        return from_record(ModelCard, record, "The model card")
    except DataError as error:
        raise ModelFileError(str(error)) from None
