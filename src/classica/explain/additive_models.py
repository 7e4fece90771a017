"""Which classifiers are sums over columns, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from classica.estimators import (
    ChanceClassifier,
    FisherClassifier,
    LinearDiscriminantClassifier,
    LinearSVMClassifier,
    LogisticClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    PerceptronClassifier,
    SVMClassifier,
    WinnowClassifier,
)
from classica.explain.additive import Additive
from classica.explain.opened import Opened
from classica.explain.parts import LevelPart, NumberPart, Part
from classica.explain.routes import routes
from classica.explain.terms import Bell, Linear, Steps, Term
from classica.native import Floats, LinearModel


def additive_of(opened: Opened) -> Additive | None:
    """Return the classifier as a sum over columns, or None where it is none."""
    build = _BUILDERS.get(type(opened.estimator))
    return None if build is None else build(opened)


def _of_scores(opened: Opened) -> Additive:
    """Return a classifier that has a linear score for each class."""
    return _linear(opened, opened.estimator._model)


def _of_machines(opened: Opened) -> Additive:
    """Return a classifier made of linear machines that score their first sides."""
    return _machines(opened, opened.estimator._model, list(range(len(opened.classes or ()))), second=True)


def _of_perceptron(opened: Opened) -> Additive | None:
    return None if opened.estimator._variant == "voted" else _of_machines(opened)


def _of_kernel_machine(opened: Opened) -> Additive | None:
    linear = opened.estimator._model.linear
    places = list(range(len(opened.classes or ())))
    return None if linear is None else _machines(opened, linear, places, second=True)


def _of_fisher(opened: Opened) -> Additive:
    return _machines(opened, opened.estimator._model, opened.estimator._seen.tolist(), second=False)


def _machines(opened: Opened, model: LinearModel, seen: list[int], *, second: bool) -> Additive:
    """Return machines as scores; of two classes, the one that speaks has a score, and the other has zero."""
    center, weights, offsets = model
    if len(seen) == 1:
        weights, offsets = np.zeros((1, len(center))), np.zeros(1)
    elif len(seen) == 2:
        nothing, none = np.zeros_like(weights), np.zeros_like(offsets)
        order = (1, -1)[not second]
        weights, offsets = np.vstack([nothing, weights][::order]), np.concatenate([none, offsets][::order])
    contests = len(seen) > 2 and not opened.estimator._one_vs_all
    return _linear(opened, (center, weights, offsets), seen, all_against_all=contests)


def _linear(
    opened: Opened, model: LinearModel, seen: list[int] | None = None, *, all_against_all: bool = False
) -> Additive:
    center, weights, offsets = model
    terms: list[Term] = [
        Linear(weights[:, place], float(middle)) for place, middle in enumerate(center.tolist())
    ]
    return _summed(opened, terms, offsets, seen, all_against_all=all_against_all)


def _of_means(opened: Opened) -> Additive | None:
    """Return class means, one each: minus half the squared distance, and the log prior."""
    means, inverse, starts, log_prior = opened.estimator._model
    if len(means) != len(log_prior) or (np.diff(starts) != 1).any():
        return None
    spread = np.ones_like(means) if inverse is None else inverse
    nothing = np.zeros(len(means))
    terms: list[Term] = [Bell(means[:, place], spread[:, place], nothing) for place in range(means.shape[1])]
    return _summed(opened, terms, log_prior)


def _of_winnow(opened: Opened) -> Additive:
    model = opened.estimator
    weights = model.weights_ if model.opposed_weights_ is None else model.weights_ - model.opposed_weights_
    offsets = np.full(len(weights), -model.threshold_)
    classes = len(model.classes_)
    if classes == 2:
        weights, offsets = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, offsets)
    elif classes == 1:
        weights, offsets = np.zeros((1, model.n_features_in_)), np.zeros(1)
    above = np.array([0.0 if model._above is None else float(model._above)])
    terms: list[Term] = [Steps(above, np.vstack([np.zeros(len(weights)), column])) for column in weights.T]
    return _summed(opened, terms, offsets, all_against_all=classes > 2 and not model._one_vs_all)


def _of_chance(opened: Opened) -> Additive | None:
    model = opened.estimator
    if model.strategy != "majority":
        return None
    return Additive(opened.columns, tuple(opened.classes or ()), np.log(model.class_prior_), ())


def _summed(
    opened: Opened,
    terms: list[Term],
    constant: Floats,
    seen: list[int] | None = None,
    *,
    all_against_all: bool = False,
) -> Additive:
    columns, labels = opened.columns, opened.classes or []
    parts = tuple(route.part(terms, columns[route.column].levels) for route in routes(opened))
    chosen = tuple(labels if seen is None else [labels[place] for place in seen])
    found = Additive(columns, chosen, np.asarray(constant, dtype=np.float64), parts, (), all_against_all)
    return _of_possible_classes(found)


def _of_bayes(opened: Opened) -> Additive | None:
    model = opened.estimator._model
    if model.kernel is not None:
        return None
    parts: list[Part] = []
    gaussian = model.gaussian
    for at, place in enumerate(gaussian.places.tolist()):
        bell = Bell(gaussian.means[:, at], gaussian.inverse_spreads[:, at], gaussian.log_norms[:, at])
        parts.append(NumberPart(place, None, 0.0, 1.0, bell))
    zeros: list[Part] = []
    for table in model.tables:
        parts += _table_parts(opened, table, table.logs)
        if table.zeros is not None:
            zeros += _table_parts(opened, table, table.zeros.astype(np.float64))
    labels = tuple(opened.classes or ())
    found = Additive(opened.columns, labels, model.log_prior, tuple(parts), tuple(zeros))
    return _of_possible_classes(found)


def _table_parts(opened: Opened, table: Any, added: Floats) -> list[Part]:
    """Return a part for each column of codes; the last code of categories is that of other levels."""
    counts = table.counts
    parts: list[Part] = []
    places, starts, keys, _ = counts.columns
    for at, (place, first) in enumerate(zip(places.tolist(), counts.first_slots.tolist(), strict=True)):
        count = int(starts[at + 1] - starts[at])
        rows = added[first : first + count + 1]
        if counts.levels is None:
            steps = Steps(keys[starts[at] : starts[at + 1]], rows)
            parts.append(NumberPart(place, None, 0.0, 1.0, steps))
        else:
            levels = opened.columns[place].levels or ()
            nothing = np.zeros(rows.shape[1])
            parts.append(LevelPart(place, levels, rows[:-1], rows[-1], nothing))
    return parts


def _of_possible_classes(found: Additive) -> Additive:
    """Leave out classes that were announced but never seen: their priors are zero, and they never win."""
    possible = np.isfinite(found.constant)
    if possible.all() or found.all_against_all:
        return found
    kept = np.flatnonzero(possible)
    return Additive(
        found.columns,
        tuple(found.classes[place] for place in kept.tolist()),
        found.constant[kept],
        tuple(_kept(part, kept) for part in found.parts),
        tuple(_kept(part, kept) for part in found.zero_parts),
    )


def _kept(part: Part, kept: Any) -> Part:
    if isinstance(part, LevelPart):
        return LevelPart(part.column, part.levels, part.added[:, kept], part.unseen[kept], part.missing[kept])
    term: Term = part.term
    if isinstance(term, Linear):
        term = Linear(term.weights[kept], term.center)
    elif isinstance(term, Bell):
        term = Bell(term.means[kept], term.inverses[kept], term.norms[kept])
    else:
        term = Steps(term.cuts, term.steps[:, kept])
    return NumberPart(part.column, part.fill, part.center, part.scale, term)


_BUILDERS: dict[type[Any], Callable[[Opened], Additive | None]] = {
    ChanceClassifier: _of_chance,
    FisherClassifier: _of_fisher,
    LinearDiscriminantClassifier: _of_scores,
    LinearSVMClassifier: _of_machines,
    LogisticClassifier: _of_scores,
    NaiveBayesClassifier: _of_bayes,
    NearestMeanClassifier: _of_means,
    PerceptronClassifier: _of_perceptron,
    SVMClassifier: _of_kernel_machine,
    WinnowClassifier: _of_winnow,
}
