"""Pruning of decision trees and rules: weakest links, C4.5's estimated errors, conditions to drop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows
from classica.native.trees import Ranks, TreeArrays


def weakest_links(first_child: Codes, child_count: Codes, risk: Floats) -> Floats:
    """Return the least alpha at which each node is no longer divided; 0 for leaves."""
    alphas = np.empty(len(risk))
    _core.weakest_links(first_child, child_count, risk, alphas)
    return alphas


def prune_by_errors(
    X: Rows,
    codes: Codes,
    weights: Floats | None,
    row_cases: Floats | None,
    rows: Ranks,
    tree: TreeArrays,
    counts: Floats,
    cases: Floats,
    *,
    confidence: float,
    deviate: float,
    raising: bool,
    divides_rows: bool,
    categories: str,
) -> dict[str, Any]:
    """Return the arrays of the tree pruned by estimated errors, by name; see `tree_pruning.hpp`."""
    rules = confidence, deviate, raising, divides_rows, categories
    return dict(_core.prune_by_errors(X, codes, weights, row_cases, rows, tree, counts, cases, *rules))


def count_rules(
    fails: NDArray[np.uint8],
    asked: NDArray[np.uint8],
    starts: NDArray[np.int64],
    answers: Codes,
    codes: Codes,
    weights: Floats,
    threads: int,
) -> tuple[Floats, Floats]:
    """Return what each rule covers without each of its conditions and with all, and how much of it wrongly.

    ``fails`` has a row per condition; those of rule r begin at ``starts[r]``, and what is found at
    ``starts[r] + r``. Conditions that are not ``asked`` have been dropped.
    """
    cases, errors = np.empty((2, len(fails) + len(answers)))
    _core.count_rules(fails, asked, starts, answers, codes, weights, threads, cases, errors)
    return cases, errors
