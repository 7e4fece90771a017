"""The computation, step by step."""

from classica.explain.section import Section
from classica.explain.tracers import trace_as
from nearest_median.classifier import NearestMedianClassifier
from nearest_median.explain import describe


def steps(traced):
    return [Section("The median of each class"), *describe(traced.layers)]


trace_as(steps, NearestMedianClassifier)
