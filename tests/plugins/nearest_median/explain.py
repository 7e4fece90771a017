"""What it has learned, and what each column adds to the scores of a row."""

from classica.explain import column_sums
from classica.explain.explainers import explain_as
from classica.explain.section import Section
from nearest_median.classifier import NearestMedianClassifier


def describe(opened):
    rows = [
        [name, *cells] for name, cells in zip(opened.seen_names, opened.estimator.medians_.T, strict=True)
    ]
    return [Section("Medians", headings=["column", *map(str, opened.classes)], rows=rows)]


explain_as(describe, column_sums.reasons, NearestMedianClassifier)
