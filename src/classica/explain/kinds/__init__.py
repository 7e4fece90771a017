"""How each kind of model is explained: the first entry that fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.estimators import (
    AdaBoostClassifier,
    AllVsAllClassifier,
    BaggingClassifier,
    FisherClassifier,
    KernelPerceptronClassifier,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LinearDiscriminantClassifier,
    LinearSVMClassifier,
    LogisticClassifier,
    MLPClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    OneVsAllClassifier,
    PerceptronClassifier,
    QuadraticDiscriminantClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    VotingClassifier,
    WinnowClassifier,
)
from classica.estimators.ensembles.forest_model import ForestModel
from classica.estimators.svm.support_vectors import SupportVectorMachine
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.kinds import (
    bayes,
    binary,
    boosted,
    forests,
    gaussian,
    kernels,
    linear,
    means,
    members,
    neighbours,
    network,
    other,
    rules,
    trees,
)
from classica.explain.opened import Opened
from classica.explain.section import Section


@dataclass(frozen=True)
class Kind:
    """What a model has learned, and why a row gets its answer."""

    describe: Callable[[Opened], list[Section]]
    reasons: Callable[[Opened, pl.DataFrame], list[Section]]


#: What a model is, and how that is told; anything else is told by `other`.
_KINDS: tuple[tuple[tuple[type[Any], ...], Kind], ...] = (
    ((TreeModel,), Kind(trees.describe, trees.reasons)),
    ((RuleSetClassifier,), Kind(rules.describe, rules.reasons)),
    ((NaiveBayesClassifier,), Kind(bayes.describe, bayes.reasons)),
    ((LinearDiscriminantClassifier,), Kind(gaussian.describe_shared, linear.reasons)),
    ((QuadraticDiscriminantClassifier,), Kind(gaussian.describe_own, gaussian.reasons)),
    ((NearestMeanClassifier,), Kind(means.describe, means.reasons)),
    ((KNeighborsClassifier, KNeighborsRegressor), Kind(neighbours.describe, neighbours.reasons)),
    ((SupportVectorMachine,), Kind(kernels.describe, kernels.reasons)),
    ((MLPClassifier,), Kind(network.describe, network.reasons)),
    ((RandomForestClassifier, ForestModel), Kind(forests.describe, forests.reasons)),
    ((AdaBoostClassifier,), Kind(boosted.describe, boosted.reasons)),
    ((BaggingClassifier, VotingClassifier), Kind(members.describe, members.reasons)),
    (
        (AllVsAllClassifier, OneVsAllClassifier, KernelPerceptronClassifier),
        Kind(binary.describe, binary.reasons),
    ),
    (
        (
            LogisticClassifier,
            LinearSVMClassifier,
            PerceptronClassifier,
            WinnowClassifier,
            FisherClassifier,
        ),
        Kind(linear.describe, linear.reasons),
    ),
)


def kind_of(estimator: Any) -> Kind:
    """Return how a model is explained."""
    found = (kind for classes, kind in _KINDS if isinstance(estimator, classes))
    return next(found, Kind(other.describe, other.reasons))
