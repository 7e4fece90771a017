"""The limits of growing, as scikit-learn says them, turned into numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from classica.params import Integer, Nothing, OneOf, RandomState, Real, Rule, Seed
from classica.trees.growing.growth import Target

#: The rules of the limits an estimator may state; those it does not are no limits.
_SHARE = Real(above=0, at_most=1)
GROWTH_LIMITS: dict[str, Rule] = {
    "max_depth": Nothing() | Integer(at_least=0),
    "min_samples_split": Integer(at_least=2) | _SHARE,
    "min_samples_leaf": Integer(at_least=1) | _SHARE,
    "min_weight_fraction_leaf": Real(at_least=0, at_most=0.5),
    "min_impurity_decrease": Real(at_least=0),
    "max_leaf_nodes": Nothing() | Integer(at_least=1),
    "max_features": Nothing() | OneOf("sqrt", "log2") | Integer(at_least=1) | _SHARE,
    "random_state": Seed(),
}


def growth_limits(estimator: BaseEstimator, columns: int, target: Target) -> dict[str, Any]:
    """Return the limits an estimator states, as `GrowthRules` takes them."""
    cases = target.total_cases()
    stated = vars(estimator)  # a subclass may state them without having them as parameters
    max_depth, max_leaves = stated.get("max_depth"), stated.get("max_leaf_nodes")
    max_features = _columns(stated.get("max_features"), columns)
    return {
        "max_depth": -1 if max_depth is None else int(max_depth),
        "max_leaves": -1 if max_leaves is None else int(max_leaves),
        "max_features": max_features,
        "min_cases_split": max(2.0, _count(stated.get("min_samples_split", 2), cases)),
        "min_cases_leaf": _count(stated.get("min_samples_leaf", 1), cases),
        "min_weight_leaf": stated.get("min_weight_fraction_leaf", 0.0) * target.total_weight(),
        "min_gain": stated.get("min_impurity_decrease", 0.0) * target.total_weight(),
        "seed": seed_of(stated.get("random_state")) if max_features else 0,
    }


def seed_of(random_state: RandomState) -> int:
    """Return a seed: drawn from a generator, or from a new one."""
    if not isinstance(random_state, np.random.RandomState):
        random_state = np.random.RandomState(random_state)
    return int(random_state.randint(2**31))


def _count(limit: float, of: float) -> float:
    """Return a number of cases; a fraction is a share of all."""
    return float(np.ceil(limit * of)) if isinstance(limit, float | np.floating) else float(limit)


def _columns(wanted: float | str | None, of: int) -> int:
    if wanted is None:
        return 0
    if wanted == "sqrt":
        return max(1, int(np.sqrt(of)))
    if wanted == "log2":
        return max(1, int(np.log2(of)))
    return max(1, int(wanted * of)) if isinstance(wanted, float | np.floating) else min(int(wanted), of)
