r"""A decision tree: one question about one column at a time.

.. math:: g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from classica.estimators._growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators._tree_classifier import TreeClassifier
from classica.estimators._tree_pruning import PRUNING_RULES
from classica.params import N_JOBS, CategoricalFeatures, Dictionary, Integer, Nothing, OneOf, Real, Rule, Seed
from classica.registry import register
from classica.trees.growth import CATEGORY_SPLITS, MISSING_POLICIES, THRESHOLDS, GrowthRules, Target


@register(
    slug="tree",
    family="trees",
    rule=r"g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}",
    plain_rule="g(x) = the most frequent class in the leaf that x falls into",
    source="R, B, T, L, C: decision trees",
    fit_cost="O(n d log n)",
    predict_cost="O(depth) per row",
    grid={"max_depth": [2, 4, 8, 16, None], "min_samples_leaf": [1, 5, 20]},
    test_parameters=({}, {"criterion": "gain_ratio", "categories": "multiway", "missing": "fraction"}),
)
class DecisionTreeClassifier(TreeClassifier):
    r"""Ask one question about one column at a time, until a leaf is reached.

    The rule:

    .. math:: g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **GROWTH_LIMITS,
        "criterion": OneOf("gini", "entropy", "gain_ratio", "misclassification", "chi2", "relieff"),
        "categories": OneOf(*CATEGORY_SPLITS),
        "missing": OneOf(*MISSING_POLICIES),
        "threshold": OneOf(*THRESHOLDS),
        "max_surrogates": Integer(at_least=0),
        **PRUNING_RULES,
        "smoothing": Real(at_least=0),
        "class_weight": Nothing() | OneOf("balanced") | Dictionary(),
        "random_state": Seed(),
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        criterion: str = "gini",
        *,
        categories: str = "subset",
        missing: str = "direction",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: Any = None,
        threshold: str = "midpoint",
        max_surrogates: int = 5,
        prune: Any = None,
        prune_by: str | None = None,
        cv: Any = 10,
        cv_rule: str = "1se",
        confidence: float = 0.25,
        raising: bool = True,
        held_out: float = 1 / 3,
        smoothing: float = 0.0,
        class_weight: Any = None,
        random_state: Any = None,
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.categories = categories
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.threshold = threshold
        self.max_surrogates = max_surrogates
        self.prune = prune
        self.prune_by = prune_by
        self.cv = cv
        self.cv_rule = cv_rule
        self.confidence = confidence
        self.raising = raising
        self.held_out = held_out
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _growth_rules(self, X: Any, target: Target) -> GrowthRules:
        by_entropy = self.criterion in ("gain_ratio", "relieff")
        return GrowthRules(
            criterion="entropy" if by_entropy else self.criterion,
            selection=self.criterion if by_entropy else "gain",
            categories=self.categories,
            missing=self.missing,
            max_surrogates=self.max_surrogates if self.missing == "surrogate" else 0,
            **growth_limits(self, X.shape[1], X.shape[0], target),
        )

    def _threshold_policy(self) -> str:
        return self.threshold
