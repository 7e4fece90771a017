"""Naive Bayes: tables of probabilities, means and spreads, and the log odds of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section, cell_words
from classica.explain.shown_scores import largest_first, outcome, shown_cell
from classica.native import Floats
from classica.wording import plain_words


def describe(layers: ModelLayers) -> list[Section]:
    """Return the priors, and a table for each column."""
    model = layers.estimator
    labels = [plain_words(label) for label in layers.classes or ()]
    priors = Section("Priors", headings=["", *labels], rows=[["prior", *model.class_prior_.tolist()]])
    return [priors, *(_column(layers, index, labels) for index in range(len(layers.columns)))]


def _column(layers: ModelLayers, index: int, labels: list[str]) -> Section:
    model, name = layers.estimator, plain_words(layers.columns[index].name)
    kind = model.column_kinds_[index]
    if kind == "gaussian":
        at = int(np.flatnonzero(model._model.gaussian.places == index)[0])
        means, spreads = model.means_[:, at].tolist(), np.sqrt(model.variances_[:, at]).tolist()
        rows = [["mean", *means], ["standard deviation", *spreads]]
        return Section(f"{name}: Gaussian within each class", headings=["", *labels], rows=rows)
    if kind == "kernel":
        spreads = model._model.kernel.bandwidths[:, _index(model._model.kernel.places, index)].tolist()
        title = f"{name}: Gaussian kernel density of each class"
        return Section(title, headings=["", *labels], rows=[["bandwidth", *spreads]])
    levels, probabilities = model.table(_column_kind(layers, index))
    return _table(name, levels, probabilities, labels)


def _table(name: str, levels: Any, probabilities: Floats, labels: list[str]) -> Section:
    """Return the probability of each level in each class; of two classes also the log odds."""
    odds = len(labels) == 2
    rows = []
    for level, row in zip(levels, probabilities.tolist(), strict=True):
        shown = cell_words(level) if not isinstance(level, tuple) else f"({level[0]:g}, {level[1]:g}]"
        rows.append([shown, *row, *([_log_ratio(row[1], row[0])] if odds else [])])
    more = [f"log odds of {labels[1]}"] if odds else []
    return Section(f"{name}: probability of each level", headings=["", *labels, *more], rows=rows)


def _log_ratio(first: float, second: float) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(first) - np.log(second))


def _column_kind(layers: ModelLayers, index: int) -> Any:
    """Return what the classifier calls a column: its name if it knows names, else its number."""
    named = hasattr(layers.estimator, "feature_names_in_")
    return layers.columns[index].name if named else index


def _index(indices: Any, wanted: int) -> int:
    return int(np.flatnonzero(indices == wanted)[0])


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the logarithms that add up to the score of each class, and of two classes the log odds."""
    explanation = layers.estimator.explain(layers.seen(row))
    labels, odds = (
        [plain_words(label) for label in explanation.classes.tolist()],
        len(explanation.classes) == 2,
    )
    total = explanation.log_prior + explanation.log_likelihoods.sum(axis=0)
    rows: list[list[Any]] = [
        ["sum", "", *_with_odds(total, odds)],
        ["prior", "", *_with_odds(explanation.log_prior, odds)],
    ]
    for index in largest_first(explanation.log_likelihoods):
        name = row.columns[index]
        cells = _with_odds(explanation.log_likelihoods[index], odds)
        rows.append([plain_words(name), shown_cell(row, name), *cells])
    headings = ["log p(value | class)", "value", *labels, *([f"log odds of {labels[1]}"] if odds else [])]
    return [
        Section("Contribution of each column to the scores", headings=headings, rows=rows),
        outcome(layers, row),
    ]


def _with_odds(numbers: Floats, odds: bool) -> list[float]:
    listed: list[float] = numbers.tolist()
    if not odds:
        return listed
    return [*listed, 0.0 if listed[0] == listed[1] else listed[1] - listed[0]]


explain_as(describe, reasons, NaiveBayesClassifier)
