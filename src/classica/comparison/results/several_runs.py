"""Several comparisons side by side: the models over all tables, ranked by Friedman's test and Nemenyi's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from classica.comparison.results.sentences import score_text
from classica.comparison.results.summary import ModelResult, Role, Summary
from classica.errors import DataError, must
from classica.recorded import Recorded
from classica.statistics.friedman import FriedmanNemenyi, friedman_nemenyi
from classica.statistics.interval import Interval
from classica.wording import aligned, counted, sentence_start

#: The version of the JSON form.
VERSION = 1
#: Fewer tables than this say nothing about average ranks.
_FEWEST_TABLES = 3


@dataclass(frozen=True)
class RunLine(Recorded):
    """One of the comparisons.

    Attributes
    ----------
    name : str
        What it is called among the others: its table, or its folder where two have the same table.
    source, fingerprint : str
        Where its table came from, and the SHA-256 of the typed table.
    rows, features, classes : int
        The size of the table.
    recommended, best : str or None
        The slug of the model to use, and of the one with the best score.
    score : Interval or None
        The score of the recommended model on new data; None if there is none.
    baseline : float
        What the majority-class baseline scores.
    answer : str
        The recommendation in a few sentences.
    settings : dict
        The settings in which the runs differ.
    """

    name: str
    source: str
    fingerprint: str
    rows: int
    features: int
    classes: int
    recommended: str | None
    best: str | None
    score: Interval | None
    baseline: float
    answer: str
    settings: dict[str, Any]


@dataclass(frozen=True)
class ModelLine(Recorded):
    """One model over all runs.

    Attributes
    ----------
    name, title : str
        Its slug, and what people call it.
    role : {"model", "baseline", "reference"}
        Whether it takes part in the ranking, is the baseline, or a reference.
    scores : tuple of float
        Its score in each run; NaN where it has none. A model that was dropped early has the score it was
        dropped with.
    was_dropped : tuple of bool
        Where that is so.
    rank : float or None
        Its average rank over the tables; None where it has none: of baseline and reference, and of fewer than
        three tables.
    """

    name: str
    title: str
    role: Role
    scores: tuple[float, ...]
    was_dropped: tuple[bool, ...]
    rank: float | None = None


@dataclass(frozen=True)
class RunsSummary(Recorded):
    """Several comparisons side by side.

    Attributes
    ----------
    answer : str
        What they show together, in a few sentences.
    metric, metric_title : str
        What models are ranked by in all of them.
    higher_is_better, is_share : bool
        How its scores are read.
    runs : tuple of RunLine
        The comparisons.
    models : tuple of ModelLine
        Every model, by its average rank, or else by its mean score.
    friedman : FriedmanNemenyi or None
        The test of the average ranks; None unless there are at least three different tables.
    """

    answer: str
    metric: str
    metric_title: str
    higher_is_better: bool
    is_share: bool
    runs: tuple[RunLine, ...]
    models: tuple[ModelLine, ...]
    friedman: FriedmanNemenyi | None = None

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, the version first."""
        return {"classica_runs": VERSION, **super().record()}

    def titles(self) -> dict[str, str]:
        """Return what people call each model."""
        return {model.name: model.title for model in self.models}

    def __str__(self) -> str:
        return "\n".join([self.answer, "", *board_lines(self)])


def summarise_runs(runs: Mapping[str, Summary]) -> RunsSummary:
    """Put comparisons side by side, and compare the models over their tables.

    Parameters
    ----------
    runs : dict from str to Summary
        At least two comparisons by the same metric, under the names of their folders.

    Returns
    -------
    RunsSummary
    """
    if len(runs) < 2:
        raise DataError(must("runs", "at least two comparisons", len(runs)))
    summaries = list(runs.values())
    metric = summaries[0].metric
    others = [each.metric.name for each in summaries if each.metric.name != metric.name]
    if others:
        raise DataError(
            f"Cannot compare runs by different metrics: {metric.name} and {others[0]}. Run them with the same"
            " --metric."
        )
    lines = _run_lines(runs)
    models = _model_lines(summaries)
    tables = {each.table.fingerprint for each in summaries}
    friedman = None
    ranked = [model for model in models if model.role == "model"]
    if len(tables) == len(summaries) >= _FEWEST_TABLES and len(ranked) > 1:
        scores = {model.name: np.array(model.scores) for model in ranked}
        friedman = friedman_nemenyi(scores, higher_is_better=metric.higher_is_better)
    summary = RunsSummary(
        answer="",
        metric=metric.name,
        metric_title=metric.title,
        higher_is_better=metric.higher_is_better,
        is_share=metric.is_share,
        runs=lines,
        models=_in_order(models, friedman, metric.higher_is_better),
        friedman=friedman,
    )
    return replace(summary, answer=_answer(summary))


