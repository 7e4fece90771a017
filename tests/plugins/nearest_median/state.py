"""What a fitted model consists of."""

from classica.estimators.base.state_parts import CLASSES
from classica.kinds import Array
from classica.persist.description import describe_estimator
from classica.persist.label_kinds import NAMES
from nearest_median.classifier import NearestMedianClassifier

describe_estimator(NearestMedianClassifier, {**CLASSES, "medians_": Array("f8", "c", "d")}, NAMES)
