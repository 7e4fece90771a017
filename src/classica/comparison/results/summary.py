"""The one result of a comparison, typed: terminal, report, notebook and browser are functions of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from classica.comparison.plan.settings import Settings
from classica.comparison.results.recommendation import Recommendation
from classica.diagnosis.finding import Finding
from classica.errors import DataError
from classica.inspection.reasons import Drivers, ErrorAnalysis
from classica.metrics.confusion_matrix import Confusion
from classica.metrics.reliability import Calibration
from classica.native import Floats
from classica.recorded import Recorded, from_record
from classica.selection.extrapolation import Extrapolation
from classica.selection.learning_curves import LearningCurve
from classica.statistics.bayes_errors.table_bracket import TableBayesError
from classica.statistics.decomposition.bias_variance_result import BiasVariance
from classica.statistics.ensemble_diversity.member_diversity import Diversity
from classica.statistics.interval import Interval
from classica.statistics.standing import Standing
from classica.tables.profiles.profiling import Profile
from classica.whole_file import whole_file

#: The version of the JSON form; `old_summary` reads the ones before.
VERSION = 3
SUMMARY = "summary.json"


@dataclass(frozen=True)
class ClassCount(Recorded):
    """A class of the target and how many rows are of it."""

    label: Any
    rows: int


@dataclass(frozen=True)
class TableFacts(Recorded):
    """What was learned from.

    Attributes
    ----------
    source, target, fingerprint : str
        Where the table came from, the column to predict, and the SHA-256 of the typed table.
    rows, features : int
        Labelled rows, and the columns learned from.
    classes : tuple of ClassCount
        The classes; empty for a numeric target.
    notes : tuple of str
        What was decided when the table was read.
    profile : Profile
        Columns and findings about them.
    """

    source: str
    rows: int
    features: int
    target: str
    classes: tuple[ClassCount, ...]
    fingerprint: str
    notes: tuple[str, ...]
    profile: Profile


@dataclass(frozen=True)
class MetricFacts(Recorded):
    """What models are ranked by, and what the baseline scores on all rows."""

    name: str
    title: str
    higher_is_better: bool
    is_share: bool
    baseline: float


@dataclass(frozen=True)
class FoldScore(Recorded):
    """One model on one fold; a score that is not defined is NaN.

    Attributes
    ----------
    fold : int
        Which one, from 0.
    learned_rows, test_rows : int
        Rows of the training and the test set.
    test_score, train_score, inner_score : float
        On the test set, on the training set, and in the inner cross-validation that chose the parameters.
    parameters : dict
        The parameters that were chosen.
    select_seconds, fit_seconds, predict_seconds : float
        How long choosing, fitting and predicting took.
    model_parameters : int or None
        How many numbers the model has learned; None if it does not say.
    """

    fold: int
    learned_rows: int
    test_rows: int
    test_score: float
    train_score: float
    inner_score: float
    parameters: dict[str, Any]
    select_seconds: float
    fit_seconds: float
    predict_seconds: float
    model_parameters: int | None = None


@dataclass(frozen=True)
class Delivered(Recorded):
    """A model fitted on all rows, ready to use.

    Attributes
    ----------
    parameters : dict
        Chosen on all rows.
    file : str or None
        Where it is in the run folder; None for one that has no model file, with the `reason`.
    bytes, model_parameters : int or None
        The size of the file without its model card, and how many numbers were learned.
    select_seconds, fit_seconds : float
        How long choosing and fitting took.
    learned_rows : int or None
        The rows it was fitted on; None: all.
    """

    parameters: dict[str, Any]
    file: str | None = None
    reason: str = ""
    bytes: int | None = None
    model_parameters: int | None = None
    select_seconds: float = 0.0
    fit_seconds: float = 0.0
    learned_rows: int | None = None


@dataclass(frozen=True)
class About(Recorded):
    """What a model is: one sentence, the rule in LaTeX and in plain text, its source, what can be read."""

    summary: str
    rule: str = ""
    plain_rule: str = ""
    source: str = ""
    interpretability: str = ""


Role = Literal["model", "baseline", "reference"]
#: judged: on all folds that count; unfinished: on fewer; eliminated: stopped early, as it could not win any
#: more; failed: with an error or over a limit; skipped: not reached.
State = Literal["judged", "unfinished", "eliminated", "failed", "skipped"]


@dataclass(frozen=True)
class SizeScore(Recorded):
    """The score of a model that has learned from so many rows: a point of its learning curve."""

    rows: int
    score: Interval


@dataclass(frozen=True)
class ClassMetrics(Recorded):
    """How well a model does on the rows of one class.

    Attributes
    ----------
    label : object
        The class.
    rows : int
        Predictions for rows of this class; repeated folds predict a row more than once.
    precision, recall : Interval
        The share of the rows predicted as this class that belong to it, and the share of its rows that are
        predicted as it; NaN over no rows.
    f1 : float
        The harmonic mean of both.
    """

    label: Any
    rows: int
    precision: Interval
    recall: Interval
    f1: float


@dataclass(frozen=True)
class ModelResult(Recorded):
    """What became of one model.

    Attributes
    ----------
    name, title, family : str
        What it is asked for by, what people call it, and the family of the catalog.
    role : {"model", "baseline", "reference"}
        Whether it takes part, is the baseline, or is a yardstick from outside.
    state, reason : str
        How far it came, and why not further, in one sentence.
    about : About
        What it is.
    folds : tuple of FoldScore
        The folds that count for it.
    standing : Standing or None
        Its place in the ranking; None unless it is judged.
    p_baseline : float or None
        The adjusted p-value against the baseline, if it is significantly better.
    delivered : Delivered or None
        The model fitted on all rows.
    confusion, calibration
        Of the held-out predictions.
    metrics : dict from str to Interval, or None
        Every metric of the held-out predictions by its name, see `model_metrics`; the one that models are
        ranked by is that of the standing.
    classes : tuple of ClassMetrics
        Precision and recall of every class.
    provisional : Interval or None
        The score so far of a model that is not ranked.
    curve : tuple of SizeScore
        Its scores after learning from fewer rows, the fewest first.
    """

    name: str
    title: str
    family: str
    role: Role
    state: State
    reason: str
    about: About
    folds: tuple[FoldScore, ...] = ()
    standing: Standing | None = None
    p_baseline: float | None = None
    delivered: Delivered | None = None
    confusion: Confusion | None = None
    calibration: Calibration | None = None
    metrics: dict[str, Interval] | None = None
    classes: tuple[ClassMetrics, ...] = ()
    provisional: Interval | None = None
    curve: tuple[SizeScore, ...] = ()

    @property
    def learned_rows(self) -> int | None:
        """The rows of the training sets that its score rests on; None if it has none."""
        if self.folds:
            return max(fold.learned_rows for fold in self.folds)
        return self.curve[-1].rows if self.curve else None

    @property
    def is_judged(self) -> bool:
        """Whether it is in the ranking."""
        return self.standing is not None

    @property
    def score(self) -> Interval:
        """Its mean score with its interval."""
        if self.standing is None:
            raise DataError(f"{self.title} must be evaluated to have a score, got: {self.reason}")
        return self.standing.score

    @property
    def tied(self) -> bool:
        """Whether it is statistically tied for best."""
        return self.standing is not None and self.standing.tied

    def values(self, name: str) -> Floats:
        """Return one number of every fold."""
        return np.array([getattr(fold, name) for fold in self.folds], dtype=np.float64)

    def mean(self, name: str) -> float | None:
        """Return the mean of one number over the folds; None if one of them lacks it."""
        found = self.values(name)
        return float(found.mean()) if len(found) and not np.isnan(found).any() else None

    @property
    def mean_parameters(self) -> float | None:
        """The mean number of learned parameters over the folds; None where a fold does not state it."""
        found = [fold.model_parameters for fold in self.folds if fold.model_parameters is not None]
        return float(np.mean(found)) if found and len(found) == len(self.folds) else None

    @property
    def predict_seconds_per_row(self) -> float | None:
        """How long predicting one row takes on average."""
        if not self.folds:
            return None
        return float(self.values("predict_seconds").sum() / self.values("test_rows").sum())

    @property
    def chosen(self) -> list[tuple[dict[str, Any], int]]:
        """The parameters that were chosen, and in how many folds, the most frequent first."""
        counts = Counter(json.dumps(fold.parameters, sort_keys=True) for fold in self.folds)
        return [(json.loads(text), count) for text, count in counts.most_common()]

    def record(self) -> dict[str, Any]:
        """Return all fields as plain values, and the means over folds beside them."""
        means = ("train_score", "inner_score", "select_seconds", "fit_seconds")
        return {
            **super().record(),
            **{name: self.mean(name) for name in means},
            "predict_seconds_per_row": self.predict_seconds_per_row,
            "chosen": [{"parameters": values, "folds": count} for values, count in self.chosen],
        }


@dataclass(frozen=True)
class FoldCount(Recorded):
    """How many folds were planned, and which count: those that the ranking rests on."""

    planned: int
    counted: tuple[int, ...]


@dataclass(frozen=True)
class Insight(Recorded):
    """A closer look at the most accurate and at the recommended model; what was not looked at is None.

    Attributes
    ----------
    bayes_error : TableBayesError or None
        The bracket of the Bayes error.
    learning_curve, extrapolation
        The error of the most accurate model against the rows learned from, and how it would go on.
    bias_variance : BiasVariance or None
        The parts of its error.
    drivers : Drivers or None
        What drives the recommended model.
    error_analysis : ErrorAnalysis or None
        Where the recommended model fails.
    failures : dict from str to str
        What could not be computed, and why.
    """

    bayes_error: TableBayesError | None = None
    learning_curve: LearningCurve | None = None
    extrapolation: Extrapolation | None = None
    bias_variance: BiasVariance | None = None
    drivers: Drivers | None = None
    error_analysis: ErrorAnalysis | None = None
    failures: dict[str, str] | None = None


@dataclass(frozen=True)
class Summary(Recorded):
    """All results of a comparison.

    Attributes
    ----------
    answer : str
        The recommendation in a few sentences.
    recommended, best : str or None
        The model to use (it is ``best.classica``), and the one with the best mean score.
    table, settings, metric, folds
        What was compared on, how, by what, and how much of it is done.
    models : tuple of ModelResult
        The ranked models first, the best at the top; then the others.
    findings : tuple of Finding
        What is wrong and what would help, the most important first.
    insight : Insight
        A closer look at the best model.
    diversity : Diversity or None
        How far the best models misclassify the same rows.
    best_file : str or None
        The recommended model in the run folder.
    python : str
        A script that does the comparison again.
    seconds : float
        The sum of all units' times.
    versions : dict from str to str
        Of the packages behind it.
    headline : Interval or None
        The score of the recommended model, corrected for having been selected; None where no correction is
        needed, as after nested cross-validation.
    is_provisional : bool
        Whether no model has been judged as it would be delivered yet: scores are of samples.
    is_interrupted : bool
        Whether the run was stopped before it was over.
    recommendation : Recommendation or None
        What to use and why, as data; `answer` is made of it. None until it is known, and in a summary of an
        earlier version.
    most_accurate_file : str or None
        The model with the best score in the run folder, where it is not the recommended one.
    """

    answer: str
    recommended: str | None
    best: str | None
    table: TableFacts
    settings: Settings
    metric: MetricFacts
    folds: FoldCount
    models: tuple[ModelResult, ...]
    findings: tuple[Finding, ...]
    insight: Insight
    diversity: Diversity | None
    best_file: str | None
    python: str
    seconds: float
    versions: dict[str, str]
    headline: Interval | None = None
    is_provisional: bool = False
    is_interrupted: bool = False
    recommendation: Recommendation | None = None
    most_accurate_file: str | None = None

    @property
    def judged(self) -> list[ModelResult]:
        """The ranked models, the best first."""
        return [model for model in self.models if model.is_judged]

    @property
    def tied(self) -> list[str]:
        """The models that are statistically tied for best."""
        return [model.name for model in self.models if model.tied]

    @property
    def is_complete(self) -> bool:
        """Whether all planned folds count."""
        return len(self.folds.counted) == self.folds.planned

    @property
    def is_nested(self) -> bool:
        """Whether hyper-parameters were tuned by an inner cross-validation within every fold."""
        return any(np.isfinite(model.values("inner_score")).any() for model in self.judged)

    def model(self, name: str | None) -> ModelResult | None:
        """Return the result of a model by its name; None if there is none."""
        return next((model for model in self.models if model.name == name), None)

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, the version first."""
        return {"classica_summary": VERSION, **super().record(), "tied": self.tied}

    def save(self, folder: Path) -> None:
        """Write it into a run folder."""
        with whole_file(folder / SUMMARY, DataError) as file:
            text = json.dumps(self.record(), indent=1, ensure_ascii=False, allow_nan=False)
            file.write(text.encode())

    @classmethod
    def from_record(cls, record: Any) -> Summary:
        """Return the summary that plain values describe, checked field by field."""
        return from_record(cls, record, "The summary")