def board_lines(summary: RunsSummary) -> list[str]:
    """Return a table as lines: a model in each, with its average rank and its score in every run."""
    ranks = ["rank"] if summary.friedman is not None else []
    heading = ["model", *ranks, *(run.name for run in summary.runs)]
    rows = [heading]
    for model in summary.models:
        rank = ["" if model.rank is None else f"{model.rank:.2f}"] * len(ranks)
        cells = [
            score_text(score, share=summary.is_share) + ("†" if dropped else "")
            for score, dropped in zip(model.scores, model.was_dropped, strict=True)
        ]
        rows.append([model.title, *rank, *cells])
    notes = []
    if any(any(model.was_dropped) for model in summary.models):
        notes = ["† dropped early: the score on a smaller training set, or on fewer folds."]
    return [*aligned(rows), *notes]


def _run_lines(runs: Mapping[str, Summary]) -> tuple[RunLine, ...]:
    summaries = list(runs.values())
    sources = [Path(each.table.source).name for each in summaries]
    settings = [each.settings.record() for each in summaries]
    differing = [
        name for name in settings[0] if any(other.get(name) != settings[0][name] for other in settings[1:])
    ]
    return tuple(
        RunLine(
            name=source if sources.count(source) == 1 else folder,
            source=each.table.source,
            fingerprint=each.table.fingerprint,
            rows=each.table.rows,
            features=each.table.features,
            classes=len(each.table.classes),
            recommended=each.recommended,
            best=each.best,
            score=_score(each),
            baseline=each.metric.baseline,
            answer=each.answer,
            settings={name: chosen[name] for name in differing},
        )
        for (folder, each), source, chosen in zip(runs.items(), sources, settings, strict=True)
    )


def _score(summary: Summary) -> Interval | None:
    used = summary.model(summary.recommended)
    if used is None or not used.is_judged:
        return None
    return used.score if summary.headline is None else summary.headline


def _model_lines(summaries: Sequence[Summary]) -> list[ModelLine]:
    """Return a line for every model that took part in all runs; the baseline is one of them."""
    names = [model.name for model in summaries[0].models]
    shared = [name for name in names if all(each.model(name) is not None for each in summaries[1:])]
    lines = []
    for name in shared:
        results = [result for each in summaries if (result := each.model(name)) is not None]
        scores = tuple(map(_score_of, results))
        dropped = tuple(not each.is_judged and each.provisional is not None for each in results)
        lines.append(ModelLine(name, results[0].title, results[0].role, scores, dropped))
    return lines


def _score_of(model: ModelResult) -> float:
    if model.is_judged:
        return model.score.mean
    return float("nan") if model.provisional is None else model.provisional.mean


def _in_order(
    models: Sequence[ModelLine], friedman: FriedmanNemenyi | None, higher_is_better: bool
) -> tuple[ModelLine, ...]:
    if friedman is not None:
        ranked = [replace(model, rank=friedman.ranks.get(model.name)) for model in models]
        return tuple(sorted(ranked, key=lambda model: np.inf if model.rank is None else model.rank))
    sign = -1 if higher_is_better else 1

    def mean(model: ModelLine) -> float:
        known = [score for score in model.scores if not np.isnan(score)]
        return sign * float(np.mean(known)) if known else np.inf

    return tuple(sorted(models, key=mean))


def _answer(summary: RunsSummary) -> str:
    """Return what the runs show together: the average ranks, or the recommendation of each."""
    titles = summary.titles()
    used = [titles.get(run.recommended or "", "") for run in summary.runs]
    each = "; ".join(
        f"{run.name}: {_recommendation(run, title, summary)}"
        for run, title in zip(summary.runs, used, strict=True)
    )
    friedman = summary.friedman
    if friedman is None:
        return f"{each}."  # the name of a run stays as it is
    first = next(iter(friedman.ranks))
    tables = counted(friedman.tables, "table")
    if friedman.p > friedman.alpha:
        return (
            f"Over {tables} the models are not significantly different (Friedman's test, p ="
            f" {friedman.p:.2g}). {sentence_start(titles[first])} has the best average rank"
            f" ({friedman.ranks[first]:.1f} of {len(friedman.ranks)})."
        )
    close = next((group for group in friedman.groups if first in group), [first])
    others = [titles[name] for name in close if name != first]
    tied = ""
    if others:
        shown = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        verb = "is" if len(others) == 1 else "are"
        tied = f" {sentence_start(shown)} {verb} not significantly different from it (Nemenyi's test)."
    return (
        f"Over {tables} {titles[first]} has the best average rank ({friedman.ranks[first]:.1f} of"
        f" {len(friedman.ranks)}).{tied}"
    )


def _recommendation(run: RunLine, title: str, summary: RunsSummary) -> str:
    if run.score is None or not title:
        return "no model is recommended"
    value = score_text(run.score.mean, share=summary.is_share)
    low, high = (score_text(end, share=summary.is_share) for end in (run.score.low, run.score.high))
    return f"use {title} ({value}, {100 * run.score.confidence:g}% CI {low}–{high})"
