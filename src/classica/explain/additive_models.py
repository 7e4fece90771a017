"""Classifiers as sums over columns: what the programs of linear and Gaussian models share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from classica.beside import Beside
from classica.explain.additive import Additive
from classica.explain.model_layers import ModelLayers
from classica.explain.parts import Bell, LevelPart, Linear, NumberPart, Part, Steps, Term, routes
from classica.native import Floats, LinearModel

#: From a fitted model to what it computes: a sum over columns, a tree, rules, votes or a network.
Build = Callable[[ModelLayers], Any]
_PROGRAMS: Beside[Build] = Beside("program")


def program_as(build: Build, *classes: type[Any]) -> None:
    """Say what makes a program of models of some classes; it may return None for one that has none."""
    for cls in classes:
        _PROGRAMS.add(cls, build)


def built_program(layers: ModelLayers) -> Any:
    """Return what the classifier itself computes; None where nobody says so."""
    build = _PROGRAMS.of(type(layers.estimator))
    return None if build is None else build(layers)


def additive_of(layers: ModelLayers) -> Additive | None:
    """Return the classifier as a sum over columns, or None where it is none."""
    program = built_program(layers)
    return program if isinstance(program, Additive) else None


def margins_program(
    layers: ModelLayers, model: LinearModel, seen: list[int], *, second: bool, one_vs_all: bool
) -> Additive:
    """Return binary classifiers as scores; of two classes, the positive one has a score, the other zero."""
    center, weights, offsets = model
    if len(seen) == 1:
        weights, offsets = np.zeros((1, len(center))), np.zeros(1)
    elif len(seen) == 2:
        nothing, none = np.zeros_like(weights), np.zeros_like(offsets)
        order = (1, -1)[not second]
        weights, offsets = np.vstack([nothing, weights][::order]), np.concatenate([none, offsets][::order])
    contests = len(seen) > 2 and not one_vs_all
    return linear_program(layers, (center, weights, offsets), seen, all_against_all=contests)


def linear_program(
    layers: ModelLayers, model: LinearModel, seen: list[int] | None = None, *, all_against_all: bool = False
) -> Additive:
    """Return linear scores of the columns that a classifier sees as sums over those of the table."""
    center, weights, offsets = model
    terms: list[Term] = [
        Linear(weights[:, index], float(middle)) for index, middle in enumerate(center.tolist())
    ]
    return summed_program(layers, terms, offsets, seen, all_against_all=all_against_all)


def summed_program(
    layers: ModelLayers,
    terms: list[Term],
    constant: Floats,
    seen: list[int] | None = None,
    *,
    all_against_all: bool = False,
) -> Additive:
    """Return terms of what a classifier sees, one per column, as parts of the columns of the table."""
    columns, labels = layers.columns, layers.classes or []
    parts = tuple(route.part(terms, columns[route.column].levels) for route in routes(layers))
    chosen = tuple(labels if seen is None else [labels[index] for index in seen])
    program = Additive(columns, chosen, np.asarray(constant, dtype=np.float64), parts, (), all_against_all)
    return of_possible_classes(program)


def of_possible_classes(program: Additive) -> Additive:
    """Leave out classes that were announced but never seen: their priors are zero, and they never win."""
    possible = np.isfinite(program.constant)
    if possible.all() or program.all_against_all:
        return program
    kept = np.flatnonzero(possible)
    return Additive(
        program.columns,
        tuple(program.classes[index] for index in kept.tolist()),
        program.constant[kept],
        tuple(_kept(part, kept) for part in program.parts),
        tuple(_kept(part, kept) for part in program.zero_parts),
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
