"""From a model to what it computes: found by what the model has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from classica.errors import ParameterError
from classica.estimators import (
    AdaBoostClassifier,
    BaggingClassifier,
    MLPClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
)
from classica.estimators.trees.growing.tree_names import Names
from classica.estimators.trees.growing.unpacked import unpacked_tree
from classica.estimators.trees.showing.named_tree import NamedTree
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.additive_models import additive_of
from classica.explain.opened import Opened
from classica.explain.routes import routes
from classica.export.calibrated import calibrated_program
from classica.export.decided import decided_program
from classica.export.programs import NetworkProgram, Program, RulesProgram, TreeProgram, VotesProgram
from classica.native import Floats


def program_of(opened: Opened) -> Program | None:
    """Return what the model computes; None where there is no way to write it down as a program."""
    if opened.calibration is not None:
        return calibrated_program(opened)
    build = next((build for kind, build in _BUILDERS if isinstance(opened.estimator, kind)), additive_of)
    program = build(opened)
    return None if program is None else decided_program(program, opened)


def _of_tree(opened: Opened) -> Program | None:
    return TreeProgram(opened.columns, opened.estimator._named_tree()) if _reads_cells(opened) else None


def _of_rules(opened: Opened) -> Program | None:
    return RulesProgram(opened.columns, opened.estimator.rules_) if _reads_cells(opened) else None


def _of_forest(opened: Opened) -> Program | None:
    """Return the trees of a forest, unless missing cells are divided or follow surrogates in it."""
    model = opened.estimator
    forest, names = model.forest_, model.names_
    if not _reads_cells(opened):
        return None
    try:
        found = [unpacked_tree(forest, number) for number in range(len(forest))]
    except ParameterError:
        return None
    trees = [_numbered(NamedTree.of(tree, names, shares=tree.value), rows) for tree, rows in found]
    return VotesProgram(opened.columns, tuple(opened.classes or ()), tuple(trees), model._values, 0.0)


def _of_boosted(opened: Opened) -> Program | None:
    model = opened.estimator
    votes = model.estimator_weights_.tolist()
    slack = max(1e-14 * float(model.estimator_weights_.sum()), 1e-15)
    return _of_members(opened, model.estimators_, votes, slack, hard=True)


def _of_bag(opened: Opened) -> Program | None:
    bag = opened.estimator._bag
    if bag.columns is not None:
        return None
    return _of_members(opened, bag.members, [1.0] * len(bag), 0.0, hard=bag.voting == "hard")


def _of_members(
    opened: Opened, members: list[Any], votes: list[float], slack: float, *, hard: bool
) -> Program | None:
    """Return members that are trees; a row that is divided among leaves has no single one to vote by."""
    trees = all(isinstance(member, TreeClassifier) and not member._divides_rows() for member in members)
    if not (trees and _reads_cells(opened)):
        return None
    found, values, first = [], [], 0
    for member, vote in zip(members, votes, strict=True):
        named = member._named_tree()
        shares = _spread(np.eye(len(member.classes_))[named.shares.argmax(axis=1)] if hard else named.shares)
        places = np.searchsorted(np.asarray(opened.estimator.classes_), member.classes_)
        values.append(vote * _spread(shares, places, len(opened.estimator.classes_)))
        found.append(_numbered(named, first + np.arange(len(named.tree))))
        first += len(named.tree)
    labels = tuple(opened.classes or ())
    return VotesProgram(opened.columns, labels, tuple(found), np.vstack(values), slack)


def _spread(shares: Floats, places: Any = None, classes: int = 0) -> Floats:
    """Return shares with those of a member's classes at their places among all classes."""
    if places is None:
        return shares
    wide = np.zeros((len(shares), classes))
    wide[:, places] = shares
    return wide


def _numbered(named: NamedTree, rows: Any) -> NamedTree:
    """Return a tree that answers with rows of a table of values."""
    names = Names(named.names.columns, named.names.levels, None, named.names.edges)
    return replace(named, names=names, answers=np.asarray(rows).tolist())


def _of_network(opened: Opened) -> Program:
    model = opened.estimator
    network = model._passes.network
    layers = tuple(zip(model.coefs_, model.intercepts_, strict=True))
    ways, labels = tuple(routes(opened)), tuple(opened.classes or ())
    return NetworkProgram(
        opened.columns, labels, ways, network.center, network.scale, layers, network.activation
    )


def _reads_cells(opened: Opened) -> bool:
    """Return whether the classifier sees the columns as they are in the table."""
    return opened.encoder is None


#: What a model is, and what then makes a program of it; all others may be sums over columns.
_BUILDERS: tuple[tuple[type[Any], Callable[[Opened], Program | None]], ...] = (
    (TreeModel, _of_tree),
    (RuleSetClassifier, _of_rules),
    (RandomForestClassifier, _of_forest),
    (AdaBoostClassifier, _of_boosted),
    (BaggingClassifier, _of_bag),
    (MLPClassifier, _of_network),
)
