"""Ensembles: fitted members that read the same columns and know no other classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.estimators.base.state_parts import CLASSES, SEED
from classica.estimators.ensembles import forest_state  # noqa: F401  (describes forests)
from classica.estimators.ensembles.adaboost import AdaBoostClassifier
from classica.estimators.ensembles.bag import Bag
from classica.estimators.ensembles.bagging import BaggingClassifier
from classica.estimators.ensembles.boosted_members import BoostedMembers
from classica.estimators.ensembles.boosted_trees import BoostedTrees
from classica.estimators.ensembles.voting import VotingClassifier
from classica.estimators.ensembles.weighted_majority import WeightedMajorityClassifier
from classica.estimators.members.member_state import MEMBERS, check_member
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.estimators.trees.state import READER
from classica.kinds import Array, DictOf, Kind, ListOf, Maybe, Number, Scope, Whole, Word
from classica.persist.description import (
    Member,
    RecordOf,
    check_own_parameters,
    describe_estimator,
    describe_record,
    parameter_names,
)
from classica.persist.label_kinds import NAMES, Labels
from classica.samples import Samples
from classica.trees.growing.forest import Forest
from classica.trees.growing.tree import Tree

#: Sums of so large votes do not overflow.
_HEAVIEST = 1e150
_SHARES = Array("f8", "members", low=0)


class _MemberOrWord(Kind):
    """A member; one that is left out is a word."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check whichever it is."""
        (Word() if isinstance(value, str) else Member()).check(value, scope)


def _check_bag(bag: Bag, scope: Scope) -> None:
    wide = (
        [scope.size("d")] * len(bag.members) if bag.columns is None else [len(seen) for seen in bag.columns]
    )
    scope.require(bag.members and len(wide) == len(bag.members), "made of members", len(bag.members))
    for member, columns in zip(bag.members, wide, strict=True):
        check_member(member, columns, bag.classes, bag.voting, scope)


describe_record(
    Bag,
    {
        "members": ListOf(Member()),
        "columns": Maybe(ListOf(Array("i8", "seen", low=0, below="d"))),
        "classes": Labels(),
        "voting": Word("soft", "hard"),
    },
    _check_bag,
)


def _check_bagging(model: BaggingClassifier, scope: Scope) -> None:
    scope.require(np.array_equal(model._bag.classes, model.classes_), "made with the classes of its members")


describe_estimator(
    BaggingClassifier,
    {**CLASSES, "_bag": RecordOf(Bag), "_samples": RecordOf(Samples)},
    {
        **NAMES,
        "oob_decision_function_": Array("f8", "rows", "c", nan=True),
        "oob_errors_": Array("f8", "rounds", nan=True),
        **dict.fromkeys(("oob_error_", "oob_score_"), Number(special=True)),
    },
    _check_bagging,
)


def _check_voting(model: VotingClassifier, scope: Scope) -> None:
    scope.require(model.weights_.sum() > 0 and np.isfinite(model.weights_.sum()), "made with weights above 0")
    for member in model.estimators_:
        check_member(member, scope.size("d"), model.classes_, model.voting, scope)


describe_estimator(
    VotingClassifier,
    {
        **CLASSES,
        "estimators_": MEMBERS,
        "weights_": _SHARES,
        "named_estimators_": DictOf(Word(), _MemberOrWord()),
    },
    NAMES,
    _check_voting,
)


def _check_majority(model: WeightedMajorityClassifier, scope: Scope) -> None:
    classes = scope.size("c")
    on_columns = model.estimators is None
    scope.require(on_columns == (model.cuts_ is not None), "made of members or of thresholds")
    experts = scope.size("d") * max(classes * (classes - 1), 1) if on_columns else len(model.estimators_)
    scope.require(len(model.weights_) == experts, f"made with {experts} weights", len(model.weights_))
    scope.require(model.weights_.sum() > 0 and np.isfinite(model.weights_.sum()), "made with weights above 0")
    for member in model.estimators_:
        check_member(member, scope.size("d"), model.classes_, "hard", scope)


describe_estimator(
    WeightedMajorityClassifier,
    {
        **CLASSES,
        "estimators_": MEMBERS,
        "cuts_": Maybe(Array("f8", "d")),
        "_seed": SEED,
        "_seen": Whole(0),
        "expert_mistakes_": Array("i8", "experts", low=0),
        "mistakes_": Whole(0),
        "expected_mistakes_": Number(low=0),
        "weights_": Array("f8", "experts", low=0),
    },
    NAMES,
    _check_majority,
)


class _Reader(Kind):
    """A tree classifier that reads rows and has no tree."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check what it knows about columns and classes."""
        scope.require(type(value) is DecisionTreeClassifier, "a tree that reads rows", value)
        names = parameter_names(DecisionTreeClassifier)
        own = {name: item for name, item in vars(value).items() if name not in names}
        unknown = own.keys() - READER.attributes.keys() - READER.optional.keys()
        scope.require(not unknown, "made of attributes it has", sorted(unknown))
        check_own_parameters(value, scope)
        READER.check_state(value, own, scope)
        scope.parts.add(id(value))


def _check_boosted_trees(made: BoostedTrees, scope: Scope) -> None:
    classes = scope.size("c")
    widths = {made.forest.values.shape[1], *(tree.value.shape[1] for tree in made.trees)}
    scope.require(widths == {classes}, f"made with {classes} values in a node", widths)
    votes = (made.forest.values, *(tree.value for tree in made.trees))
    bounded = all((np.abs(each) <= _HEAVIEST).all() for each in votes)
    scope.require(bounded, f"made with votes of at most {_HEAVIEST:g}")
    heavy = all((tree.value >= 0).all() and (tree.value.sum(axis=1) > 0).all() for tree in made.trees)
    scope.require(heavy, "made with weights of classes in every node")
    scope.require(
        made.trees and len(made.trees) == len(made.forest), "made with all its trees", len(made.forest)
    )
    scope.require(not made.forest.holds_numbers, "made with votes for classes")


describe_record(
    BoostedTrees,
    {"reader": _Reader(), "trees": ListOf(RecordOf(Tree)), "forest": RecordOf(Forest)},
    _check_boosted_trees,
)


def _check_boosted_members(made: BoostedMembers, scope: Scope) -> None:
    scope.require(made.fitted, "made of members", 0)
    for member in made.fitted:
        check_member(member, scope.size("d"), made.classes, "hard", scope)


describe_record(BoostedMembers, {"fitted": ListOf(Member()), "classes": Labels()}, _check_boosted_members)


def _check_boosting(model: AdaBoostClassifier, scope: Scope) -> None:
    made = model._members
    count = len(made.trees) if isinstance(made, BoostedTrees) else len(made.fitted)
    scope.require(
        len(model.estimator_weights_) == count, f"made with {count} weights", len(model.estimator_weights_)
    )
    scope.require(np.array_equal(made.classes, model.classes_), "made with the classes of its members")


describe_estimator(
    AdaBoostClassifier,
    {
        **CLASSES,
        "_members": RecordOf(BoostedTrees, BoostedMembers),
        "stopped_": Maybe(Word()),
        "estimator_weights_": Array("f8", "rounds", most=_HEAVIEST),
        "estimator_errors_": Array("f8", "rounds"),
        "staged_errors_": Array("f8", "rounds"),
        "n_rounds_": Whole(1),
    },
    NAMES,
    _check_boosting,
)
