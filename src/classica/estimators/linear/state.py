"""What fitted linear models consist of: logistic regression; perceptrons and Winnow in their own module."""

from __future__ import annotations

from classica.estimators.base.state_parts import CLASSES, linear_model
from classica.estimators.linear import online_state  # noqa: F401  (describes perceptrons and Winnow)
from classica.estimators.linear.logistic import LogisticClassifier
from classica.kinds import Array, Flag, Maybe, Number, Whole
from classica.persist.description import describe_estimator
from classica.persist.label_kinds import NAMES

#: Numbers that are shown, and that no prediction reads.
_NUMBER = Number(special=True)

describe_estimator(
    LogisticClassifier,
    {
        **CLASSES,
        "_model": linear_model("c"),
        "_has_intercept": Flag(),
        "_has_zeros": Flag(),
        "_errors": Maybe(Array("f8", "d+1", nan=True, inf="+")),
        "n_iter_": Whole(0),
        **dict.fromkeys(("deviance_", "objective_"), _NUMBER),
        **dict.fromkeys(("separable_", "converged_"), Flag()),
    },
    NAMES,
)
