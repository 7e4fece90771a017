"""How a tree came about: in each node, what every column would gain."""

from __future__ import annotations

from classica.estimators.trees.rule_classifier import RuleSetClassifier
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.section import Section
from classica.explain.traced import Traced
from classica.explain.tracers import trace_as


def steps(traced: Traced) -> list[Section]:
    """Return the computation in each node, and the tree."""
    trace = traced.estimator.trace(traced.seen, traced.labels)
    return [
        Section("", text=str(trace), data=trace.record()),
        Section("The tree", text=traced.estimator.to_text()),
    ]


def rule_steps(traced: Traced) -> list[Section]:
    """Return the tree that rules were made of, and the rules."""
    model = traced.estimator
    return [
        Section("Every path is a rule; conditions that do not help are dropped, then rules that do not"),
        Section("Splits of the unpruned tree", facts={"nodes": len(model.grown_tree_)}),
        Section("Rules; the first that holds predicts the class", text=model.rules_.to_text()),
    ]


trace_as(steps, TreeModel)
trace_as(rule_steps, RuleSetClassifier)
