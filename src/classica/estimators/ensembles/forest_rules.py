"""The rules for the parameters of random forests."""

from __future__ import annotations

from classica.estimators.trees.growing.growth import CATEGORY_SPLITS, MISSING_POLICIES
from classica.estimators.trees.growth_limits import GROWTH_LIMITS
from classica.params import N_JOBS, Boolean, CategoricalFeatures, Integer, Nothing, OneOf, Real, Rule

FOREST_RULES: dict[str, Rule] = {
    **GROWTH_LIMITS,
    "n_estimators": Integer(at_least=1),
    "choice": OneOf("best_of_random", "random_of_best"),
    "max_bins": Nothing() | Integer(at_least=2),
    "categories": OneOf(*CATEGORY_SPLITS),
    "missing": OneOf(*MISSING_POLICIES),
    "max_surrogates": Integer(at_least=0),
    "bootstrap": Boolean(),
    "max_samples": Nothing() | Integer(at_least=1) | Real(above=0, at_most=1),
    "oob_score": Boolean(),
    "categorical_features": CategoricalFeatures(),
    "n_jobs": N_JOBS,
}
