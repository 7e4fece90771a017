"""Trees and rules as programs."""

from __future__ import annotations

from classica.estimators.trees.rule_classifier import RuleSetClassifier
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.additive_models import program_as
from classica.explain.model_layers import ModelLayers
from classica.export.programs import RulesProgram, TreeProgram


def _of_tree(layers: ModelLayers) -> TreeProgram | None:
    return TreeProgram(layers.columns, layers.estimator.named_tree()) if layers.reads_cells else None


def _of_rules(layers: ModelLayers) -> RulesProgram | None:
    model = layers.estimator
    return RulesProgram(layers.columns, model.rules_, model._shares) if layers.reads_cells else None


program_as(_of_tree, TreeModel)
program_as(_of_rules, RuleSetClassifier)
