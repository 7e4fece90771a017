"""A linear score for each class."""

import numpy as np

from classica.explain.additive_models import linear_program, program_as
from nearest_median.classifier import NearestMedianClassifier


def build(opened):
    medians = opened.estimator.medians_
    offsets = -0.5 * np.square(medians).sum(axis=1)
    return linear_program(opened, (np.zeros(medians.shape[1]), medians, offsets))


program_as(build, NearestMedianClassifier)
