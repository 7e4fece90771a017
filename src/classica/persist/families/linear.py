"""Linear support vector machines and logistic regression."""

from __future__ import annotations

from classica.estimators import LinearSVMClassifier, LogisticClassifier
from classica.kinds import Flag, Told
from classica.persist.description import describe_estimator
from classica.persist.families.common import CLASSES, NAMES, check_machine_count, linear_model

describe_estimator(
    LinearSVMClassifier,
    {
        **CLASSES,
        "_model": linear_model("m"),
        "_one_vs_all": Flag(),
        "alpha_": Told(),
        "C_": Told(),
        "objective_": Told(),
        "n_iter_": Told(),
        "_duals": Told(),
    },
    {**NAMES, "duality_gap_": Told(), "converged_": Told(), "validation_scores_": Told()},
    check_machine_count,
)
describe_estimator(
    LogisticClassifier,
    {
        **CLASSES,
        "_model": linear_model("c"),
        "_has_intercept": Flag(),
        "_has_zeros": Flag(),
        "_errors": Told(),
        **{name: Told() for name in ("deviance_", "objective_", "n_iter_", "separable_", "converged_")},
    },
    NAMES,
)
