"""Growing and cost-complexity pruning by ten-fold cross-validation: one growth per part against a search."""

from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from benchmarks.agreement import accuracy_not_lower
from benchmarks.benchmark import Benchmark, Contender, Data
from benchmarks.estimator import estimator, predict
from benchmarks.regions import labelled_regions

#: The search tries so many alphas of the path; the path itself has hundreds, which ours judges one and all.
_ALPHAS = 50


def make(quick: bool, seed: int) -> Data:
    """Draw five classes in 20 columns."""
    n_rows, n_new = (1_000, 1_000) if quick else (10_000, 10_000)
    return labelled_regions(n_rows, n_new, n_columns=20, n_classes=5, seed=seed)


def _search(data: Data) -> Any:
    tree = DecisionTreeClassifier(random_state=0)
    alphas = tree.cost_complexity_pruning_path(data.rows, data.labels).ccp_alphas.clip(0)
    chosen = alphas[np.linspace(0, len(alphas) - 1, _ALPHAS).astype(int)]
    return GridSearchCV(tree, {"ccp_alpha": np.unique(chosen)}, cv=10).fit(data.rows, data.labels)


BENCHMARK = Benchmark(
    slug="cart-cv",
    work="CART: grow, and prune by ten-fold cross-validation",
    make=make,
    contenders=[
        estimator(
            "classica",
            "classica:CARTClassifier",
            ours=True,
            prune_by="gini",
            cv_rule="min",
            min_samples_split=2,
            max_surrogates=0,
        ),
        Contender("scikit-learn", _search, predict, requires="sklearn"),
    ],
    agree=accuracy_not_lower(0.02),
    target=50,
    compared="fit",
)
