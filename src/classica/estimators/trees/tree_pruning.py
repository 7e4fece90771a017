"""What pruning adds to a tree estimator: parameters, the sequence of trees, other trees of that sequence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from copy import copy
from typing import Any, Self

from classica.errors import ParameterError, must
from classica.estimators.trees.tree_model import TreeModel
from classica.params import Boolean, Integer, Nothing, OneOf, Real, Rule
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Tree
from classica.trees.pruning.cp_table import CpTable
from classica.trees.pruning.error_pruning import ErrorRules, error_pruned
from classica.trees.pruning.held_out_losses import reduced_error_pruned
from classica.trees.pruning.pruning_cv import CrossValidation, cross_validated
from classica.trees.pruning.pruning_path import RISKS, PruningPath, pruning_path
from classica.trees.pruning.row_folds import cases_held_out, cases_in_parts, given_parts


class Folds(Rule):
    """A scikit-learn splitter, or pairs of row numbers."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value can split or be gone through."""
        return not isinstance(value, str) and (hasattr(value, "split") or isinstance(value, Iterable))

    def __str__(self) -> str:
        return "a splitter or a sequence of pairs of row numbers"


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


class TreePruning(TreeModel):
    """A tree estimator that prunes what it has grown; parameters a subclass does not have stay as here."""

    prune: Any = None
    prune_by: str | None = None
    cv: Any = 10
    cv_rule: str = "1se"
    confidence: float = 0.25
    raising: bool = True
    held_out: float = 1 / 3
    smoothing: float = 0.0
    random_state: Any = None

    grown_tree_: Tree
    _risk: str | None
    _validated: CrossValidation | None

    @property
    def pruning_path_(self) -> PruningPath:
        """The nested trees of cost-complexity pruning, from the grown tree to its root."""
        self._require_fitted()
        return pruning_path(self.grown_tree_, self._risk)

    @property
    def cp_table_(self) -> CpTable:
        """The nested trees as a table, with the errors of the cross-validation if there was one."""
        path, validated = self.pruning_path_, self._validated
        chosen = None if validated is None else validated.chosen(self.cv_rule)
        return CpTable.of(self.grown_tree_, path, validated, chosen)

    def pruned(self, alpha: float) -> Self:
        """Return this estimator with its grown tree pruned at another alpha, without learning again.

        Parameters
        ----------
        alpha : float
            What a leaf costs, in units of the risk per row.

        Returns
        -------
        estimator : fitted copy with ``prune=alpha``
        """
        if not ALPHA.accepts(alpha):
            raise ParameterError(must("alpha", str(ALPHA), alpha))
        path, other = self.pruning_path_, copy(self)
        other.prune = alpha
        other._set_tree(self.grown_tree_.cut_at(path.collapsed(alpha)))
        return other

    def prune_to(self, n_leaves: int) -> Self:
        """Return this estimator with the largest tree of the pruning path that has at most so many leaves.

        Parameters
        ----------
        n_leaves : int
            At least 1.

        Returns
        -------
        estimator : fitted copy
        """
        if not Integer(at_least=1).accepts(n_leaves):
            raise ParameterError(must("n_leaves", str(Integer(at_least=1)), n_leaves))
        path = self.pruning_path_
        return self.pruned(float(path.alphas[path.step_of(n_leaves)]))

    # ---- Learning.

    @abstractmethod
    def _set_tree(self, tree: Tree) -> None:
        """Predict by a tree from now on."""

    def _learn(self, task: TreeTask) -> None:
        """Grow a tree and prune it."""
        criterion = task.rules.criterion
        self._risk = self.prune_by or (criterion if criterion in RISKS else None)
        self._validated = None
        if self.prune == "reduced":
            task, cases = task.case_by_case()
            rows, judges = cases_held_out(task, cases, self.held_out, self.random_state)
            self.grown_tree_ = task.grow(rows)
            self._set_tree(reduced_error_pruned(self.grown_tree_, task, judges))
        else:
            self.grown_tree_ = task.grow()
            self._set_tree(self._pruned(task))

    def _pruned(self, task: TreeTask) -> Tree:
        tree = self.grown_tree_
        if self.prune is None:
            return tree
        if self.prune == "error":
            rules = ErrorRules(self.confidence, self.raising, task.rules.missing, task.rules.categories)
            return error_pruned(tree, task.X, task.target, rules)
        path = pruning_path(tree, self._risk)
        alpha = self._validated_alpha(task, path) if self.prune == "cv" else self.prune
        return tree.cut_at(path.collapsed(alpha))

    def _validated_alpha(self, task: TreeTask, path: PruningPath) -> float:
        if len(path.alphas) == 1:  # there is nothing to choose
            return 0.0
        if Integer().accepts(self.cv):
            task, cases = task.case_by_case()
            folds = cases_in_parts(task, cases, self.cv, self.random_state)
        else:
            folds = given_parts(self.cv, task)
        self._validated = cross_validated(task, path, self._risk, folds, self.smoothing)
        return float(path.alphas[self._validated.chosen(self.cv_rule)])
