"""What calibration and a decision by costs and priors make of a program: the same with other numbers.

Predicting i is worth the sum over classes j of ``worth[i, j]`` times the posterior of j, where the worth is
what it saves against the worst prediction, times the factor by which the prior of j changes. Where a program
adds up probabilities, so does its product with this matrix; where it adds up logarithms, constants move.

Of calibrated scores, a sigmoid rises with its line, and sharing out probabilities keeps their order, so that
the class with the highest line has the highest probability. Of two classes the line of the second is its log
odds. A softmax keeps the order of the scores, and its lines are log posteriors but for a term that all share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from classica.decision import BayesDecisionClassifier
from classica.decision.sigmoid_curve import SigmoidCurve
from classica.decision.softmax_curve import SoftmaxCurve
from classica.explain.additive import Additive
from classica.explain.additive_models import additive_of
from classica.explain.model_layers import ModelLayers
from classica.export.programs import (
    CalibratedSums,
    NetworkProgram,
    Program,
    RulesProgram,
    TreeProgram,
    VotesProgram,
)
from classica.native import Floats


def decided_program(program: Program, layers: ModelLayers) -> Program | None:
    """Return the program with the decision in it; None where that is no program of the same kind."""
    if layers.decision is None or is_plain(layers.decision):
        return program
    return _CHANGES[type(program)](program, layers, worth_of(layers.decision))


def is_plain(decision: BayesDecisionClassifier) -> bool:
    """Return whether the most probable class is predicted, under the priors learned."""
    return decision.costs is None and decision.keeps_priors()


def worth_of(decision: BayesDecisionClassifier) -> Floats:
    """Return what predicting each class (row) is worth for the learned posterior of each (column)."""
    costs, classes = decision.costs_, len(decision.classes_)
    savings = np.eye(classes) if decision.costs is None else costs.max(axis=0) - costs
    if decision.keeps_priors():
        return savings
    old, new = decision.training_priors_, decision.priors_
    factors = np.divide(new, old, out=np.zeros_like(new), where=old > 0)
    worth: Floats = savings * (factors / factors.max())
    return worth


def _decided_tree(program: TreeProgram, layers: ModelLayers, worth: Floats) -> Program | None:
    shares, classes = program.named.shares @ worth.T, program.named.names.classes
    if classes is None:
        return None
    answers = [classes[index] for index in shares.argmax(axis=1)]
    return replace(program, named=replace(program.named, shares=shares, answers=answers))


def _decided_rules(program: RulesProgram, layers: ModelLayers, worth: Floats) -> Program:
    indices = (program.shares @ worth.T).argmax(axis=1).tolist()
    labels = layers.classes or []
    *rules, default = (*program.rules.rules, program.rules.default)
    answered = tuple(replace(rule, answer=labels[at]) for rule, at in zip(rules, indices, strict=False))
    last = replace(default, answer=labels[indices[-1]])
    return replace(program, rules=replace(program.rules, rules=answered, default=last))


def _decided_votes(program: VotesProgram, layers: ModelLayers, worth: Floats) -> Program | None:
    adds_probabilities = program.slack == 0.0
    return replace(program, values=program.values @ worth.T) if adds_probabilities else None


def _decided_sums(program: Additive, layers: ModelLayers, worth: Floats) -> Program | None:
    added = log_factors(worth)
    if (
        added is None
        or not program.has_log_posteriors
        or program.all_against_all
        or len(added) != len(program.constant)
    ):
        return None
    return replace(program, constant=program.constant + added)


def _decided_network(program: NetworkProgram, layers: ModelLayers, worth: Floats) -> Program | None:
    added = log_factors(worth)
    if added is None:
        return None
    weights, biases = program.layers[-1]
    return replace(program, layers=(*program.layers[:-1], (weights, biases + added)))


def log_factors(worth: Floats) -> Floats | None:
    """Return what to add to log posteriors so that the highest is worth most; None if there is no such."""
    if len(worth) == 2:
        factors = np.array([worth[0, 0] - worth[1, 0], worth[1, 1] - worth[0, 1]])
    elif (worth == np.diag(np.diag(worth))).all():
        factors = np.diag(worth)
    else:
        return None
    return np.log(factors) if (factors > 0).all() else None


_CHANGES: dict[type[Any], Callable[[Any, ModelLayers, Floats], Program | None]] = {
    TreeProgram: _decided_tree,
    RulesProgram: _decided_rules,
    VotesProgram: _decided_votes,
    Additive: _decided_sums,
    NetworkProgram: _decided_network,
}


def calibrated_program(layers: ModelLayers) -> Program | None:
    """Return a calibrated classifier as a program; None if its probabilities are not linear in its scores."""
    curves = [] if layers.calibration is None else layers.calibration.curves_
    sums = additive_of(layers)
    # Scores of a classifier with probabilities are these, and no sums.
    if sums is None or not curves or hasattr(layers.estimator, "predict_proba"):
        return None
    lines, is_softmax = _lines(curves, len(sums.classes)), isinstance(curves[0], SoftmaxCurve)
    if lines is None:
        return None
    if layers.decision is None or is_plain(layers.decision):
        return sums if is_softmax else CalibratedSums(sums, *lines)
    added = log_factors(worth_of(layers.decision))
    has_log_posteriors = is_softmax or len(lines[0]) == 2
    return (
        CalibratedSums(sums, lines[0], lines[1] + added) if added is not None and has_log_posteriors else None
    )


def _lines(curves: Sequence[Any], classes: int) -> tuple[Floats, Floats] | None:
    """Return a slope and an offset for each class; None where the curves have none."""
    if isinstance(curves[0], SoftmaxCurve):
        return np.full(classes, curves[0].slope / curves[0].scale), np.zeros(classes)
    if not isinstance(curves[0], SigmoidCurve):
        return None
    slopes = np.array([curve.slope / curve.scale for curve in curves])
    offsets = np.array([curve.offset - curve.slope * curve.center for curve in curves])
    if len(slopes) == 1:  # the first of two classes has a score of zero
        return np.append(0.0, slopes), np.append(0.0, offsets)
    return slopes, offsets
