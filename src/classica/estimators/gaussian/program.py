"""Gaussian classes as sums over columns, where their boundaries are linear or of one spread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from classica.estimators.gaussian.fisher import FisherClassifier
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.explain.additive import Additive
from classica.explain.additive_models import linear_program, margins_program, program_as, summed_program
from classica.explain.model_layers import ModelLayers
from classica.explain.parts import Bell, Term


def _of_lda(layers: ModelLayers) -> Additive:
    """Return a linear score for each class."""
    return linear_program(layers, layers.estimator._model)


def _of_fisher(layers: ModelLayers) -> Additive:
    """Return a score for each class; those of more than two classes are no logarithms of posteriors."""
    model, seen = layers.estimator, layers.estimator._seen.tolist()
    program = margins_program(layers, model._model, seen, second=False, one_vs_all=model._one_vs_all)
    return replace(program, has_log_posteriors=len(program.classes) <= 2)


def _of_means(layers: ModelLayers) -> Additive | None:
    """Return class means, one each: minus half the squared distance, and the log prior."""
    means, inverse, starts, log_prior = layers.estimator._model
    if len(means) != len(log_prior) or (np.diff(starts) != 1).any():
        return None
    spread = np.ones_like(means) if inverse is None else inverse
    nothing = np.zeros(len(means))
    terms: list[Term] = [Bell(means[:, index], spread[:, index], nothing) for index in range(means.shape[1])]
    return summed_program(layers, terms, log_prior)


program_as(_of_lda, LinearDiscriminantClassifier)
program_as(_of_fisher, FisherClassifier)
program_as(_of_means, NearestMeanClassifier)
