"""What the fitted baseline consists of."""

from classica.estimators.base.state_parts import CLASSES, SEED
from classica.estimators.baseline.chance import ChanceClassifier
from classica.persist.description import describe_estimator
from classica.persist.label_kinds import NAMES, Shares

describe_estimator(
    ChanceClassifier,
    {**CLASSES, "class_prior_": Shares("c"), "seed_": SEED},
    NAMES,
)
