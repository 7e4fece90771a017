"""Naive Bayes as a lecture computes it: counts, probabilities, the product for a row."""

from __future__ import annotations

from typing import Any

from classica.estimators.bayes import explain as bayes
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.explain.section import Section
from classica.explain.traced import Traced
from classica.explain.tracers import trace_as
from classica.wording import plain_words


def steps(traced: Traced) -> list[Section]:
    """Return counts, then probabilities, then the product of a row."""
    model = traced.estimator
    labels = [plain_words(label) for label in traced.layers.classes or ()]
    classes = Section("Class counts", headings=["", *labels], rows=[["rows", *model.class_count_.tolist()]])
    counts = [section for section in (_counts(traced, index, labels) for index in _coded(model)) if section]
    product = Section(f"The product for {traced.about_row}", text=str(model.explain(_one(traced))))
    return [
        classes,
        *counts,
        *bayes.describe(traced.layers),
        product,
        *bayes.reasons(traced.layers, traced.row),
    ]


def _one(traced: Traced) -> Any:
    return traced.layers.seen(traced.row)


def _coded(model: NaiveBayesClassifier) -> list[int]:
    indices: list[int] = model._learned.categories.columns[0].tolist()
    return indices


def _counts(traced: Traced, index: int, labels: list[str]) -> Section:
    """Return how many rows of each class have each level."""
    counts = traced.estimator._learned.categories
    at = counts.columns[0].tolist().index(index)
    first, levels = int(counts.first_slots[at]), counts.levels[at]
    rows = [
        [plain_words(level), *counts.pairs[0, :, first + code].tolist()] for code, level in enumerate(levels)
    ]
    name = plain_words(traced.layers.columns[index].name)
    return Section(f"{name}: level counts", headings=["", *labels], rows=rows)


trace_as(steps, NaiveBayesClassifier)
