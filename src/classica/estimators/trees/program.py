"""Trees and rules as programs."""

from __future__ import annotations

from classica.estimators.trees.rule_classifier import RuleSetClassifier
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.additive_models import program_as
from classica.explain.opened import Opened
from classica.export.programs import RulesProgram, TreeProgram


def _of_tree(opened: Opened) -> TreeProgram | None:
    return TreeProgram(opened.columns, opened.estimator.named_tree()) if opened.reads_cells else None


def _of_rules(opened: Opened) -> RulesProgram | None:
    model = opened.estimator
    return RulesProgram(opened.columns, model.rules_, model._shares) if opened.reads_cells else None


program_as(_of_tree, TreeModel)
program_as(_of_rules, RuleSetClassifier)
