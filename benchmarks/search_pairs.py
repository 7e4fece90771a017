"""The classifiers both libraries have, with the same grids: ours in our words, theirs in scikit-learn's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sklearn.discriminant_analysis
import sklearn.ensemble
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.neighbors
import sklearn.neural_network
import sklearn.svm
import sklearn.tree

import classica

Grid = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Pair:
    """One classifier in both libraries.

    Parameters
    ----------
    name : str
        What it is called.
    ours, theirs : estimators
        Not fitted.
    grid : dict
        The values of each parameter.
    apart : float
        How far the scores of an outer part may be apart: 0 where the same rule is learned to the last digit,
        more where rows are drawn, ties are decided otherwise or a tolerance ends the search.
    """

    name: str
    ours: Any
    theirs: Any
    grid: Grid
    apart: float = 0.0


def pairs(quick: bool) -> list[Pair]:
    """Return the pairs; the quick ones have fewer members and passes."""
    few = 4 if quick else 100
    sizes = [few // 4, few // 2, few, 2 * few]
    passes: dict[str, Any] = {"max_iter": 10 if quick else 100, "random_state": 0}
    C = [0.01, 0.1, 1.0, 10.0, 100.0]
    return [
        Pair(
            "knn",
            classica.KNeighborsClassifier(ties="lowest"),
            sklearn.neighbors.KNeighborsClassifier(),
            {"weights": ["uniform", "distance"], "n_neighbors": [25, 15, 9, 5, 3, 1]},
        ),
        Pair(
            "lda",
            classica.LinearDiscriminantClassifier(),
            sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr"),
            {"shrinkage": [None, 0.01, 0.1, 0.5]},
        ),
        Pair("naive-bayes", classica.NaiveBayesClassifier(), sklearn.naive_bayes.GaussianNB(), {}, 0.01),
        Pair(
            "logistic",
            classica.LogisticClassifier(),
            sklearn.linear_model.LogisticRegression(max_iter=1000),
            {"C": C},
            0.01,
        ),
        Pair(
            "svm",
            classica.SVMClassifier(),
            sklearn.svm.SVC(),
            {"C": C[1:], "gamma": ["scale", 0.01, 0.1]},
            0.01,
        ),
        Pair(
            "tree",
            classica.DecisionTreeClassifier(random_state=0),
            sklearn.tree.DecisionTreeClassifier(random_state=0),
            {"max_depth": [2, 4, 8, None], "min_samples_leaf": [20, 5, 1]},
            0.1,
        ),
        Pair(
            "adaboost",
            classica.AdaBoostClassifier(random_state=0),
            sklearn.ensemble.AdaBoostClassifier(random_state=0),
            {"learning_rate": [0.3, 1.0], "n_estimators": sizes},
            0.05,
        ),
        Pair(
            "bagging",
            classica.BaggingClassifier(random_state=0),
            sklearn.ensemble.BaggingClassifier(random_state=0),
            {"max_samples": [0.5, 1.0], "n_estimators": sizes[:2]},
            0.1,
        ),
        Pair(
            "random-forest",
            classica.RandomForestClassifier(random_state=0),
            sklearn.ensemble.RandomForestClassifier(random_state=0),
            {"max_features": ["sqrt", 0.5], "min_samples_leaf": [5, 1], "n_estimators": sizes[1:3]},
            0.1,
        ),
        Pair(
            "mlp",
            classica.MLPClassifier((20,), **passes),
            sklearn.neural_network.MLPClassifier((20,), **passes),
            {"alpha": [1.0, 0.01, 0.0001]},
            0.1,
        ),
    ]
