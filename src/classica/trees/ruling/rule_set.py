"""From the paths of a tree to a small list of rules (C4.5rules; Quinlan 1993, chapter 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.native import Codes, Floats
from classica.trees.growing.group_sums import group_sums
from classica.trees.pruning.pessimistic_error import pessimistic_errors
from classica.trees.ruling.condition import Condition, all_hold
from classica.trees.ruling.node_paths import path_conditions
from classica.trees.ruling.rule_selection import RuleChoice, rule_bits, sums_are_exact
from classica.trees.ruling.rule_simplification import RulesTogether, simplified
from classica.trees.showing.named_tree import NamedTree

#: The code of the answer, and the conditions.
CodedRule = tuple[int, tuple[Condition, ...]]


@dataclass(frozen=True)
class RuleSearch:
    """Rows to find rules for."""

    X: NDArray[np.float64]
    codes: Codes
    weights: Floats
    classes: int
    #: How many different values or levels each column has.
    values: Sequence[int]
    confidence: float
    threads: int = 1

    def rules(self, named: NamedTree) -> tuple[list[CodedRule], Floats]:
        """Return rules in the order of asking, and for each the class weights of the rows it is first for.

        The last row of weights is that of the rows no rule holds for.
        """
        candidates = self._candidates(named)
        covers = self._covers(candidates)
        chosen = self._chosen(candidates, covers)
        return self._useful(candidates, covers, self._ordered(candidates, covers, chosen))

    def _candidates(self, named: NamedTree) -> list[CodedRule]:
        """Return the simplified path to each leaf, every rule once; one without conditions says nothing."""
        tree, paths = named.tree, path_conditions(named)
        leaves = (tree.feature < 0).nonzero()[0].tolist()
        candidates: dict[CodedRule, None] = {}
        coded = [(int(tree.value[leaf].argmax()), tuple(paths[leaf].values())) for leaf in leaves]
        for (code, _), conditions in zip(coded, self._simplified(coded), strict=True):
            if conditions:
                candidates[code, conditions] = None
        return list(candidates)

    def _simplified(self, coded: list[CodedRule]) -> Iterator[tuple[Condition, ...]]:
        if sums_are_exact(self.weights):
            together = RulesTogether(self.X, self.codes, self.weights, self.confidence, self.threads)
            yield from together.simplified(coded)
            return
        for code, conditions in coded:
            wrong = self.weights * (self.codes != code)
            yield simplified(conditions, self.X, self.weights, wrong, self.confidence)

    def _covers(self, rules: Sequence[CodedRule]) -> sp.csr_matrix:
        """Return a sparse matrix: a row per rule, a one for each row of the table it holds for."""
        rows = [np.flatnonzero(all_hold(conditions, self.X)) for _, conditions in rules]
        starts = np.cumsum([0, *(len(row) for row in rows)])
        indices = np.concatenate(rows) if rows else np.empty(0, dtype=np.intp)
        return sp.csr_matrix((np.ones(len(indices)), indices, starts), shape=(len(rules), len(self.X)))

    def _chosen(self, rules: Sequence[CodedRule], covers: sp.csr_matrix) -> NDArray[np.bool_]:
        codes = np.array([code for code, _ in rules], dtype=np.intp)
        bits = np.array([rule_bits(conditions, self.values) for _, conditions in rules])
        chosen = np.zeros(len(rules), dtype=bool)
        for code in np.unique(codes):
            of_class = np.flatnonzero(codes == code)
            choice = RuleChoice(covers[of_class], bits[of_class], self.codes == code, self.weights)
            chosen[of_class] = choice.best()
        return chosen

    def _ordered(
        self, rules: Sequence[CodedRule], covers: sp.csr_matrix, chosen: NDArray[np.bool_]
    ) -> Iterator[int]:
        """Give the rules of the class with the fewest false positives, then of the next among the rows left.

        Within a class the rule of the lowest pessimistic error rate comes first.
        """
        codes = np.array([code for code, _ in rules], dtype=np.intp)
        rates = self._rates(codes, covers)
        left, classes = np.ones(len(self.X), dtype=bool), np.unique(codes[chosen]).tolist()
        while classes:
            reached = {code: self._reached(covers, chosen & (codes == code)) & left for code in classes}
            wrong = {code: self.weights[rows & (self.codes != code)].sum() for code, rows in reached.items()}
            code = min(classes, key=lambda one: wrong[one])
            of_class = np.flatnonzero(chosen & (codes == code))
            yield from of_class[np.argsort(rates[of_class], kind="stable")].tolist()
            left &= ~reached[code]
            classes.remove(code)

    def _reached(self, covers: sp.csr_matrix, rules: NDArray[np.bool_]) -> NDArray[np.bool_]:
        reached: NDArray[np.bool_] = covers.T @ rules.astype(np.float64) > 0
        return reached

    def _rates(self, codes: NDArray[np.intp], covers: sp.csr_matrix) -> Floats:
        cases = covers @ self.weights
        of_class = np.zeros((len(self.X), self.classes))
        of_class[np.arange(len(self.X)), self.codes] = self.weights
        right = (covers @ of_class)[np.arange(len(codes)), codes]
        rates: Floats = pessimistic_errors(cases, cases - right, self.confidence) / np.maximum(cases, 1e-300)
        return rates

    def _useful(
        self, rules: Sequence[CodedRule], covers: sp.csr_matrix, order: Iterator[int]
    ) -> tuple[list[CodedRule], Floats]:
        """Leave out rules that no row is left for, and those whose answer is not the most frequent there."""
        left = np.ones(len(self.X), dtype=bool)
        kept, counts = [], []
        for index in order:
            rows = covers.indices[covers.indptr[index] : covers.indptr[index + 1]]
            rows = rows[left[rows]]
            of_class = self._class_weights(rows)
            if len(rows) and of_class.argmax() == rules[index][0]:
                kept.append(rules[index])
                counts.append(of_class)
                left[rows] = False
        return kept, np.array([*counts, self._class_weights(np.flatnonzero(left))])

    def _class_weights(self, rows: NDArray[np.integer[Any]]) -> Floats:
        return group_sums(self.codes[rows], self.weights[rows], self.classes)
