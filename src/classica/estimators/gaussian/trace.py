"""Nearest mean: sums, means, distances."""

from __future__ import annotations

from classica.estimators.gaussian import explain
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.explain.section import Section
from classica.explain.settings_shown import settings_sections
from classica.explain.traced import Traced
from classica.explain.tracers import trace_as
from classica.wording import plain_words


def steps(traced: Traced) -> list[Section]:
    """Return the rows and sums of each class, the means that follow, and the distances of a row."""
    model = traced.estimator
    labels = [plain_words(label) for label in traced.layers.classes or ()]
    counts = Section(
        "Rows of each class", headings=["", *labels], rows=[["rows", *model.class_count_.tolist()]]
    )
    return [
        *settings_sections(traced.layers),
        counts,
        explain.column_table("Sums", traced.layers, labels, model.class_sums_[0]),
        *explain.describe_means(traced.layers),
        Section(f"For {traced.about_row}"),
        *explain.mean_reasons(traced.layers, traced.row),
    ]


trace_as(steps, NearestMeanClassifier)
