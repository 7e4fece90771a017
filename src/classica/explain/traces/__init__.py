"""How each kind of classifier computes, step by step: the first entry that fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from classica.estimators import (
    AdaBoostClassifier,
    KNeighborsClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    PerceptronClassifier,
    RuleSetClassifier,
    WinnowClassifier,
)
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.section import Section
from classica.explain.traces import bayes, boosted, general, means, neighbours, online, trees
from classica.explain.traces.traced import Traced

Tracer = Callable[[Traced], list[Section]]

_TRACERS: tuple[tuple[type[Any], Tracer], ...] = (
    (TreeModel, trees.steps),
    (RuleSetClassifier, trees.rule_steps),
    (NaiveBayesClassifier, bayes.steps),
    (KNeighborsClassifier, neighbours.steps),
    (PerceptronClassifier, online.perceptron_steps),
    (WinnowClassifier, online.winnow_steps),
    (NearestMeanClassifier, means.steps),
    (AdaBoostClassifier, boosted.steps),
)


def tracer_of(estimator: Any) -> Tracer:
    """Return what tells how a classifier computes."""
    found = (tracer for kind, tracer in _TRACERS if isinstance(estimator, kind))
    return next(found, general.steps)
