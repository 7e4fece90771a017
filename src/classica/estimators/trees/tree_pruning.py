"""How a tree estimator prunes what it has grown: its parameters, and the trees they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from sklearn.model_selection import BaseCrossValidator

from classica.estimators.base.estimator import Estimator
from classica.params import Boolean, Integer, Nothing, OneOf, RandomState, Real, Rule
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Tree
from classica.trees.pruning.error_pruning import ErrorRules, error_pruned
from classica.trees.pruning.held_out_losses import reduced_error_pruned
from classica.trees.pruning.pruning_cv import CrossValidation, cross_validated
from classica.trees.pruning.pruning_path import RISKS, PruningPath, pruning_path
from classica.trees.pruning.row_folds import cases_held_out, cases_in_parts, given_parts


class Folds(Rule):
    """A scikit-learn splitter, or pairs of row numbers."""

    def accepts(self, value: object) -> bool:
        """Return whether the value can split or be gone through."""
        return not isinstance(value, str) and (hasattr(value, "split") or isinstance(value, Iterable))

    def __str__(self) -> str:
        return "a splitter or a sequence of pairs of row indices"


#: A scikit-learn splitter, or pairs of row numbers.
Splits: TypeAlias = "BaseCrossValidator | Iterable[tuple[Any, Any]]"

ALPHA = Real(at_least=0)
PRUNING_RULES: dict[str, Rule] = {
    "prune": Nothing() | ALPHA | OneOf("cv", "error", "reduced"),
    "prune_by": Nothing() | OneOf(*RISKS),
    "cv": Integer(at_least=2) | Folds(),
    "cv_rule": OneOf("min", "1se"),
    "confidence": Real(above=0, at_most=0.5),
    "raising": Boolean(),
    "held_out": Real(above=0, at_most=0.9),
}


@dataclass(frozen=True)
class PrunedTree:
    """A tree before and after pruning, the risk it was pruned by, and the cross-validation behind it."""

    grown: Tree
    tree: Tree
    risk: str | None
    validated: CrossValidation | None = None


@dataclass(frozen=True)
class Pruning:
    """How trees are pruned; what an estimator has no parameter for stays as here."""

    prune: float | str | None = None
    prune_by: str | None = None
    cv: Any = 10
    cv_rule: str = "1se"
    confidence: float = 0.25
    raising: bool = True
    held_out: float = 1 / 3
    smoothing: float = 0.0
    random_state: RandomState = None

    @classmethod
    def of(cls, model: Estimator) -> Pruning:
        """Return what the parameters of an estimator say."""
        names = [field.name for field in fields(cls) if field.name in model.parameter_rules]
        return cls(**{name: getattr(model, name) for name in names})

    def risk_of(self, criterion: str) -> str | None:
        """Return the impurity of cost-complexity pruning: that of growing unless another is stated."""
        return self.prune_by or (criterion if criterion in RISKS else None)

    def grow(self, task: TreeTask) -> PrunedTree:
        """Grow a tree and prune it."""
        risk = self.risk_of(task.rules.criterion)
        if self.prune == "reduced":
            task, cases = task.case_by_case()
            rows, judges = cases_held_out(task, cases, self.held_out, self.random_state)
            grown = task.grow(rows)
            return PrunedTree(grown, reduced_error_pruned(grown, task, judges), risk)
        grown = task.grow()
        if self.prune is None:
            return PrunedTree(grown, grown, risk)
        if self.prune == "error":
            rules = ErrorRules(self.confidence, self.raising, task.rules.missing, task.rules.categories)
            return PrunedTree(grown, error_pruned(grown, task.X, task.target, rules), risk)
        path = pruning_path(grown, risk)
        if self.prune != "cv":
            return PrunedTree(grown, grown.cut_at(path.collapsed(float(self.prune))), risk)
        if len(path.alphas) == 1:  # there is nothing to choose
            return PrunedTree(grown, grown.cut_at(path.collapsed(0.0)), risk)
        validated = self._cross_validated(task, path, risk)
        alpha = float(path.alphas[validated.chosen(self.cv_rule)])
        return PrunedTree(grown, grown.cut_at(path.collapsed(alpha)), risk, validated)

    def _cross_validated(self, task: TreeTask, path: PruningPath, risk: str | None) -> CrossValidation:
        if Integer().accepts(self.cv):
            task, cases = task.case_by_case()
            folds = cases_in_parts(task, cases, self.cv, self.random_state)
        else:
            folds = given_parts(self.cv, task)
        return cross_validated(task, path, risk, folds, self.smoothing)
