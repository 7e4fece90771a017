"""The limits of growing, as scikit-learn says them, turned into numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.params import Integer, Nothing, OneOf, Real, Rule
from classica.trees.growth import Target

#: A share must be below one; one itself is one case.
SHARE = Real(above=0, at_most=1)
GROWTH_LIMITS: dict[str, Rule] = {
    "max_depth": Nothing() | Integer(at_least=0),
    "min_samples_split": Integer(at_least=2) | SHARE,
    "min_samples_leaf": Integer(at_least=1) | SHARE,
    "min_impurity_decrease": Real(at_least=0),
    "max_leaf_nodes": Nothing() | Integer(at_least=1),
    "max_features": Nothing() | OneOf("sqrt", "log2") | Integer(at_least=1) | SHARE,
}


def growth_limits(estimator: Any, columns: int, rows: int, target: Target) -> dict[str, Any]:
    """Return the limits an estimator states, as `GrowthRules` takes them."""
    cases = float(rows if target.cases is None else target.cases.sum())
    return {
        "max_depth": -1 if estimator.max_depth is None else int(estimator.max_depth),
        "max_leaves": -1 if estimator.max_leaf_nodes is None else int(estimator.max_leaf_nodes),
        "max_features": _columns(estimator.max_features, columns),
        "min_cases_split": max(2.0, _count(estimator.min_samples_split, cases)),
        "min_cases_leaf": _count(estimator.min_samples_leaf, cases),
        "min_gain": estimator.min_impurity_decrease * target.total_weight(),
        "seed": seed_of(estimator.random_state),
    }


def seed_of(random_state: Any) -> int:
    """Return a seed: the number given, or one drawn."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return int(np.random.RandomState(random_state).randint(2**31))


def _count(limit: float, of: float) -> float:
    """Return a number of cases; a fraction is a share of all."""
    return float(np.ceil(limit * of)) if isinstance(limit, float | np.floating) else float(limit)


def _columns(wanted: Any, of: int) -> int:
    if wanted is None:
        return 0
    if wanted == "sqrt":
        return max(1, int(np.sqrt(of)))
    if wanted == "log2":
        return max(1, int(np.log2(of)))
    return max(1, int(wanted * of)) if isinstance(wanted, float | np.floating) else min(int(wanted), of)
